import type { Exchange } from '../client/exchange.js'
import type { Entry, Feed } from '../client/feed.js'
import type { KnowingMessages, LinkedContents } from '../client/parse-entry.js'
import type { Profile } from '../client/profile.js'
import type { QueueHandle, Sent } from '../client/sent.js'
import type { Speaker } from '../client/speaker.js'
import type { Target } from '../client/target.js'
import type { Timing } from '../client/timing.js'
import type { LeaseWatch } from './lease-watch.js'

export type { QueueHandle, Sent } from '../client/sent.js'
export type { Timing } from '../client/timing.js'

/**
 * A subscription that the trial made, seen as its consumer. All times are the trial's (`trial.now()`).
 *
 * @example
 * ```ts
 * const read = (consumer: Consumer) => consumer.read()
 * ```
 */
export interface Consumer {
  readonly uri: string
  readonly prefetch: number
  /** When the request that created it was sent: its lease cannot have begun earlier. */
  readonly createdAt: number
  /** When the answer to the last request was received that could have begun its lease anew, on any reading of the document. */
  readonly lastUsedAt: number
  /** Its lease in milliseconds, as asked for or as the profile gives it. */
  readonly lease: number
  /**
   * Reads its feed, all pages. Where the answer is not 200 with a feed the trial is blocked by `consume.feed`.
   */
  read(): Promise<Entry[]>
  /** GET of its feed, whatever comes (first page only, nothing judged). */
  get(): Promise<Exchange>
  /**
   * Reads until each of `messages` is there, or no more come. Where they do not come the trial is
   * blocked by `consume.delivers`. @returns their entries, in the order of `messages`
   */
  receive(messages: readonly Sent[]): Promise<Entry[]>
  /** Reads until at least `count` entries are there, or no more come; blocked by `consume.delivers` then. */
  receiveCount(count: number): Promise<Entry[]>
  /** Acknowledges; where the answer is not 200 the trial is blocked by `ack.succeeds`. */
  ack(entry: Entry): Promise<void>
  /** DELETE of an entry's message URI, whatever comes. */
  tryAck(entry: Entry): Promise<Exchange>
  /** Deletes the subscription; where the answer is not 200 the trial is blocked by `subscribe.delete`. */
  end(): Promise<void>
  /** Deletes the subscription, whose lease may be over by now: whatever the answer, it holds nothing afterwards. */
  endIfActive(): Promise<void>
}

/**
 * What a subscription of a trial is asked for; everything has a default.
 *
 * @example
 * ```ts
 * const options: SubscribeOptions = { prefetch: 1 }
 * ```
 */
export interface SubscribeOptions {
  /** How many messages it may hold; 10 unless given. */
  prefetch?: number
  selector?: string
  /**
   * `long` (the default) asks for a lease that outlives any check, where the client may choose it; `short`
   * asks for `trial.timing.lease`, `brief` for `briefLease` and `ample` for `ampleLease`; a number is milliseconds. Where the
   * target's lease is its own, all are that.
   */
  lease?: 'long' | 'short' | 'brief' | 'ample' | number
  /** Another way to write the pairs of its form data. */
  write?: (pairs: [string, string][]) => string
  /** Header fields besides. */
  headers?: Readonly<Record<string, string>>
}

/**
 * What a check is given: a target, names of its own, the operations that every check builds on, and the ways
 * to say what was found. The operations follow the document's primary mapping and the profile; where
 * one is not answered as the document states, the trial is **blocked** by the check of that operation, since what
 * the check itself asks was never reached.
 *
 * @example
 * ```ts
 * const sendOne = async (trial: Trial) => trial.newAddress(await trial.createQueue())
 * ```
 */
export interface Trial {
  readonly profile: Profile
  readonly timing: Timing
  /** Speaks the interface as the profile has it. */
  readonly speaker: Speaker
  /** Speaks HTTP to the target and remembers every exchange for the report. */
  readonly target: Target
  /** What the contents were that entries link to; undefined on a target whose effects show at once. */
  readonly linked: LinkedContents | undefined
  /** Knows its messages where entries link to them. */
  readonly knowing: KnowingMessages
  /** Monotonic milliseconds, the kit's own advances of the target's clock included. */
  now(): number
  /** As `now()`, by the slowest clock that the target may have: one that only the kit moves stands still otherwise. */
  surelyNow(): number

  /** Whether another check of the run has failed or was blocked: then there may be another way to the same effect. */
  isBroken(checkId: string): boolean

  /** What `ask` finds out of the target as a whole, which one check of a run asks for all; `question` names it. */
  onceInRun(question: string, ask: () => Promise<boolean>): Promise<boolean>

  /** A name nobody else has, of `segments` segments (default 1): letters, digits and `-` only. */
  freshName(segments?: number): string
  /** A body nobody else has, as a message not yet sent; `around` puts text before it. */
  freshMessage(around?: string): Sent
  /** A client's guid nobody else has. */
  freshGuid(): string

