import { Buffer } from '../client/bytes.js'
import { type Came, Client, type Names } from '../client/client.js'
import type { Cut } from '../client/cut.js'
import { type Exchange, succeeded } from '../client/exchange.js'
import { formsOf } from '../client/forms.js'
import { HttpTarget, type HttpTargetOptions } from '../client/http-target.js'
import type { KnowingMessages } from '../client/parse-entry.js'
import type { Profile } from '../client/profile.js'
import { allowedSegment } from '../client/queue-names.js'
import { RunMemory } from '../client/run-memory.js'
import { type Manner, type Messages, Speaker } from '../client/speaker.js'
import { grantedLease } from '../client/subscription-request.js'
import type { RequestOptions } from '../client/target.js'
import { messageOf } from '../client/template.js'
import type { Timing } from '../client/timing.js'
import { Unanswered } from '../client/unanswered.js'
import type { Random } from '../explore/random.js'
import type { Request } from '../model/model.js'
import type { Destination, Entry, Subscribing } from '../model/world.js'
import { type Asking, nameOf, numberOf, outcomeOf, type Violation } from './history.js'
import { Judge } from './judge.js'

/** A queue: its name is the end of its path, such as `1/a`. */
export interface SoakQueue {
  readonly name: string
  readonly uri: string
}

/** A message that was sent long ago, with what it was sent by. */
export interface OldMessage {
  readonly number: number
  readonly queue: string
  /** What it is posted to; else it has a guid. */
  readonly address?: string
  readonly guid?: string
  readonly colour: string
}

/** What the clients of a soak share. */
export class Shared {
  readonly profile: Profile
  readonly timing: Timing
  /** What every name begins with. */
  readonly prefix: string
  /** Messages a second, of all producers together. */
  readonly rate: number | undefined
  readonly began = performance.now()
  readonly judge: Judge
  /** What the soak has found out of the target as a whole. */
  readonly memory = new RunMemory()
  /** Those that are there for the whole soak, and those that come and go. */
  readonly queues: SoakQueue[] = []
  readonly shortLived: SoakQueue[] = []
  /** Addresses of those of which nobody knows whether they have gone. */
  readonly doubtful: string[] = []
  /** The one that consumers of section 4.2 alone consume, where there is any. */
  alternativeQueue: SoakQueue | undefined
  readonly old: OldMessage[] = []
  /** Addresses of queues, by name. */
  readonly uris = new Map<string, string>()
  /** The least that the target's clock can show now, where the soak moves it: milliseconds. */
  clock: number | undefined
  /** URIs of subscriptions that may be active, by number. */
  readonly subscriptions = new Map<number, string>()
  requests = 0
  sent = 0
  acknowledged = 0
  unknown = 0
  readonly unanswered = new Unanswered()
  numbered = 0
  subscribed = 0
  /** The first that was found. */
  violation: Violation | undefined
  readonly #signal: AbortSignal

  constructor(profile: Profile, timing: Timing, prefix: string, signal: AbortSignal, rate?: number) {
    this.profile = profile
    this.timing = timing
    this.prefix = prefix
    this.rate = rate
    this.judge = new Judge(timing.settle, timing.timeout)
    this.#signal = signal
  }

  found(violation: Violation | undefined): void {
    this.violation ??= violation
  }

  /** Whether something was found, or it is to stop. */
  get isOver(): boolean {
    return this.violation !== undefined || this.#signal.aborted
  }
}

/** A message that was shown. */
export interface Held {
  readonly message: number
  readonly uri: string
}

/** What came of reading a feed; nothing is held of one that could not be read. */
export interface Reading {
  readonly outcome: Outcome
  readonly held: readonly Held[] | undefined
}

export interface SoakSubscription {
  readonly number: number
  /** Its address, or the id of a consumer of section 4.2. */
  readonly uri: string
  /** Of such a consumer. */
  readonly mapping?: 'one-at-a-time' | 'batch'
}

type Outcome = ReturnType<typeof outcomeOf>

const CUTS: readonly Cut[] = ['head', 'body', 'sent', 'answer']

/** One of many that send or consume: tells the judge of each request, when it begins and when it is over. */
export class SoakClient {
  readonly random: Random
  readonly shared: Shared
  readonly #who: string
  readonly #client: Client

