/** What mappings read of a request: names and numbers in its path and query, which page, and whether it only looks. */
import { Refusal } from '../broker/refusals.js'
import { prefersHtml } from '../http/accept.js'
import type { Request } from '../http/exchange.js'
import { isMediaType } from '../http/field-values.js'
import { decodeSegment } from '../http/form.js'
import { Problem } from '../http/problems.js'
import type { MappingContext } from './context.js'

/**
 * The queue name in a path: each segment is decoded by itself, so that a `%2F` does not become a separator
 * unseen.
 *
 * @param rest the raw path behind the mapping's own segments
 * @throws Refusal `bad-queue-name`
 * @throws Problem `bad-percent-encoding`
 */
// clause: queues.address queues.path
export function queueNameOf(rest: string): string {
  if (!rest.includes('%')) return rest
  const segments = rest.split('/').map(decodeSegment)
  if (segments.some((segment) => segment.includes('/'))) {
    throw new Refusal('bad-queue-name', 'A segment of a queue name must not hold a slash, not even as %2F.')
  }
  return segments.join('/')
}

/**
 * The destination in a path, which may be a wildcard.
 *
 * @throws Refusal `bad-destination`
 * @throws Problem `bad-percent-encoding`
 */
export function destinationOf(rest: string): string {
  try {
    return queueNameOf(rest)
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal('bad-destination', error.message)
    throw error
  }
}

/**
 * A consumer id of a path. `chosen`: `/<consumer_id>/messages/…` begins with one, so it must not be a word with which
 * another path begins. What else an id must be, the broker says when it is subscribed.
 *
 * @throws Refusal `bad-consumer-id`
 */
// clause: one-at-a-time.consumer-id
export function checkConsumerWord({ reserved }: MappingContext, id: string): void {
  if (!reserved.has(id)) return
  throw new Refusal(
    'bad-consumer-id',
    `No consumer can be called ${JSON.stringify(id)}, since paths of this server begin so; choose another word.`,
  )
}

/**
 * The value of a parameter of the query that may be given once.
 *
 * @throws Problem `malformed-request`, `bad-percent-encoding`
 */
export function onlyParameter({ query }: Request, name: string): string | undefined {
  if (query.size === 0) return undefined
  const [value, ...others] = query.getAll(name)
  if (others.length === 0) return value
  throw badParameter(name, `The parameter ${name} is given twice; give it once.`)
}

/**
 * Reads a parameter or field that is a number.
 *
 * @param shape what its text looks like
 * @throws Problem `malformed-request`
 */
export function numberOf(parameter: string, text: string | undefined, shape: RegExp): number | undefined {
  if (text === undefined) return undefined
  if (shape.test(text)) return Number(text)
  throw badParameter(parameter, `The field ${parameter} takes a number, not ${JSON.stringify(text)}.`)
}

/** The refusal of a parameter, or of a field of a form. */
export function badParameter(parameter: string, detail: string): Problem {
  return new Problem('malformed-request', detail, { parameter })
}

/**
 * Reads `timeout`: seconds, with decimals, as milliseconds.
 *
 * @throws Problem `malformed-request`
 */
export function millisecondsOf(seconds: string | undefined): number | undefined {
  const value = numberOf('timeout', seconds, /^\d{1,9}(\.\d{1,9})?$/)
  return value === undefined ? undefined : Math.round(value * 1000)
}

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

/**
 * Refuses a body where none is meant (`chosen`): a message, or a list of acknowledgements, must not vanish silently.
 *
 * @throws Problem `unexpected-body`
 */
// clause: one-at-a-time.no-body
export function refuseBody({ body }: Request): void {
  if (body.length > 0) {
    throw new Problem('unexpected-body', 'This request takes no body; leave it out, or send it elsewhere.')
  }
}

/**
 * Refuses a body of another type.
 *
 * @param detail what it should be, as a sentence
 * @throws Problem `unsupported-media-type`
 */
export function checkMediaType({ headers }: Request, type: string, detail: string): void {
  if (isMediaType(headers['content-type'], type)) return
  throw new Problem('unsupported-media-type', detail, {}, { 'Accept-Post': type })
}

/**
 * Whether a request only looks at what a consumer holds, so that it renews no lease (`chosen`): an administrator who is
 * not its owner, a HEAD, or a browser. A person looks, a program consumes.
 *
 * @param owner who made the lease
 */
export function isOnlooker(
  { method, headOnly, headers, principal }: Request,
  owner: string | undefined,
): boolean {
  if (principal !== undefined && principal.name !== owner) return true
  return method === 'GET' && (headOnly === true || prefersHtml(headers.accept))
}
