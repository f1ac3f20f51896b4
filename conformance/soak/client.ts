import { queueDefinition } from '../client/create-queue.js'
import type { Cut } from '../client/cut.js'
import type { Exchange } from '../client/exchange.js'
import { formsOf } from '../client/forms.js'
import type { HttpTarget } from '../client/http-target.js'
import { messageOf } from '../client/message-body.js'
import type { Reader } from '../client/message-in.js'
import type { KnowingMessages } from '../client/parse-entry.js'
import type { Profile } from '../client/profile.js'
import { allowedSegment } from '../client/queue-names.js'
import { readByPath } from '../client/read-by-path.js'
import { readFeed } from '../client/read-feed.js'
import type { RunMemory } from '../client/run-memory.js'
import { type Destination, grantedLease, subscriptionRequest } from '../client/subscription-request.js'
import type { Unanswered } from '../client/unanswered.js'
import type { Random } from '../explore/random.js'
import type { Timing } from '../trial/trial.js'
import type { Event, Sending, Terms } from './history.js'
import type { Judge } from './judge.js'
import type { Violation } from './memory.js'

export interface SoakQueue {
  readonly name: string
  readonly path: string
  readonly uri: string
}

/** A message that was sent long ago, with what it was sent by. */
export interface OldMessage {
  readonly number: number
  /** Its new-message address, or the queue's with its guid. */
  readonly uri: string
  readonly body: string
  readonly sending: Sending
}

/** What the clients of a soak share. */
export interface Shared {
  readonly profile: Profile
  readonly timing: Timing
  readonly prefix: string
  readonly rate: number | undefined
  readonly began: number
  readonly judge: Judge
  /** What the soak has found out of the target as a whole. */
  readonly memory: RunMemory
  /** Those that are there for the whole soak, and those that come and go. */
  readonly queues: SoakQueue[]
  readonly shortLived: SoakQueue[]
  /** Addresses of those of which nobody knows whether they have gone. */
  readonly doubtful: string[]
  /** The one that consumers of section 4.2 alone consume, where there is any. */
  alternativeQueue: SoakQueue | undefined
  readonly old: OldMessage[]
  /** The least that the target's clock can show now, where the soak moves it: milliseconds. */
  clock: number | undefined
  /** URIs of subscriptions that may be active, by number. */
  readonly subscriptions: Map<number, string>
  requests: number
  sent: number
  acknowledged: number
  unknown: number
  readonly unanswered: Unanswered
  numbered: number
  subscribed: number
  readonly found: (violation: Violation | undefined) => void
  /** Whether something was found, or it is to stop. */
  readonly isOver: () => boolean
}

/** An entry of a reading. */
export interface Held {
  readonly message: number
  readonly uri: string
  /** By which it is acknowledged; default DELETE. */
  readonly method?: 'POST' | 'DELETE'
  /** Further addresses that may be those by which it is acknowledged, where the first is refused. */
  readonly others?: readonly string[]
}

/** What came of reading a feed; nothing is held of one that could not be read. */
export interface Reading {
  readonly outcome: Event['outcome']
  readonly held: readonly Held[] | undefined
}

export interface SoakSubscription {
  readonly number: number
  readonly uri: string
  readonly terms: Terms
}

type Outcome = Event['outcome']

/** A feed as far as it could be read, with the answer that its first page is. */
interface Fed {
  readonly exchange: Exchange
  readonly held: readonly Held[] | undefined
  /** How many entries each page has. */
  readonly sizes?: readonly number[]
}

/** One of many that send or consume: tells the judge of each request, when it begins and when it is over. */
export class Client {
  readonly random: Random
  readonly #who: string
  readonly shared: Shared
  readonly target: HttpTarget
  /** Where the next request is cut. */
  #cut: Cut | undefined

  constructor(options: {
    readonly who: string
    readonly shared: Shared
    readonly random: Random
    readonly target: HttpTarget
  }) {
    this.random = options.random
    this.#who = options.who
    this.shared = options.shared
    this.target = options.target
  }

  /** Whether the target takes acknowledgements in a POST. */
  get posts(): boolean {
    return this.shared.profile.features['ack-in-post']
  }

  async createQueue(path: string): Promise<{ readonly uri: string | undefined; readonly outcome: Outcome }> {
    const exchange = await this.create(path)
    return { uri: this.target.location(exchange), outcome: outcomeOf(exchange) }
  }

  /** Asks for a queue, whatever comes. */
  async create(path: string): Promise<Exchange> {
    const { profile, memory } = this.shared
    const exchange = await this.request('POST', this.target.at('/queues'), queueDefinition(profile, path))
    const onceInRun = (question: string, ask: () => Promise<boolean>) => memory.once(question, ask)
    await readByPath({ target: this.target, onceInRun }, path, exchange)
    return exchange
  }

