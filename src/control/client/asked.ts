import { ownText } from '../../broker/storing.js'
import type { ClientLine, Request } from '../../http/exchange.js'
import { plainSegment } from '../../http/form.js'
import { readableQuery } from '../input/query.js'
import type { Seen } from '../journal/exchange-record.js'
import type { ClientExchange, ClientRule } from './rules.js'

/** How many characters of a target, of a segment and of a client's name are kept. */
const LONGEST = 256
/** How many segments of a path: no address of the interface that names a lease has more. */
const MOST_SEGMENTS = 5

/** How long an answer that was long in coming may be unread, in milliseconds. */
const READING = 25

/** Within what time who has read an answer ends its connection, or lets it stand idle, in milliseconds. */
const AT_ONCE = 3
const IDLE = 1000

/** After so many tries in vain a client may give up, and tell whoever asked it. */
export const ENOUGH_TRIES = 5

/** An exchange, and what a judge of clients has to know besides. */
export interface Witnessed extends Seen {
  /** When it came in real time: milliseconds of `performance.now()`. */
  readonly came: number
  /** The number of the last exchange that was over then. */
  readonly after: number
  /** Whether the answer was not there at once: its client may have asked again before. */
  readonly isLate?: boolean
}

/** One exchange, as far as clients are judged by it: what its client could know of the answer, and when. */
export interface Asked extends ClientExchange {
  /** Who asked, see `ClientViolation.client`. */
  readonly client: string
  /** Who may have asked: those without a name may be one client with several connections. */
  readonly party: string
  /** The first five, decoded; of a long one its beginning. */
  readonly segments: readonly string[]
  /** What its client knows of the answer: `head` where it broke off behind its head. */
  known: 'all' | 'head' | 'nothing'
  status: number | null
  /** The last exchange that was over when this one came. */
  readonly after: number
  /** When it came, by the server's clock and in real time, in milliseconds. */
  readonly at: number
  readonly came: number
  /** When its answer set out, in real time. */
  readonly over: number
  readonly isLate: boolean
  readonly line: ClientLine | undefined
  /** Whether something went wrong on purpose. */
  readonly faulty: boolean
}

/** Whoever says no name. */
const NAMELESS = 'a client without a name'

/**
 * Takes note of a violation.
 *
 * @param told the answer without which it would be none: that it was not read may turn out later
 */
export type Find = (rule: ClientRule, what: string, exchanges: readonly Asked[], told?: Asked) => void

/** What a client can know of an exchange that is over. */
export function askedBy(
  number: number,
  { request, reply, faults, at, after, came, isLate = false }: Witnessed,
): Asked {
  const known = reply === undefined || reply.cut === 'reset' ? 'nothing' : reply.cut ? 'head' : 'all'
  const name = request.principal?.name ?? request.headers['user-agent']
  const asked: Asked = {
    number,
    method: request.method,
    target: shortened(targetOf(request)),
    status: known === 'nothing' ? null : (reply?.status ?? null),
    client: shortened(name ?? (request.line === undefined ? NAMELESS : `connection ${request.line.number}`)),
    party: shortened(name ?? NAMELESS),
    segments: request.segments.slice(0, MOST_SEGMENTS).map((segment) => shortened(plainSegment(segment))),
    known,
    after,
    at,
    came,
    over: performance.now(),
    isLate,
    line: request.line,
    faulty: faults.length > 0,
  }
  // Who has gone before the answer was there knows nothing of it.
  request.whenGone(() => {
    asked.known = 'nothing'
    asked.status = null
  })
  return asked
}

/** Whether an answer decides: another try would be answered alike. */
export function isDecided({ known, status }: Asked): boolean {
  return known !== 'nothing' && status !== null && status < 500 && !MAY_PASS.has(status)
}

/** Whether a client has read of an answer that it is refused for good. */
export function isRefusal(asked: Asked): boolean {
  return asked.known === 'all' && isDecided(asked) && (asked.status as number) >= 400
}

/**
 * Whether a request was made by a client that knew an earlier answer. Of one connection answers come before the next request. Of
 * two both requests may have been on their way at once, if the answer was not there at once.
 */
export function knew(later: Asked, earlier: Asked): boolean {
  if (later.after < earlier.number || isUnread(earlier, later)) return false
  const { line, isLate, over } = earlier
  if (line === undefined || later.line === undefined || line === later.line || !isLate) return true
  return later.line.openedAt > over || later.came - over >= READING
}

/**
 * Whether a client may have left an answer unread, before it asked by another connection: it ended the one of that answer, with
 * something unread, or neither at once as who has read it, nor long after. What the machine is slow to tell may turn out later.
 */
export function isUnread({ known, line, over }: Asked, later: Asked): boolean {
  if (known === 'nothing') return true
  if (line?.left === undefined || line === later.line || line.left.at > later.came + READING) return false
  const passed = line.left.at - over
  return !line.left.inOrder || passed < 0 || (passed > AT_ONCE && passed < IDLE)
}

/** Statuses that say themselves that another try may be answered otherwise: time, order, number of requests. */
const MAY_PASS = new Set([408, 425, 429])

/** The exchange as a report shows it. */
export function shownAsked({ number, method, target, status }: Asked): ClientExchange {
  return { number, method, target, status }
}

/** A copy, which keeps nothing longer alive. */
export function shortened(text: string, most = LONGEST): string {
  return ownText(text.length <= most ? text : `${text.slice(0, most)}…`)
}

function targetOf(request: Request): string {
  const query = readableQuery(request).toString()
  return query === '' ? request.path : `${request.path}?${query}`
}

/** Puts something into a map that holds so many, without what was put in first. @returns whether something was left out */
export function keep<T>(map: Map<string, T>, key: string, value: T, most: number): boolean {
  map.set(key, value)
  if (map.size <= most) return false
  map.delete(map.keys().next().value as string)
  return true
}
