import { answered } from '../client/answered.js'
import { type Exchange, succeeded } from '../client/exchange.js'
import type { HttpTarget } from '../client/http-target.js'
import { type Operation, SUCCESS } from '../client/operations.js'
import { parseFeedPage } from '../client/parse-feed.js'
import type { Profile } from '../client/profile.js'
import { otherSlash } from '../client/tolerances/slashes.js'
import type { Timing } from '../trial/trial.js'
import type { Attempt } from './attempt.js'

/** The checks that ask for the status of an operation's success. */
const CHECKS = {
  list: 'browse.root',
  browse: 'browse.queue',
  subtree: 'browse.subtree',
  create: 'queues.create',
  delete: 'queues.delete',
  address: 'send.address',
  post: 'send.post',
  'post again': 'send.repeat',
  'send with a guid': 'dedup.send',
  'send with a guid again': 'dedup.repeat',
  subscribe: 'subscribe.create',
  consume: 'consume.feed',
  end: 'subscribe.delete',
  acknowledge: 'ack.succeeds',
} as const

/** An operation of section 4.1 as its status is asked for: a repeat is another question. */
type Asked = keyof typeof CHECKS

const STATUS_CHECKS: ReadonlySet<string> = new Set(Object.values(CHECKS))

/** The part of the shortest lease that surely lasts. */
const SURELY = 0.8

/** A success of a status that the document does not show. */
export interface WrongSuccess {
  readonly expected: string
  readonly seen: string
  /** The check's, up to that one. */
  readonly exchanges: readonly Exchange[]
  readonly began: number
}

/**
 * Watches for successes whose status is another than the document shows, in all that a run asks: one that comes now and then, or in
 * some state only, is missed where the status alone is asked for, once. Only what can be nothing but a success is watched: not what
 * was deleted, repeated or late, and nothing that was asked in any other way than the document shows.
 */
export class WrongSuccesses {
  readonly #profile: Profile
  readonly #timing: Pick<Timing, 'briefLease'>
  readonly #found = new Map<string, WrongSuccess>()

  constructor(profile: Profile, timing: Pick<Timing, 'briefLease'>) {
    this.#profile = profile
    this.#timing = timing
  }

  /** Whether a check asks for a status that is watched. */
  static isWatched(checkId: string): boolean {
    return STATUS_CHECKS.has(checkId)
  }

  /** The first that was seen of what a check asks for. */
  of(checkId: string): WrongSuccess | undefined {
    return this.#found.get(checkId)
  }