  /** A new-message address; undefined where none was given. */
  async newAddress(queue: SoakQueue, cutOneIn: number): Promise<string | undefined> {
    const event = this.begin({ do: 'address', queue: queue.name })
    this.mayCut(cutOneIn)
    const exchange = await this.request('POST', queue.uri)
    const address = this.target.location(exchange)
    const outcome = this.over(event, exchange, outcomeOf(exchange), { address })
    return outcome === 'yes' ? address : undefined
  }

  /** Posts a message to its address, or with its guid. */
  async post({ uri, body, number, sending }: OldMessage, cutOneIn: number): Promise<Outcome> {
    const { selector } = this.shared.profile.subscription
    const { features, message } = this.shared.profile
    const colour = features.selector ? (sending.colour === 'red' ? selector.matching : selector.other) : {}
    const event = this.begin({ do: 'send', message: number, sending })
    this.mayCut(cutOneIn)
    const exchange = await this.request('POST', uri, {
      headers: { ...message.headers, ...colour },
      body,
    })
    const outcome = outcomeOf(exchange)
    if (outcome === 'yes' && !sending.isRepeat) this.shared.sent += 1
    return this.over(event, exchange, outcome)
  }

  async subscribe(
    destinations: readonly Destination[],
    data: Pick<Terms, 'queues' | 'prefetch' | 'selector'>,
    cutOneIn: number,
  ): Promise<SoakSubscription | undefined> {
    const { profile, timing } = this.shared
    const request = subscriptionRequest(profile, destinations, {
      prefetch: data.prefetch,
      lease: timing.lease,
      selector: data.selector === undefined ? undefined : profile.subscription.selector.expression,
    })
    const { renewedBy } = profile.subscription
    const terms = { ...data, lease: grantedLease(profile, timing.lease), grace: timing.leaseGrace, renewedBy }
    const number = ++this.shared.subscribed
    const event = this.begin({ do: 'subscribe', subscription: number, terms })
    this.mayCut(cutOneIn)
    const exchange = await this.request('POST', this.target.at('/subscriptions'), { ...request })
    const uri = this.target.location(exchange)
    const outcome = outcomeOf(exchange)
    this.over(event, exchange, uri === undefined ? 'unknown' : outcome)
    if (uri === undefined || outcome !== 'yes') return undefined
    this.shared.subscriptions.set(number, uri)
    return { number, uri, terms }
  }

  async read({ number, uri }: SoakSubscription, cutOneIn = 0): Promise<Reading> {
    const event = this.begin({ do: 'read', subscription: number })
    this.mayCut(cutOneIn)
    const { exchange, held, sizes } = await this.#feed(uri)
    const outcome = held === undefined && exchange.status === 200 ? 'unknown' : outcomeOf(exchange)
    this.over(
      event,
      exchange,
      outcome,
      held === undefined ? {} : { shown: held.map(({ message }) => message), ...(sizes && { sizes }) },
    )
    // What moved from one page to the next while they were read is on both. What has no address cannot be acknowledged.
    const each = held && [...new Map(held.map((one) => [one.message, one])).values()]
    return { outcome, held: each?.filter(({ uri }) => uri !== '') }
  }

  async browse(queue: SoakQueue): Promise<Event> {
    const event = this.begin({ do: 'browse', queue: queue.name })
    const { exchange, held } = await this.#feed(queue.uri)
    const shown = held?.map(({ message }) => message) ?? []
    const over = { ...event, to: performance.now(), outcome: outcomeOf(exchange), shown, exchange }
    this.shared.found(this.shared.judge.end(over))
    return over
  }

  async acknowledge(
    { number }: SoakSubscription,
    { message, uri, method = 'DELETE', others = [] }: Held,
    cutOneIn: number,
  ): Promise<Outcome> {
    const event = this.begin({ do: 'acknowledge', subscription: number, message })
    this.mayCut(cutOneIn)
    let exchange = await this.request(method, uri)
    for (const other of others) {
      if (outcomeOf(exchange) === 'no') exchange = await this.request(method, other)
    }
    const outcome = this.over(event, exchange, outcomeOf(exchange))
    if (outcome === 'yes') this.shared.acknowledged += 1
    return outcome
  }

  /** Acknowledges several in a POST to the subscription. Where it takes them is open, so that a refusal says nothing. */
  async acknowledgeInPost(
    { number, uri }: SoakSubscription,
    held: readonly Held[],
    cutOneIn: number,
  ): Promise<Outcome> {
    const events = held.map(({ message }) => this.begin({ do: 'acknowledge', subscription: number, message }))
    this.mayCut(cutOneIn)
    const exchange = await this.request('POST', uri, {
      headers: { 'Content-Type': 'text/uri-list' },
      body: held.map((each) => `${each.uri}\r\n`).join(''),
    })
    const outcome = outcomeOf(exchange) === 'yes' ? 'yes' : 'unknown'
    for (const event of events) this.over(event, exchange, outcome)
    if (outcome === 'yes') this.shared.acknowledged += held.length
    return outcome
  }