  constructor(who: string, shared: Shared, random: Random, target: SoakTarget) {
    this.random = random
    this.#who = who
    this.shared = shared
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

  async createQueue(queue: string): Promise<{ readonly uri: string | undefined; readonly outcome: Outcome }> {
    const { answer } = await this.ask({ do: 'createQueue', queue })
    const { location } = answer
    // A creation that is not answered takes no address away from a queue that is there.
    if (location !== undefined) this.shared.uris.set(queue, location)
    return { uri: this.shared.uris.get(queue), outcome: outcomeOf(answer) }
  }

  /** A new-message address; undefined where none was given. */
  async newAddress(queue: string, cutOneIn: number): Promise<string | undefined> {
    const { answer } = await this.ask({ do: 'newAddress', queue }, {}, cutOneIn)
    return outcomeOf(answer) === 'yes' ? answer.location : undefined
  }

  /** Posts a message to its address, or with its guid. */
  async post(message: OldMessage, cutOneIn: number, isRepeat = true): Promise<Outcome> {
    const { number, queue, address, guid = '', colour } = message
    const content = { body: nameOf(number), colour }
    const { answer } = await this.ask(
      address === undefined
        ? { do: 'sendOnce', queue, guid, ...content }
        : { do: 'postMessage', address, ...content },
      { messages: [number] },
      cutOneIn,
    )
    const outcome = outcomeOf(answer)
    if (outcome === 'yes' && !isRepeat) this.shared.sent += 1
    return outcome
  }

  async subscribe(
    destinations: readonly Destination[],
    { prefetch, selector }: Pick<Subscribing, 'prefetch' | 'selector'>,
    cutOneIn: number,
  ): Promise<SoakSubscription | undefined> {
    const { profile, timing } = this.shared
    const { renewedBy } = profile.subscription
    const lease = { length: timing.lease, grace: timing.leaseGrace, renewedBy }
    const subscription = ++this.shared.subscribed
    const { answer } = await this.ask(
      { do: 'subscribe', destinations, prefetch, selector, lease },
      { subscription, granted: grantedLease(profile, timing.lease) },
      cutOneIn,
    )
    const { location: uri } = answer
    if (uri === undefined || outcomeOf(answer) !== 'yes') return undefined
    this.shared.subscriptions.set(subscription, uri)
    return { number: subscription, uri }
  }

  async read({ number, uri }: SoakSubscription, cutOneIn = 0): Promise<Reading> {
    const about = { subscription: number, consumer: uri }
    const came = await this.ask({ do: 'consume', consumer: uri }, about, cutOneIn)
    const outcome = outcomeOf(came.answer)
    if (came.sizes === undefined) return { outcome: outcome === 'yes' ? 'unknown' : outcome, held: undefined }
    // What moved from one page to the next while they were read is on both. What has no address cannot be acknowledged.
    const each = [...new Map(heldIn(came).map((one) => [one.message, one])).values()]
    return { outcome, held: each.filter(({ uri }) => uri !== '') }
  }

  async acknowledge(by: SoakSubscription, { message, uri }: Held, cutOneIn: number): Promise<Outcome> {
    const verb = by.mapping === undefined ? 'acknowledge' : 'acknowledgeForConsumer'
    return this.#acknowledged(by, { do: verb, uri }, [message], cutOneIn)
  }

  /** Acknowledges several in a POST to the subscription. */
  acknowledgeInPost(by: SoakSubscription, held: readonly Held[], cutOneIn: number): Promise<Outcome> {
    const request = { do: 'acknowledgeInPost', consumer: by.uri, uris: held.map(({ uri }) => uri) } as const
    const messages = held.map(({ message }) => message)
    return this.#acknowledged(by, request, messages, cutOneIn)
  }

  async #acknowledged(
    { number, uri }: SoakSubscription,
    request: Request,
    messages: readonly number[],
    cutOneIn: number,
  ): Promise<Outcome> {
    const about = { subscription: number, consumer: uri, messages }
    const outcome = outcomeOf((await this.ask(request, about, cutOneIn)).answer)
    if (outcome === 'yes') this.shared.acknowledged += messages.length
    return outcome
  }

  async end({ number, uri }: SoakSubscription, cutOneIn = 0): Promise<void> {
    const about = { subscription: number, consumer: uri }
    const { answer } = await this.ask({ do: 'unsubscribe', consumer: uri }, about, cutOneIn)
    if (outcomeOf(answer) === 'yes') this.shared.subscriptions.delete(number)
  }

  /** Asks, and in one of so many cases goes away in the middle of it. */
  async ask(
    request: Request,
    about: Omit<Asking, 'who' | 'request' | 'from'> = {},
    cutOneIn = 0,
  ): Promise<Came> {
    const { judge, clock } = this.shared
    const isCut = cutOneIn > 0 && this.random.oneIn(cutOneIn)
    const how: Manner = isCut ? { cut: this.random.pick(CUTS) } : {}
    const from = performance.now()
    const asking: Asking = { who: this.#who, request, from, ...about }
    judge.begin(asking)
    const came = await this.#client.ask(request, how)
    const to = performance.now()
    // A feed that only says how many messages there are is as good as none.
    const { count, ...told } = came.answer
    const status = count === undefined ? told.status : 0
    // A clock that the soak moves is behind for as long as an advance takes.
    const answer = { ...told, status, from: clock ?? from, to }
    this.shared.found(judge.end(asking, { answer, to, exchange: came.exchange }))
    return { ...came, answer }
  }
}

/** A target as one client sees it: what it is asked is counted, and not kept, since a soak goes on for hours. */
export class SoakTarget extends HttpTarget {
  readonly #shared: Shared

  constructor(options: HttpTargetOptions, shared: Shared) {
    super(options)
    this.#shared = shared
  }

  override async request(method: string, uri: string, options?: RequestOptions): Promise<Exchange> {
    const exchange = await super.request(method, uri, options)
    this.exchanges.length = 0
    const shared = this.#shared
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

  path(name: string): string {
    return pathOf(this.#shared, name)
  }

  queue(name: string) {
    return { path: this.path(name), uri: this.#shared.uris.get(name) ?? '' }
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

  /** A feed that shows what nobody sent may describe its messages: then it says nothing. */
  async queuesShowContents(): Promise<boolean> {
    return false
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

/** The messages that an answer shows. */
export function heldIn({ answer: { entries = [] } }: Came): Held[] {
  return entries.map(({ body, uri }: Entry) => ({ message: numberOf(body), uri }))
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
