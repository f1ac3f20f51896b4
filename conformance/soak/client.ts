import { Buffer } from '../client/bytes.js'
import { type Came, Client, hasNoAnswer, type Names } from '../client/client.js'
import type { Cut } from '../client/cut.js'
import { type Exchange, succeeded } from '../client/exchange.js'
import { formsOf } from '../client/forms.js'
import { HttpTarget } from '../client/http-target.js'
import { messageOf } from '../client/message-body.js'
import type { KnowingMessages } from '../client/parse-entry.js'
import type { Profile } from '../client/profile.js'
import { allowedSegment } from '../client/queue-names.js'
import type { RunMemory } from '../client/run-memory.js'
import { type Manner, type Messages, Speaker } from '../client/speaker.js'
import { grantedLease } from '../client/subscription-request.js'
import type { RequestOptions } from '../client/target.js'
import type { Timing } from '../client/timing.js'
import type { Unanswered } from '../client/unanswered.js'
import type { Random } from '../explore/random.js'
import type { Request } from '../model/model.js'
import type { Destination, Entry } from '../model/world.js'
import type { Event, Sending, Terms } from './history.js'
import type { Judge } from './judge.js'
import type { Violation } from './memory.js'

/** A queue. The client knows it by its path. */
export interface SoakQueue {
  readonly name: string
  readonly path: string
  readonly uri: string
}

/** A message that was sent long ago, with what it was sent by. */
export interface OldMessage {
  readonly number: number
  /** The path of its queue. */
  readonly queue: string
  /** What it is posted to; else it has a guid. */
  readonly address?: string
  readonly guid?: string
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
  /** Addresses of queues, by their paths. */
  readonly uris: Map<string, string>
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

/** A message that was shown. */
export interface Held {
  readonly message: number
  readonly uri: string
}

/** What came of reading a feed; nothing is held of one that could not be read. */
export interface Reading {
  readonly outcome: Event['outcome']
  readonly held: readonly Held[] | undefined
}

export interface SoakSubscription {
  readonly number: number
  /** Its address, or the id of a consumer of section 4.2. */
  readonly uri: string
  readonly terms: Terms
}

type Outcome = Event['outcome']
type Told = Omit<Event, 'who' | 'from' | 'to' | 'outcome'>

const CUTS: readonly Cut[] = ['head', 'body', 'sent', 'answer']

/** One of many that send or consume: tells the judge of each request, when it begins and when it is over. */
export class SoakClient {
  readonly random: Random
  readonly shared: Shared
  readonly target: HttpTarget
  readonly #who: string
  readonly #client: Client

  constructor(options: {
    readonly who: string
    readonly shared: Shared
    readonly random: Random
    readonly target: HttpTarget
  }) {
    const { who, shared, random, target } = options
    this.random = random
    this.#who = who
    this.shared = shared
    this.target = target
    const { profile, timing, memory } = shared
    const messages = new Numbered(shared)
    const speaker = new Speaker({
      ...{ profile, target, messages, memory, settle: timing.settle, isLong: true },
    })
    this.#client = new Client(speaker, messages)
  }

  /** Whether the target takes acknowledgements in a POST. */
  get posts(): boolean {
    return this.shared.profile.features['ack-in-post']
  }

  async createQueue(path: string): Promise<{ readonly uri: string | undefined; readonly outcome: Outcome }> {
    const { exchange } = await this.create(path)
    return { uri: this.shared.uris.get(path), outcome: outcomeOf(exchange) }
  }

  /** Asks for a queue, whatever comes. */
  async create(path: string): Promise<Came> {
    const came = await this.ask({ do: 'createQueue', queue: path })
    const { location } = came.answer
    // A creation that is not answered takes no address away from a queue that is there.
    if (location !== undefined) this.shared.uris.set(path, location)
    return came
  }

  /** A new-message address; undefined where none was given. */
  async newAddress({ name, path }: SoakQueue, cutOneIn: number): Promise<string | undefined> {
    const event = this.begin({ do: 'address', queue: name })
    const { exchange, answer } = await this.ask({ do: 'newAddress', queue: path }, cutOneIn)
    const outcome = this.over(event, exchange, outcomeOf(exchange), { address: answer.location })
    return outcome === 'yes' ? answer.location : undefined
  }