  /** Looks through what one attempt at a check has exchanged. */
  note({ exchanges, began, target }: Pick<Attempt, 'exchanges' | 'began' | 'target'>): void {
    if (target === undefined) return
    let history: History | undefined
    const advanced = exchanges.findIndex((each) => each.advanced !== undefined)
    const timed = advanced < 0 ? exchanges : exchanges.slice(0, advanced + 1)
    timed.forEach((exchange, at) => {
      if (!isOdd(exchange)) return
      const asks = asksOf(target.operations.of(exchange.method, exchange.url))
      const status = statusOf(asks[0])
      // What came before is looked through for the few that may be told.
      if (exchange.status === status || asks.every((each) => this.#found.has(CHECKS[each]))) return
      history ??= new History(exchanges, target, this.#profile)
      const asked = new Story(history, exchange).asked(SURELY * this.#timing.briefLease)
      if (asked === undefined || this.#found.has(CHECKS[asked])) return
      this.#found.set(CHECKS[asked], {
        expected: `${status} whenever it succeeds`,
        seen: `${answered(exchange)} for ${exchange.method} ${exchange.url}`,
        exchanges: exchanges.slice(0, at + 1),
        began,
      })
    })
  }
}

/** What a request of an operation may ask, all with the same status; one of none may be an acknowledgement. */
function asksOf(operation: Operation | undefined): readonly [Asked, ...Asked[]] {
  if (operation === undefined) return ['acknowledge']
  const repeats = operation === 'post' || operation === 'send with a guid'
  return repeats ? [operation, `${operation} again`] : [operation]
}

function statusOf(asked: Asked): number {
  return SUCCESS[(asked === 'acknowledge' ? 'end' : asked.replace(/ again$/, '')) as Operation]
}

/** What is neither a plain success, nor refused, nor under way: 304 and 206 are what was asked for, where it was. */
function isOdd(exchange: Exchange): boolean {
  const { status } = exchange
  if (status < 200 || status >= 400 || status === 202 || status === 304) return false
  return otherSlash(exchange) === undefined
}

/** All that was exchanged in an attempt at a check, by what is asked of it for each wrong success. */
class History {
  readonly target: HttpTarget
  readonly profile: Profile
  readonly withBody: readonly Exchange[]
  readonly queueDeletions: readonly Exchange[]
  readonly madeQueues: readonly Exchange[]
  /** By their addresses. */
  readonly deletions: ReadonlyMap<string, readonly Exchange[]>
  /** By the guid, or the address where there is none. */
  readonly posts: ReadonlyMap<string, readonly Exchange[]>
  /** Creations, by the addresses of what they made. */
  readonly subscriptions: ReadonlyMap<string, readonly Exchange[]>
  readonly #all: readonly Exchange[]
  #feeds: ReadonlyMap<string, readonly Exchange[]> | undefined

  constructor(all: readonly Exchange[], target: HttpTarget, profile: Profile) {
    this.target = target
    this.profile = profile
    this.#all = all
    const deletions = all.filter(({ method }) => method === 'DELETE')
    this.withBody = all.filter(({ requestBody }) => requestBody.length > 0)
    this.queueDeletions = deletions.filter((each) => this.#is('delete', each))
    this.madeQueues = all.filter((each) => succeeded(each) && this.#is('create', each))
    this.deletions = grouped(deletions, ({ url }) => [url])
    this.posts = grouped(
      all.filter(({ method }) => method === 'POST'),
      (each) => [identityOf(each)],
    )
    this.subscriptions = grouped(
      all.filter((each) => this.#is('subscribe', each)),
      (each) => target.location(each) ?? [],
    )
  }

  /** The feeds of consumers that were read, by the addresses of the messages in them. */
  get feeds(): ReadonlyMap<string, readonly Exchange[]> {
    this.#feeds ??= grouped(
      this.#all.filter((each) => succeeded(each) && this.#is('consume', each)),
      (feed) => this.#messageUris(feed),
    )
    return this.#feeds
  }

  #is(operation: Operation, { method, url }: Exchange): boolean {
    return this.target.operations.of(method, url) === operation
  }

  #messageUris(feed: Exchange): string[] {
    const { messageUri } = this.profile
    const page = parseFeedPage(feed, { messageUri, get: unread, unreadable: unread })
    return typeof page === 'string' ? [] : page.entries.flatMap((entry) => entry.messageUri ?? [])
  }
}

function grouped(
  all: readonly Exchange[],
  keysOf: (exchange: Exchange) => string | readonly string[],
): Map<string, Exchange[]> {
  const groups = new Map<string, Exchange[]>()
  for (const each of all) {
    for (const key of [keysOf(each)].flat()) {
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [each])
      else group.push(each)
    }
  }
  return groups
}

/** What two sends have in common that are one: the guid, on whatever queue, or the address. */
function identityOf({ url }: Exchange): string {
  const guid = new URL(url).searchParams.get('guid')
  return guid === null ? url : `guid ${guid}`
}

/** One exchange, and what came before it in its check. */
class Story {
  readonly #history: History
  readonly #exchange: Exchange

  constructor(history: History, exchange: Exchange) {
    this.#history = history
    this.#exchange = exchange
  }

  /** The first of some that came before, or was under way at the same time and may have come first. */
  #before(
    some: readonly Exchange[] = [],
    is: (each: Exchange) => boolean = () => true,
  ): Exchange | undefined {
    const { receivedAt } = this.#exchange
    return some.find((each) => each !== this.#exchange && each.sentAt < receivedAt && is(each))
  }

  /** What was asked, where nothing but its success can be right. @param sure how long every lease lasts: milliseconds */
  asked(sure: number): Asked | undefined {
    const { method, url, requestBody, requestHeaders } = this.#exchange
    const own = Object.entries(this.#history.profile.headers)
    if (own.some(([name, value]) => requestHeaders[name] !== value)) return undefined
    const isPlain = Object.keys(requestHeaders).length === own.length && requestBody.length === 0
    const operation = this.#history.target.operations.of(method, url)
    switch (operation) {
      case 'list':
        return isPlain ? 'list' : undefined
      case 'browse':
      case 'delete':
        return isPlain && !this.#isDeleted(url) ? operation : undefined
      case 'subtree':
      case 'address':
        return isPlain && !this.#isAnyDeleted() ? operation : undefined
      case 'create':
        return this.#isNewQueue() ? operation : undefined
      case 'subscribe':
        return operation
      case 'post':
      case 'send with a guid': {
        if (this.#isAnyDeleted()) return undefined
        const first = this.#firstSend()
        if (first === undefined) return operation
        return first.requestBody.equals(requestBody) ? `${operation} again` : undefined
      }
      case 'consume':
      case 'end':
        return isPlain && this.#isActive(url, sure) ? operation : undefined
      case undefined:
        return method === 'DELETE' && isPlain && this.#isHeld(sure) ? 'acknowledge' : undefined
    }
  }

  /** The send that this one repeats: it succeeded, and its answer was there before this one was sent. */
  #firstSend(): Exchange | undefined {
    const { sentAt } = this.#exchange
    const sends = this.#history.posts.get(identityOf(this.#exchange))
    return this.#before(sends, (each) => succeeded(each) && each.receivedAt <= sentAt)
  }

  /** Whether something was asked to be deleted there: what comes later is another question, and so is what was under way. */
  #isDeleted(uri: string): boolean {
    return this.#before(this.#history.deletions.get(uri)) !== undefined
  }

  #isAnyDeleted(): boolean {
    return this.#before(this.#history.queueDeletions) !== undefined
  }

  /** Whether a definition as the profile has it made a queue that was not there. */
  #isNewQueue(): boolean {
    const { target, profile, madeQueues } = this.#history
    const { headers, body } = profile.createQueue
    const { requestHeaders, requestBody } = this.#exchange
    const isDefined =
      isFilled(body, requestBody.toString()) &&
      Object.entries(headers).every(([name, value]) => isFilled(value, requestHeaders[name] ?? ''))
    if (!isDefined || this.#isAnyDeleted()) return false
    if (this.#before(madeQueues) === undefined) return true
    // A name may be another way to write that of a queue that is there.
    const location = target.location(this.#exchange)
    const isSame = (each: Exchange) => target.location(each) === location
    return location !== undefined && this.#before(madeQueues, isSame) === undefined
  }

  /** Whether a subscription is surely there. */
  #isActive(uri: string, sure: number): boolean {
    const created = this.#before(this.#history.subscriptions.get(uri))
    if (created === undefined || this.#isDeleted(uri)) return false
    return this.#exchange.receivedAt - created.sentAt < sure
  }

  /** Whether what is deleted is a message of a subscription that is surely there, and nobody has acknowledged or deleted it before. */
  #isHeld(sure: number): boolean {
    const { url } = this.#exchange
    if (this.#isDeleted(url) || this.#isAnyDeleted()) return false
    const isFromActive = (feed: Exchange) => this.#isActive(feed.url, sure)
    if (this.#before(this.#history.feeds.get(url), isFromActive) === undefined) return false
    const { pathname } = new URL(url)
    const isIn = ({ requestBody }: Exchange) => requestBody.includes(pathname)
    return this.#before(this.#history.withBody, isIn) === undefined
  }
}

function unread(): never {
  throw new Error('Nothing of the feed is read further.')
}

/** Whether a text is a template with a name in it that needs no escape. */
function isFilled(template: string, text: string): boolean {
  const [before = '', after] = template.split('{name}')
  if (after === undefined) return text === template
  const name = text.slice(before.length, text.length - after.length)
  return text === before + name + after && /^[\w./%-]+$/.test(name)
}
