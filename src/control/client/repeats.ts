import type { Request } from '../../http/exchange.js'
import { readableQuery } from '../input/query.js'
import { type Asked, type Find, isRefusal, keep, knew } from './asked.js'

/** How many requests that were refused, or told to come later, are remembered. */
const MOST = 5000

/** How often a client may be refused the same; and where two requests may be alike without one repeating the other. */
const REFUSED = 3
const REFUSED_ALIKE = 4

/** What a client may be early, in milliseconds: timers are not exact. */
const EARLY = 100

interface Refused {
  readonly asked: Asked[]
  /** Until when it is to wait, by the server's clock and in real time; undefined where it was not told to. */
  readonly until: Pick<Asked, 'at' | 'came'> | undefined
}

/** What clients do when they are refused: see the rules `accept-refusal` and `retry-after`. */
export class Repeats {
  /** By client and request. */
  readonly #refused = new Map<string, Refused>()
  /** The last request of each client. */
  readonly #last = new Map<string, string>()

  constructor(private readonly find: Find) {}

  see(asked: Asked, request: Request, retryAfter: string | undefined): void {
    const { client, party, method, target } = asked
    const own = isOfOne(asked, request)
    const key = `${own ? party : client} ${method} ${target}`
    const told = this.#refused.get(key)
    const last = told?.asked.at(-1)
    // What was asked before the answer could be read is no repeat of what was refused.
    const before = last !== undefined && knew(asked, last) ? told : undefined
    const isNext = this.#last.get(client) === key
    keep(this.#last, client, key, MOST)
    if (own && last !== undefined && before?.until !== undefined && isEarly(asked, before.until)) {
      const early = Math.round(before.until.came - asked.came)
      const what = `It was told to ask again later, and did so ${early} ms too early.`
      this.find('retry-after', what, [last, asked], last)
    }
    this.#refused.delete(key)
    const until = asked.known === 'nothing' ? undefined : laterThan(asked, retryAfter)
    if (!isRefusal(asked) || isFeed(asked)) {
      if (until !== undefined) keep(this.#refused, key, { asked: [asked], until }, MOST)
      return
    }
    const most = own ? REFUSED : REFUSED_ALIKE
    const same = own || isNext ? (before?.asked ?? []).filter(({ status }) => status === asked.status) : []
    const all = [...same, asked].slice(-most)
    if (all.length === most && same.length < most) {
      const what = `It asked for the same ${most} times, and was refused with ${asked.status}.`
      this.find('accept-refusal', what, all)
    }
    keep(this.#refused, key, { asked: all, until }, MOST)
  }
}

/** Whether two such requests can only be repeats of each other: they name one message, one lease or one address. */
function isOfOne({ method, segments: [first = ''] }: Asked, request: Request): boolean {
  if (method === 'GET') return false
  if (first === 'ack' || request.segments[1] === 'messages') return true
  if (first === 'addresses' || (first === 'subscriptions' && request.segments.length > 1)) return true
  return first === 'queues' && readableQuery(request).has('guid')
}

/** Reading a lease that has ended has a rule of its own. */
function isFeed({ method, segments }: Asked): boolean {
  return method === 'GET' && segments[0] === 'subscriptions'
}

/** Sooner than by both clocks: a test may hold one of them in its hand. */
function isEarly({ at, came }: Asked, until: Pick<Asked, 'at' | 'came'>): boolean {
  return at < until.at - EARLY && came < until.came - EARLY
}

/** Until when a client is to wait by its answer: seconds, or a date (RFC 9110 section 10.2.3). */
function laterThan({ status, at, came, over }: Asked, retryAfter: string | undefined): Refused['until'] {
  if (retryAfter === undefined || (status !== 503 && status !== 429)) return undefined
  const wait = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - at
  return wait > 0 ? { at: at + wait, came: Math.max(came, over) + wait } : undefined
}