  /** Creates a queue (`path` default: fresh). Blocked by `queues.create` unless 201 with a `Location`. */
  createQueue(path?: string): Promise<QueueHandle>
  /** POST of a queue's definition as the profile has it, whatever comes. */
  tryCreateQueue(path: string): Promise<Exchange>
  /** Step 1: a new-message address, as an absolute URI. Blocked by `send.address` unless 201 with a `Location`. */
  newAddress(queue: QueueHandle): Promise<string>
  /** Step 2: posts a message to an address, whatever comes. `headers` are added to `Content-Type: text/plain; charset=utf-8`. */
  post(address: string, body: string | Uint8Array, headers?: Record<string, string>): Promise<Exchange>
  /** Both steps. Blocked by `send.address` or `send.post` (200). Body default: fresh. */
  send(queue: QueueHandle, body?: string | Uint8Array, headers?: Record<string, string>): Promise<Sent>
  /** `count` fresh messages, one after another, so that their order is the order of sending. */
  sendInOrder(queue: QueueHandle, count: number): Promise<Sent[]>
  /** `count` fresh messages, side by side; their order is anybody's. */
  sendMany(queue: QueueHandle, count: number): Promise<Sent[]>
  /**
   * Where delivering is broken, sends one message more to the queue of each of these, once: a target may hand out a message
   * only when the next one has come.
   */
  sendMore(messages: readonly Sent[]): Promise<void>
  /** POST to the queue with `?guid=`, whatever comes. Content type and headers as those of `post`. */
  postWithGuid(
    queue: QueueHandle,
    guid: string,
    body: string | Uint8Array,
    headers?: Record<string, string>,
  ): Promise<Exchange>
  /** Subscribes to queues or destinations. Blocked by `subscribe.create` unless 201 with a `Location`. */
  subscribe(
    destinations: QueueHandle | string | readonly (QueueHandle | string)[],
    options?: SubscribeOptions,
  ): Promise<Consumer>
  /**
   * Watches a lease that the check relies on from now on: `eventually` asks only as long as it surely lasts.
   * @param of whose it is, for reports
   * @param length milliseconds
   * @param began when the request that began it was sent
   * @param isKnown whether it is as long as that, and not a guess, for which nothing is hurried; default: yes
   */
  watchLease(of: string, length: number, began: number, isKnown?: boolean): LeaseWatch
  /** POST of a subscription, whatever comes. */
  trySubscribe(
    destinations: QueueHandle | string | readonly (QueueHandle | string)[],
    options?: SubscribeOptions,
  ): Promise<Exchange>
  /** The feed of a queue, all pages. Blocked by `browse.queue` unless 200 with a feed. */
  browse(queue: QueueHandle): Promise<Feed>
  /** Any feed, all pages (`rel="next"` followed). Blocked by `blockedBy` unless 200 with a feed. */
  readFeed(uri: string, blockedBy: string): Promise<Feed>
  /** A body that arrived as text: where messages do not arrive as they were sent, the text of the one that it holds. */
  messageText(body: Buffer): string
  /** Whether a body that arrived is this message: byte for byte, where messages arrive as they were sent. */
  isMessage(body: Buffer, message: Sent): boolean
  /** The bodies of entries as text, in their order, from their content, its `src`, or the message itself. */
  bodies(entries: readonly Entry[]): Promise<string[]>

  /** What the check is about. Where it does not hold the check fails, with both sentences in the report. */
  expect(holds: boolean, expected: string, seen: string | (() => string)): asserts holds
  /** What must have happened before the question makes sense. Where it does not hold the check is blocked by the check named. */
  precondition(holds: boolean, blockedBy: string, seen: string): asserts holds
  /** The measured times do not allow an answer. Throws; a check that counts is retried once, alone. */
  inconclusive(why: string): never
  /** What the check asks about is not there, as the profile says. Throws. */
  notApplicable(why: string): never
  /** Records what the target does at a point that the document leaves open, for the report's `choices`. */
  choose(point: string, what: string): void
  /** A check of a point at which no answer is wrong ends with this: its status is `observed`. */
  observed(what: string): void

  /**
   * Asks again and again until `probe` gives something other than undefined or the timeout passes.
   * @returns what it gave, or undefined when the timeout passed
   */
  eventually<T>(probe: () => Promise<T | undefined>, timeout?: number): Promise<T | undefined>
  /**
   * Asks at once and again after the settling time whether something that must not happen has happened.
   * @returns what `probe` gave first, or undefined when it never gave anything
   */
  never<T>(probe: () => Promise<T | undefined>): Promise<T | undefined>
  /**
   * Lets this much time pass for the target: by its clock where the profile offers one, else by waiting,
   * during which another check may use this one's place.
   */
  elapse(milliseconds: number): Promise<void>
}