  async end({ number, uri }: SoakSubscription, cutOneIn = 0): Promise<void> {
    const event = this.begin({ do: 'end', subscription: number })
    this.mayCut(cutOneIn)
    const exchange = await this.request('DELETE', uri)
    if (this.over(event, exchange, outcomeOf(exchange)) === 'yes') this.shared.subscriptions.delete(number)
  }

  async #feed(uri: string): Promise<Fed> {
    let first: Exchange | undefined
    const feed = await readFeed(uri, {
      messageUri: this.shared.profile.messageUri,
      knowing: this.#knowing,
      get: async (address) => {
        const page = await this.request('GET', address)
        first ??= page
        return page
      },
      unreadable: (why) => {
        throw new Error(why)
      },
    })
    if (typeof feed === 'string') return { exchange: first!, held: undefined }
    try {
      const bodies = await Promise.all(feed.entries.map((entry) => entry.body()))
      const held = feed.entries.map(({ messageUri = '' }, index) => ({
        message: this.numberOf(bodies[index]!),
        uri: messageUri,
      }))
      return { exchange: first!, held, sizes: feed.sizes }
    } catch {
      // The content of a message that somebody acknowledged meanwhile may be gone.
      return { exchange: first!, held: undefined }
    }
  }

  /** What is needed to understand an answer. */
  get reader(): Reader {
    const { target, shared } = this
    const messageText = (body: Buffer) => body.toString()
    return { profile: shared.profile, target, linked: undefined, knowing: this.#knowing, messageText }
  }

  get #knowing(): KnowingMessages {
    return {
      proven: this.shared.memory.proven,
      isMessage: (body, isPage) => (isPage ? this.numberOf(body, true) : this.numberOf(body)) >= 0,
      isAbout: (body) => body.includes(this.shared.prefix),
    }
  }

  /** The number of a message, by its bytes; below 0 where it is none of this soak. @param isExact whether nothing may be around it */
  numberOf(body: Buffer, isExact = this.shared.profile.message.arrives !== 'contains'): number {
    const { profile, prefix } = this.shared
    for (const form of isExact ? [body] : formsOf(body)) {
      const text = form.toString()
      const [, digits] = new RegExp(`${prefix}-0 m(\\d+) of a soak`).exec(text) ?? []
      if (digits === undefined) continue
      const number = Number(digits)
      if (!isExact || text === bodyOf(profile, prefix, number)) return number
    }
    return -1
  }

  /** Cuts the next request, in one of so many cases. */
  mayCut(oneIn: number): void {
    if (oneIn > 0 && this.random.oneIn(oneIn))
      this.#cut = this.random.pick(['head', 'body', 'sent', 'answer'])
  }

  async request(method: string, uri: string, options = {}): Promise<Exchange> {
    const cut = this.#cut
    this.#cut = undefined
    const exchange = await this.target.request(method, uri, { ...options, cut })
    // A soak goes on for hours.
    this.target.exchanges.length = 0
    this.shared.requests += 1
    if (exchange.status === 0 || exchange.status >= 500) {
      this.shared.unknown += 1
      this.shared.unanswered.note(exchange)
    }
    return exchange
  }

  /** Tells the judge that a request begins. */
  begin(event: Omit<Event, 'who' | 'from' | 'to' | 'outcome'>): Event {
    const begun: Event = {
      ...event,
      who: this.#who,
      from: performance.now(),
      to: 0,
      outcome: 'unknown',
      ...this.#since,
    }
    this.shared.judge.begin(begun)
    return begun
  }

  get #since(): { since?: number } {
    const { clock } = this.shared
    return clock === undefined ? {} : { since: clock }
  }

  /** Tells the judge what came of a request that was told to begin. */
  over(
    event: Event,
    exchange: Exchange,
    outcome: Outcome,
    came: Pick<Event, 'shown' | 'sizes' | 'address'> = {},
  ): Outcome {
    const over = { ...event, to: performance.now(), outcome, exchange, ...came }
    this.shared.found(this.shared.judge.end(over))
    return outcome
  }
}

/** A path below what a soak's names begin with, in what the profile allows. @param end such as `1/a` */
export function pathOf({ profile, prefix }: Pick<Shared, 'profile' | 'prefix'>, end: string): string {
  const segments = `-${end}`.split('/').map((segment) => allowedSegment(profile, segment))
  return prefix + segments.join('/')
}

/** The body of a message, by its number. */
export function bodyOf(profile: Profile, prefix: string, number: number): string {
  return messageOf(profile, `${prefix}-0 m${number} of a soak`)
}

export function outcomeOf({ status }: Exchange): Outcome {
  if (status >= 200 && status < 300) return 'yes'
  // A request that was told to come again later has not happened.
  return status === 0 || status >= 500 || status === 429 ? 'unknown' : 'no'
}
