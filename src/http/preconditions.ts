import { listsETag } from './conditional.js'
import type { Request } from './exchange.js'
import { Problem } from './problems.js'

/** What stands at an address, as far as a precondition asks for it. */
export interface TargetState {
  /** Entity tags of its forms. */
  readonly etags: readonly string[]
  /** Milliseconds since the epoch; undefined where it is not known. */
  readonly modifiedAt?: number
}

/** Whether a request has a precondition that could refuse it: a GET's `If-None-Match` only spares it the body. */
export function hasPrecondition({ method, headers }: Pick<Request, 'method' | 'headers'>): boolean {
  return (
    headers['if-match'] !== undefined ||
    headers['if-unmodified-since'] !== undefined ||
    (headers['if-none-match'] !== undefined && method !== 'GET')
  )
}

/**
 * Refuses a request whose preconditions do not hold, in the order of RFC 9110 section 13.2.2, before anything of it is
 * done (`chosen`: where the interface is silent, HTTP's own rules hold).
 *
 * @param state undefined where the target has no representation
 * @throws Problem `precondition-failed`
 */
// clause: http.preconditions
export function checkPreconditions(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  state: TargetState | undefined,
): void {
  const match = headers['if-match']
  if (match !== undefined) {
    const holds = state?.etags.some((etag) => !etag.startsWith('W/') && listsStrongly(match, etag)) ?? false
    if (!holds && !(match.trim() === '*' && state !== undefined)) throw failed('If-Match')
  } else if (headers['if-unmodified-since'] !== undefined && state?.modifiedAt !== undefined) {
    const date = Date.parse(headers['if-unmodified-since'])
    // What is no date is passed over. A date has no milliseconds.
    if (Math.floor(state.modifiedAt / 1000) * 1000 > date) throw failed('If-Unmodified-Since')
  }
  const noneMatch = headers['if-none-match']
  if (noneMatch === undefined || method === 'GET') return
  if (state?.etags.some((etag) => listsETag(noneMatch, etag)) || (noneMatch.trim() === '*' && state)) {
    throw failed('If-None-Match')
  }
}

/** A tag that is marked as weak stands for nothing here (RFC 9110 section 13.1.1). */
function listsStrongly(match: string, etag: string): boolean {
  return match.match(/(?:W\/)?"[^"]*"/g)?.includes(etag) ?? false
}

function failed(field: string): Problem {
  return new Problem(
    'precondition-failed',
    `${field} does not hold for what stands at this address now; nothing was done.`,
    { field },
  )
}