  /** Posts a message to its address, or with its guid. */
  async post(message: OldMessage, cutOneIn: number): Promise<Outcome> {
    const { number, queue, address, guid = '', sending } = message
    const content = { body: nameOf(number), colour: sending.colour }
    const event = this.begin({ do: 'send', message: number, sending })
    const { exchange } = await this.ask(
      address === undefined
        ? { do: 'sendOnce', queue, guid, ...content }
        : { do: 'postMessage', address, ...content },
      cutOneIn,
    )
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
    const { prefetch, selector } = data
    const { renewedBy } = profile.subscription
    const { leaseGrace: grace } = timing
    const terms = { ...data, lease: grantedLease(profile, timing.lease), grace, renewedBy }
    const number = ++this.shared.subscribed
    const event = this.begin({ do: 'subscribe', subscription: number, terms })
    const lease = { length: timing.lease, grace, renewedBy }
    const { exchange, answer } = await this.ask(
      { do: 'subscribe', destinations, prefetch, selector, lease },
      cutOneIn,
    )
    const uri = answer.location
    const outcome = outcomeOf(exchange)
    this.over(event, exchange, uri === undefined ? 'unknown' : outcome)
    if (uri === undefined || outcome !== 'yes') return undefined
    this.shared.subscriptions.set(number, uri)
    return { number, uri, terms }
  }

  async read({ number, uri }: SoakSubscription, cutOneIn = 0): Promise<Reading> {
    const event = this.begin({ do: 'read', subscription: number })
    const came = await this.ask({ do: 'consume', consumer: uri }, cutOneIn)
    const { outcome, shown } = fedBy(came)
    this.over(event, came.exchange, outcome, shown)
    if (shown.shown === undefined) return { outcome, held: undefined }
    const held = heldIn(came)
    // What moved from one page to the next while they were read is on both. What has no address cannot be acknowledged.
    const each = [...new Map(held.map((one) => [one.message, one])).values()]
    return { outcome, held: each.filter(({ uri }) => uri !== '') }
  }

  async browse({ name, path }: SoakQueue): Promise<Event> {
    const event = this.begin({ do: 'browse', queue: name })
    const came = await this.ask({ do: 'browseQueue', queue: path })
    const { exchange } = came
    const shown = succeeded(exchange) ? heldIn(came).map(({ message }) => message) : []
    const over = { ...event, to: performance.now(), outcome: outcomeOf(exchange), shown, exchange }
    this.shared.found(this.shared.judge.end(over))
    return over
  }

  async acknowledge(
    { number, terms }: SoakSubscription,
    { message, uri }: Held,
    cutOneIn: number,
  ): Promise<Outcome> {
    const event = this.begin({ do: 'acknowledge', subscription: number, message })
    const verb = terms.mapping === undefined ? 'acknowledge' : 'acknowledgeForConsumer'
    const { exchange } = await this.ask({ do: verb, uri }, cutOneIn)
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
    const uris = held.map((each) => each.uri)
    const { exchange } = await this.ask({ do: 'acknowledgeInPost', consumer: uri, uris }, cutOneIn)
    const outcome = outcomeOf(exchange) === 'yes' ? 'yes' : 'unknown'
    for (const event of events) this.over(event, exchange, outcome)
    if (outcome === 'yes') this.shared.acknowledged += held.length
    return outcome
  }

  async end({ number, uri }: SoakSubscription, cutOneIn = 0): Promise<void> {
    const event = this.begin({ do: 'end', subscription: number })
    const { exchange } = await this.ask({ do: 'unsubscribe', consumer: uri }, cutOneIn)
    if (this.over(event, exchange, outcomeOf(exchange)) === 'yes') this.shared.subscriptions.delete(number)
  }

  /** Asks, and in one of so many cases goes away in the middle of it. */
  ask(request: Request, cutOneIn = 0): Promise<Came> {
    const isCut = cutOneIn > 0 && this.random.oneIn(cutOneIn)
    const how: Manner = isCut ? { cut: this.random.pick(CUTS) } : {}
    return this.#client.ask(request, how)
  }

