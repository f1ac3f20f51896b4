import type { Request } from '../http/exchange.js'
import { Problem } from '../http/problems.js'
import type { MappingContext } from './context.js'

/** Which page of a listing or of a queue's feed a request asks for. */
export interface AskedPage {
  readonly cursor: string | undefined
  /** As asked for; undefined where the request names none. */
  readonly limit: number | undefined
  /** What holds: as asked for, or the default. */
  readonly size: number
}

/**
 * Reads `cursor` and `limit` (`chosen`).
 *
 * @throws Problem `malformed-request` for a limit that is none, or out of range
 */
// clause: browse.paging.limit browse.paging.refused
export function askedPage({ query }: Request, { limits }: Pick<MappingContext, 'limits'>): AskedPage {
  const text = query.get('limit')
  const limit = text === null ? undefined : Number(/^\d{1,9}$/.test(text) ? text : Number.NaN)
  if (limit !== undefined && !(limit >= 1 && limit <= limits.maxPage)) {
    throw new Problem('malformed-request', `limit takes 1 to ${limits.maxPage} entries.`, {
      parameter: 'limit',
      least: 1,
      most: limits.maxPage,
    })
  }
  return { cursor: query.get('cursor') ?? undefined, limit, size: limit ?? limits.defaultPage }
}
