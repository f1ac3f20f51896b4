import { addressTold } from '../client/addresses.js'
import { answered } from '../client/answered.js'
import { type Exchange, refused, succeeded } from '../client/exchange.js'
import type { Entry, Feed } from '../client/feed.js'
import { Blocked, Failed, Inconclusive, NotApplicable, type WrongStatus } from '../client/findings.js'
import { FreshMessages } from '../client/fresh-messages.js'
import type { HttpTarget } from '../client/http-target.js'
import type { MakingContext } from '../client/making.js'
import type { KnowingMessages, LinkedContents } from '../client/parse-entry.js'
import type { Profile } from '../client/profile.js'
import { allowedSegment, namePrefix } from '../client/queue-names.js'
import { randomDigits } from '../client/random.js'
import { readFeed } from '../client/read-feed.js'
import { RunMemory } from '../client/run-memory.js'
import { Speaker } from '../client/speaker.js'
import { isRepeatable, untilAnswered, untilTaken } from '../client/tolerances/until-answered.js'
import { CheckConsumer } from './check-consumer.js'
import { CheckWaiting, type CheckWaitingOptions } from './check-waiting.js'
import type { LeaseWatch } from './lease-watch.js'
import { LongListing, type LongListingOptions } from './long-listing.js'
import { refusedHeaders } from './refused-headers.js'
import { SentMessages } from './sent-messages.js'
import { isLong, termsAsked } from './terms-asked.js'
import type { Consumer, QueueHandle, Sent, SubscribeOptions, Timing, Trial } from './trial.js'
import { areLocationsBroken, createWithDots, isTwoStepBroken, sendOtherwise } from './ways-round.js'

export interface CheckTrialOptions extends CheckWaitingOptions, LongListingOptions, MakingContext {
  readonly profile: Profile
  /** What every name of this trial begins with; nobody else's does. */
  readonly prefix: string
  /** Whether a check has failed: then another way to the same effect is taken, where there is one. */
  readonly isBroken?: (checkId: string) => boolean
  /** Which check it is. */
  readonly check?: string
  /** What the checks of this run have found out of the target; default: nothing. */
  readonly memory?: RunMemory | undefined
}

type Destinations = QueueHandle | string | readonly (QueueHandle | string)[]

/** A longer message may be too long for a target, whatever the profile says, and may say so with any refusal: bytes. */
const SHORT = 1024
const isFinalRefusal = (answer: Exchange) => refused(answer) && !isRepeatable(answer)

/** The trial of one check, on one target, once. */
export class CheckTrial implements Trial {
  readonly profile: Profile
  readonly timing: Timing
  readonly target: HttpTarget
  readonly linked: LinkedContents | undefined
  readonly knowing: KnowingMessages
  /** What the check found at points that the document leaves open, point and answer, in the order in which it asked. */
  readonly choices: [point: string, what: string][] = []
  /** What it observed, where it has no right answer. */
  observation: string | undefined
  /** Successes that it saw of another status than the document shows, whatever it asked. */
  readonly wrongStatuses: WrongStatus[] = []
  /** The checks that it took for unbroken when it chose its ways. */
  readonly reliedOn = new Set<string>()
  readonly #options: CheckTrialOptions
  readonly #waiting: CheckWaiting
  readonly #sent = new SentMessages(this)
  readonly speaker: Speaker
  readonly #listing: LongListing
  readonly messages: FreshMessages
  #made = 0
  /** Real time that had passed when the check began, of which it does not speak. */
  readonly #standing: number
  /** What was subscribed to. */
  readonly #asked = new Set<string>()

  constructor(options: CheckTrialOptions) {
    this.#options = options
    this.profile = options.profile
    this.timing = options.timing
    this.target = options.target
    this.messages = new FreshMessages(options.profile)
    const { memory = new RunMemory(), timing, check = '' } = options
    const needsPaths = () => !check.startsWith('queues.') && areLocationsBroken(this)
    const triesSlash = () => check !== 'queues.create' && this.isBroken('queues.create')
    const isOfForms = check === 'subscribe.create' || check.startsWith('subscribe.form')
    const triesJson = () => !isOfForms && this.isBroken('subscribe.create')
    this.speaker = new Speaker({
      ...options,
      messages: this.messages,
      memory,
      settle: timing.settle,
      ...{ needsPaths, triesSlash, triesJson },
    })
    this.linked = this.speaker.linked
    this.knowing = this.speaker.knowing
    this.#waiting = new CheckWaiting(options)
    this.#listing = new LongListing(options)
    this.#standing = options.clock.now() - options.clock.least()
  }

  now(): number {
    return this.#options.clock.now()
  }

  surelyNow(): number {
    const { clock, profile } = this.#options
    return profile.clock === undefined ? clock.now() : clock.least() + this.#standing
  }