  /** Tells the judge that a request begins. */
  begin(event: Told): Event {
    const { clock, judge } = this.shared
    const times = { from: performance.now(), to: 0, ...(clock === undefined ? {} : { since: clock }) }
    const begun: Event = { ...event, who: this.#who, outcome: 'unknown', ...times }
    judge.begin(begun)
    return begun
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

/** A target as one client sees it: what it is asked is counted, and not kept, since a soak goes on for hours. */
export class SoakTarget extends HttpTarget {
  readonly #shared: () => Shared | undefined

  constructor(options: ConstructorParameters<typeof HttpTarget>[0], shared: () => Shared | undefined) {
    super(options)
    this.#shared = shared
  }

  override async request(method: string, uri: string, options?: RequestOptions): Promise<Exchange> {
    const exchange = await super.request(method, uri, options)
    this.exchanges.length = 0
    const shared = this.#shared()
    if (shared === undefined) return exchange
    shared.requests += 1
    if (exchange.status === 0 || exchange.status >= 500) {
      shared.unknown += 1
      shared.unanswered.note(exchange)
    }
    return exchange
  }
}

/** The messages of a soak, each known by its number. Nothing is remembered of them. */
class Numbered implements Names, Messages {
  readonly #shared: Pick<Shared, 'profile' | 'prefix' | 'uris'>

  constructor(shared: Pick<Shared, 'profile' | 'prefix' | 'uris'>) {
    this.#shared = shared
  }

  path(path: string): string {
    return path
  }

  queue(path: string) {
    return { path, uri: this.#shared.uris.get(path) ?? '' }
  }

  body(message: string): Buffer {
    const { profile, prefix } = this.#shared
    return Buffer.from(bodyOf(profile, prefix, numberOf(message)))
  }

  nameOf(body: Buffer): string | undefined {
    return this.#find(body, this.#shared.profile.message.arrives !== 'contains')
  }

  /** Of the message that an answer holds, whatever is around it. */
  async messageIn(exchange: Exchange): Promise<string | undefined> {
    return succeeded(exchange) ? this.#find(exchange.body, false) : undefined
  }

  knowing(proven: Set<string>): KnowingMessages {
    return {
      proven,
      isMessage: (body, isPage) => (isPage ? this.#find(body, true) : this.nameOf(body)) !== undefined,
      isAbout: (body) => body.includes(this.#shared.prefix),
    }
  }

  textOf(body: Buffer): string {
    return body.toString()
  }

  post(): void {}

  has(): boolean {
    return true
  }

  time() {
    return { from: 0, to: 0 }
  }

  async queuesShowContents(): Promise<boolean> {
    return true
  }

  /** @param isExact whether nothing may be around it */
  #find(body: Buffer, isExact: boolean): string | undefined {
    const { profile, prefix } = this.#shared
    for (const form of isExact ? [body] : formsOf(body)) {
      const text = form.toString()
      const [, digits] = new RegExp(`${prefix}-0 m(\\d+) of a soak`).exec(text) ?? []
      if (digits === undefined) continue
      if (!isExact || text === bodyOf(profile, prefix, Number(digits))) return nameOf(Number(digits))
    }
    return undefined
  }
}

function nameOf(number: number): string {
  return `m${number}`
}

/** The number of a message; below 0 of what is none of this soak. */
function numberOf(message: string): number {
  return /^m\d+$/.test(message) ? Number(message.slice(1)) : -1
}

/** The messages that an answer shows. */
export function heldIn({ answer: { entries = [] } }: Came): Held[] {
  return entries.map(({ body, uri }: Entry) => ({ message: numberOf(body), uri }))
}

/** What came of reading a feed: a success that shows none tells nothing. */
function fedBy(came: Came): { readonly outcome: Outcome; readonly shown: Pick<Event, 'shown' | 'sizes'> } {
  const { exchange, sizes } = came
  if (sizes !== undefined)
    return {
      outcome: outcomeOf(exchange),
      shown: { shown: heldIn(came).map(({ message }) => message), sizes },
    }
  return { outcome: succeeded(exchange) ? 'unknown' : outcomeOf(exchange), shown: {} }
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
  return hasNoAnswer({ status }) ? 'unknown' : 'no'
}