  freshName(segments = 1): string {
    const own = namePrefix(this.profile) + allowedSegment(this.profile, this.#unique())
    return [own, ...Array.from({ length: segments - 1 }, (_, index) => `s${index + 1}`)].join('/')
  }

  /** Of names that are made otherwise: what they begin with, another one each time. */
  ownPrefix(): string {
    return `kit-${randomDigits()}`
  }

  get signal(): AbortSignal {
    return this.#options.signal
  }

  /** Begins as no other does: a target for which names that begin alike are one is judged by all the rest. */
  #ownName(): string {
    const word = `kit-${randomDigits()}-${this.#next()}`
    return namePrefix(this.profile) + allowedSegment(this.profile, word)
  }

  freshMessage(around = ''): Sent {
    return this.messages.make(this.#unique(), around)
  }

  freshGuid(): string {
    if (this.profile.guid.form === 'uuid') return crypto.randomUUID()
    return this.#unique()
  }

  async createQueue(path = this.#ownName()): Promise<QueueHandle> {
    const first = await this.tryCreateQueue(path)
    const answer = (refused(first) ? await createWithDots(this, path) : undefined) ?? first
    // A queue of which nobody tells the address is where the document has it.
    const stated = this.target.queueUri(path)
    const isUntold = answer.status === 201 && this.target.location(answer) === undefined
    if (isUntold && typeof (await this.#feedAt(stated, 'browse.queue')) !== 'string')
      return { path, uri: stated }
    return { path, uri: this.#created(answer, 'queues.create', 'the queue') }
  }

  tryCreateQueue(path: string): Promise<Exchange> {
    return this.speaker.createQueue(path)
  }

  async newAddress(queue: QueueHandle): Promise<string> {
    const answer = await untilAnswered(this, () => this.target.request('POST', queue.uri), isRepeatable)
    // Of new-message addresses that nobody has posted to, a target may give only so many.
    if (answer.status === 429)
      throw new Inconclusive(
        `the target gives no more new-message addresses for now: ${answered(answer)}`,
        'overrun',
      )
    return this.#created(answer, 'send.address', 'a new message')
  }

  post(address: string, body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Exchange> {
    return this.speaker.post(address, body, headers)
  }

  async send(
    queue: QueueHandle,
    body: string | Uint8Array = this.freshMessage().body,
    headers: Record<string, string> = {},
  ): Promise<Sent> {
    const address =
      isTwoStepBroken(this) && (await sendOtherwise(this, queue, body, headers))
        ? undefined
        : await this.#sendInTwoSteps(queue, body, headers)
    const bytes = Buffer.from(body as Uint8Array)
    const sent = { body: bytes, text: bytes.toString(), address }
    this.#sent.note(sent, queue, headers)
    return sent
  }

  async #sendInTwoSteps(
    queue: QueueHandle,
    body: string | Uint8Array,
    headers: Record<string, string>,
  ): Promise<string> {
    const address = await this.newAddress(queue)
    const last = await untilTaken(this, () => this.post(address, body, headers))
    if (isFinalRefusal(last) && Buffer.byteLength(body as Uint8Array) > SHORT)
      throw new NotApplicable(`a message of more than ${SHORT} bytes is refused with ${last.status}`)
    if (succeeded(last)) return address
    const why = isFinalRefusal(last) ? await refusedHeaders(this, queue, headers) : undefined
    const seen = `the POST of a message gave ${answered(last)}`
    throw new Blocked('send.post', why === undefined ? seen : `${seen}; ${why}`)
  }

  async sendInOrder(queue: QueueHandle, count: number): Promise<Sent[]> {
    const sent: Sent[] = []
    while (sent.length < count) sent.push(await this.send(queue))
    return sent
  }

  sendMany(queue: QueueHandle, count: number): Promise<Sent[]> {
    return Promise.all(Array.from({ length: count }, () => this.send(queue)))
  }

  postWithGuid(
    queue: QueueHandle,
    guid: string,
    body: string | Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<Exchange> {
    return this.speaker.sendOnce(queue.uri, guid, body, headers)
  }

  async subscribe(destinations: Destinations, options: SubscribeOptions = {}): Promise<Consumer> {
    const answer = await this.trySubscribe(destinations, options)
    const uri = this.#created(answer, 'subscribe.create', 'the subscription')
    const { lease, prefetch } = termsAsked(this, options)
    const watch = this.watchLease(uri, lease, answer.sentAt)
    const before = this.#sent.all()
    const sendAgain = (messages: readonly Sent[] = before) => this.#sent.sendAgain(messages)
    return new CheckConsumer(this, { prefetch, created: answer, watch, sendAgain })
  }

  watchLease(of: string, length: number, began: number, isKnown = true): LeaseWatch {
    return this.#waiting.leases.watch(of, length, began, isKnown)
  }

  async trySubscribe(destinations: Destinations, options: SubscribeOptions = {}): Promise<Exchange> {
    const list = Array.isArray(destinations) ? [...destinations] : [destinations as QueueHandle | string]
    if (!isLong(options)) this.#waiting.leaseIsShort()
    const { prefetch, wanted: lease } = termsAsked(this, options)
    const { selector, write, headers } = options
    const what = list.map((each) => (typeof each === 'string' ? each : each.path)).join()
    // Where the same data make the same subscription, no two of a check ask for the same.
    if (this.#asked.has(what) && this.isBroken('subscribe.own-address')) list.push(await this.createQueue())
    this.#asked.add(what)
    return this.speaker.subscribe(list, { prefetch, selector, lease, write, headers })
  }

  sendMore(messages: readonly Sent[]): Promise<void> {
    return this.#sent.sendMore(messages)
  }

  browse(queue: QueueHandle): Promise<Feed> {
    return this.readFeed(queue.uri, 'browse.queue')
  }

  async readFeed(uri: string, blockedBy: string): Promise<Feed> {
    const feed = await this.#feedAt(uri, blockedBy)
    if (typeof feed !== 'string') return feed
    const slashed =
      uri === this.target.at('/queues') && this.isBroken('browse.root')
        ? await this.#feedAt(`${uri}/`, blockedBy)
        : feed
    if (typeof slashed === 'string') throw new Blocked(blockedBy, feed)
    return slashed
  }

  /** @returns a sentence that says why there is none, where there is none */
  #feedAt(uri: string, blockedBy: string): Promise<Feed | string> {
    const isListing = uri.replace(/\/?(?:\?.*)?$/, '') === this.target.at('/queues')
    const readPage = isListing ? this.#listing.begin() : <T>(read: () => Promise<T>) => read()
    const get = async (address: string) => {
      const answer = await readPage(() => this.target.request('GET', address))
      if (isListing && succeeded(answer) && answer.status !== 200)
        this.wrongStatuses.push({
          clause: 'browse.root.status',
          failed: new Failed('200', answered(answer)),
        })
      return answer
    }
    return readFeed(uri, this.speaker.feedContext(uri, blockedBy, get))
  }

  onceInRun(question: string, ask: () => Promise<boolean>): Promise<boolean> {
    return this.speaker.onceInRun(question, ask)
  }

  async bodies(entries: readonly Entry[]): Promise<string[]> {
    return (await Promise.all(entries.map((entry) => entry.body()))).map((body) => this.messageText(body))
  }

  isMessage(body: Buffer, message: Sent): boolean {
    return this.messages.is(body, message)
  }

  messageText(body: Buffer): string {
    return this.messages.textOf(body)
  }

  expect(holds: boolean, expected: string, seen: string | (() => string)): asserts holds {
    if (!holds) throw new Failed(expected, typeof seen === 'string' ? seen : seen())
  }

  precondition(holds: boolean, blockedBy: string, seen: string): asserts holds {
    if (!holds) throw new Blocked(blockedBy, seen)
  }

  inconclusive(why: string): never {
    throw new Inconclusive(why)
  }

  notApplicable(why: string): never {
    throw new NotApplicable(why)
  }

  choose(point: string, what: string): void {
    this.choices.push([point, what])
  }

  observed(what: string): void {
    this.observation = what
  }

  eventually<T>(probe: () => Promise<T | undefined>, timeout?: number): Promise<T | undefined> {
    return this.#waiting.eventually(probe, timeout)
  }

  never<T>(probe: () => Promise<T | undefined>): Promise<T | undefined> {
    return this.#waiting.never(probe)
  }

  /** Why no attempt can be done within the leases that it has, where that is so. */
  tooShortLease(): string | undefined {
    return this.#waiting.leases.tooShort()
  }

  elapse(milliseconds: number): Promise<void> {
    return this.#waiting.elapse(milliseconds)
  }

  /** Whether it has waited for something to be forgotten, and for no lease to end. */
  isLate = false

  late(): Promise<number> {
    this.isLate = true
    return this.#waiting.late()
  }

  /** Waits, in real time, for what takes its time. */
  rest(milliseconds: number): Promise<void> {
    return this.#waiting.rest(milliseconds)
  }

  uncertainLease(): string | undefined {
    return this.#waiting.leases.uncertain()
  }

  #created(answer: Exchange, blockedBy: string, what: string): string {
    this.precondition(succeeded(answer), blockedBy, `the POST for ${what} gave ${answered(answer)}`)
    // Of what says that it was created, and has no Location, the body may tell where it is.
    const told = () => (answer.status === 201 ? addressTold(this.target, answer) : undefined)
    const uri = this.target.location(answer) ?? told()
    this.precondition(
      uri !== undefined,
      blockedBy,
      `the answer for ${what} has no Location that is an address`,
    )
    return uri
  }

  isBroken(checkId: string): boolean {
    const isBroken = this.#options.isBroken?.(checkId) ?? false
    if (!isBroken) this.reliedOn.add(checkId)
    return isBroken
  }

  #unique(): string {
    return `${this.#options.prefix}-${this.#next()}`
  }

  #next(): number {
    this.#made += 1
    return this.#made
  }
}
