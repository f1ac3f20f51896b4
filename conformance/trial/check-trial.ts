import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { queueDefinition } from '../client/create-queue.js'
import type { Entry } from '../client/entry.js'
import type { Exchange } from '../client/exchange.js'
import type { Feed } from '../client/feed.js'
import { guidProblem } from '../client/guids.js'
import type { HttpTarget } from '../client/http-target.js'
import { messageOf, takesAnyBody } from '../client/message-body.js'
import type { LinkedContents } from '../client/parse-entry.js'
import type { KnownFeeds } from '../client/parse-feed.js'
import type { Profile } from '../client/profile.js'
import { allowedSegment, namePrefix, nameProblem } from '../client/queue-names.js'
import { readFeed } from '../client/read-feed.js'
import type { RunClock } from '../client/run-clock.js'
import { grantedLease, subscriptionRequest } from '../client/subscription-request.js'
import { headerOf } from '../client/template.js'
import { answered, refused, succeeded } from './answers.js'
import { CheckConsumer } from './check-consumer.js'
import { Blocked, Failed, Inconclusive, NotApplicable } from './findings.js'
import type { Yield } from './semaphore.js'
import type { ClockHold } from './target-clock.js'
import { longestLease } from './timing.js'
import type { Consumer, QueueHandle, Sent, SubscribeOptions, Timing, Trial } from './trial.js'

export interface CheckTrialOptions {
  readonly profile: Profile
  readonly timing: Timing
  readonly target: HttpTarget
  readonly clock: RunClock
  /** What every name of this trial begins with; nobody else's does. */
  readonly prefix: string
  /** Moves the clock of a target that offers one. */
  readonly targetClock: Pick<ClockHold, 'elapse'> | undefined
  /** Whether the check works with leases whose length is the target's choice: they may be short. */
  readonly foreignLeases: boolean
  /** Ends all waiting. */
  readonly signal: AbortSignal
  /** Whether a check has failed: then another way to the same effect is taken, where there is one. */
  readonly isBroken?: (checkId: string) => boolean
  /** Runs a wait that is the check's own wish, which its time box does not count. */
  readonly idle: <T>(wait: () => Promise<T>) => Promise<T>
  /** Gives this check's place to another for as long as a wait takes. */
  readonly yieldPermit: Yield
}

type Destinations = QueueHandle | string | readonly (QueueHandle | string)[]

/** What {@link CheckTrial.freshMessage} makes unique. */
const TOKEN = /kit-(?:probe-)?[\da-f]{10}-\d+/g
const POLL_FIRST = 20
const POLL_LAST = 250
// Answers to step 2 after which a client that follows the document repeats it.
const REPEATABLE = (status: number) => status === 0 || status === 408 || status === 429 || status >= 500

/** The trial of one check, on one target, once. */
export class CheckTrial implements Trial {
  readonly profile: Profile
  readonly timing: Timing
  readonly target: HttpTarget
  readonly linked: LinkedContents | undefined
  /** What the check found at free points, point and answer, in the order in which it asked. */
  readonly choices: [point: string, what: string][] = []
  /** What it observed, where it has no right answer. */
  observation: string | undefined
  readonly #options: CheckTrialOptions
  readonly #consumers: CheckConsumer[] = []
  readonly #known: KnownFeeds = new Map()
  /** The messages that the check has made, by what is unique in each. */
  readonly #messages = new Map<string, string>()
  #made = 0
  #elapsed = false
  #shortLease = false

  constructor(options: CheckTrialOptions) {
    this.#options = options
    this.profile = options.profile
    this.timing = options.timing
    this.target = options.target
    this.linked = options.timing.settle > 0 ? new Map() : undefined
  }

  now(): number {
    return this.#options.clock.now()
  }

  freshName(segments = 1): string {
    const own = namePrefix(this.profile) + allowedSegment(this.profile, this.#unique())
    return [own, ...Array.from({ length: segments - 1 }, (_, index) => `s${index + 1}`)].join('/')
  }

  freshMessage(around = ''): Sent {
    const token = this.#unique()
    const text = messageOf(this.profile, around + token)
    this.#messages.set(token, text)
    return { body: Buffer.from(text), text, address: undefined }
  }

  freshGuid(): string {
    if (this.profile.guid.form === 'uuid') return randomUUID()
    return this.#unique()
  }

  async createQueue(path = this.freshName()): Promise<QueueHandle> {
    const first = await this.tryCreateQueue(path)
    // Where the collection itself takes nothing, it may with a slash at its end.
    const elsewhere =
      first.status === 404 || first.status === 405 || (first.status >= 301 && first.status <= 308)
    const slashed = elsewhere
      ? await this.target.request('POST', this.target.at('/queues/'), queueDefinition(this.profile, path))
      : first
    const answer = succeeded(slashed) ? slashed : first
    return { path, uri: this.#created(answer, 'queues.create', 'the queue') }
  }

  tryCreateQueue(path: string): Promise<Exchange> {
    const problem = nameProblem(this.profile, path)
    if (problem !== undefined) throw new NotApplicable(`the profile's queueNames do not allow it: ${problem}`)
    return this.target.request('POST', this.target.at('/queues'), queueDefinition(this.profile, path))
  }

  async newAddress(queue: QueueHandle): Promise<string> {
    const answer = await this.target.request('POST', queue.uri)
    return this.#created(answer, 'send.address', 'a new message')
  }

  async post(
    address: string,
    body: string | Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<Exchange> {
    const { message } = this.profile
    const typed = headerOf(headers, 'content-type') !== undefined
    const own = Object.entries(message.headers).filter(
      ([name]) => !typed || name.toLowerCase() !== 'content-type',
    )
    const answer = await this.target.request('POST', address, {
      body,
      headers: { ...Object.fromEntries(own), ...headers },
    })
    const made = !typed && [...this.#messages.values()].includes(String(body))
    const tooLong = message.maxBytes !== null && Buffer.byteLength(body as Uint8Array) > message.maxBytes
    if (refused(answer) && (tooLong || !(made || takesAnyBody(this.profile)))) {
      const what = tooLong ? `has more than ${message.maxBytes} bytes` : 'is not made as the profile says'
      throw new NotApplicable(`a message that ${what} is refused with ${answer.status}`)
    }
    return answer
  }

  async send(
    queue: QueueHandle,
    body: string | Uint8Array = this.freshMessage().body,
    headers: Record<string, string> = {},
  ): Promise<Sent> {
    if (this.#sendsByGuid) return this.#sendByGuid(queue, body, headers)
    const address = await this.newAddress(queue)
    let answer: Exchange | undefined
    await this.eventually(async () => {
      answer = await this.post(address, body, headers)
      return REPEATABLE(answer.status) ? undefined : answer
    })
    this.precondition(
      answer !== undefined && succeeded(answer),
      'send.post',
      `the POST of a message gave ${answered(answer!)}`,
    )
    const bytes = Buffer.from(body as Uint8Array)
    return { body: bytes, text: bytes.toString(), address }
  }

  /** Where sending in two steps is broken, a message is sent in the other way. */
  get #sendsByGuid(): boolean {
    const { isBroken = () => false } = this.#options
    const twoSteps = isBroken('send.address') || isBroken('send.post')
    return twoSteps && this.profile.features.guid && !isBroken('dedup.send')
  }

  async #sendByGuid(
    queue: QueueHandle,
    body: string | Uint8Array,
    headers: Record<string, string>,
  ): Promise<Sent> {
    const answer = await this.postWithGuid(queue, this.freshGuid(), body, headers)
    this.precondition(succeeded(answer), 'dedup.send', `the send with a guid gave ${answered(answer)}`)
    const bytes = Buffer.from(body as Uint8Array)
    return { body: bytes, text: bytes.toString(), address: undefined }
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
    const problem = guidProblem(this.profile, guid)
    if (problem !== undefined) throw new NotApplicable(`the profile does not allow the guid: ${problem}`)
    const mark = queue.uri.includes('?') ? '&' : '?'
    return this.post(`${queue.uri}${mark}guid=${encodeURIComponent(guid)}`, body, headers)
  }

  async subscribe(destinations: Destinations, options: SubscribeOptions = {}): Promise<Consumer> {
    const answer = await this.trySubscribe(destinations, options)
    const uri = this.#created(answer, 'subscribe.create', 'the subscription')
    const { lease, prefetch } = this.#asked(options)
    const consumer = new CheckConsumer(this, { uri, prefetch, lease, created: answer })
    this.#consumers.push(consumer)
    return consumer
  }

  trySubscribe(destinations: Destinations, options: SubscribeOptions = {}): Promise<Exchange> {
    const list = Array.isArray(destinations) ? destinations : [destinations as QueueHandle | string]
    this.#shortLease ||= options.lease === 'short'
    const { prefetch, wanted } = this.#asked(options)
    const { selector } = options
    const request = subscriptionRequest(this.profile, list, { prefetch, selector, lease: wanted })
    return this.target.request('POST', this.target.at('/subscriptions'), { ...request })
  }

  /** What a subscription asks for, as far as the target grants it. */
  #asked({ prefetch, lease = 'long' }: SubscribeOptions): {
    prefetch: number
    lease: number
    wanted: number
  } {
    const { maxPrefetch, parameters } = this.profile.subscription
    const chosen = prefetch ?? (parameters.prefetch === null ? maxPrefetch : Math.min(10, maxPrefetch))
    if (chosen > maxPrefetch || (parameters.prefetch === null && chosen !== maxPrefetch)) {
      const own =
        parameters.prefetch === null ? `the target's own is ${maxPrefetch}` : `the most is ${maxPrefetch}`
      throw new NotApplicable(`it needs a prefetch of ${chosen}, and ${own}`)
    }
    const wanted = lease === 'long' ? longestLease(this.profile) : this.timing.lease
    return { prefetch: chosen, lease: grantedLease(this.profile, wanted), wanted }
  }

  browse(queue: QueueHandle): Promise<Feed> {
    return this.readFeed(queue.uri, 'browse.queue')
  }

  async readFeed(uri: string, blockedBy: string): Promise<Feed> {
    const feed = await readFeed(uri, {
      known: this.#known,
      messageUri: this.profile.messageUri,
      linked: this.linked,
      isHarmful: () => this.target.isHarmful,
      onExcess: () => this.target.noteExcess(),
      get: (address) => this.target.request('GET', address),
      unreadable: (why) => {
        throw new Blocked(blockedBy, why)
      },
    })
    if (typeof feed === 'string') throw new Blocked(blockedBy, feed)
    return feed
  }

  async bodies(entries: readonly Entry[]): Promise<string[]> {
    return (await Promise.all(entries.map((entry) => entry.body()))).map((body) => this.messageText(body))
  }

  isMessage(body: Buffer, message: Sent): boolean {
    return body.equals(message.body) || (!this.#arrivesWhole && this.messageText(body) === message.text)
  }

  messageText(body: Buffer): string {
    const text = body.toString()
    if (this.#arrivesWhole) return text
    for (const [token] of text.matchAll(TOKEN)) {
      const known = this.#messages.get(token)
      if (known !== undefined) return known
    }
    return text
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

  async eventually<T>(
    probe: () => Promise<T | undefined>,
    timeout: number = this.timing.timeout,
  ): Promise<T | undefined> {
    const start = performance.now()
    // On a target whose effects take their time, what is asked at once again is asked in vain.
    const first = Math.max(POLL_FIRST, this.timing.settle / 2)
    for (let delay = first; ; delay = Math.min(Math.max(first, POLL_LAST), delay * 1.5)) {
      // What was asked before the timeout may have been answered with what was so then: a feed of many pages.
      const late = performance.now() - start >= timeout || this.target.isHarmful
      const found = await probe()
      if (found !== undefined || late) return found
      const left = timeout - (performance.now() - start)
      await this.#pause(Math.max(0, Math.min(delay, left)))
    }
  }

  async never<T>(probe: () => Promise<T | undefined>): Promise<T | undefined> {
    const found = await probe()
    if (found !== undefined) return found
    // A latency more, for what a target does just after it has answered.
    await this.#pause(Math.max(POLL_FIRST, this.timing.settle + this.timing.latency))
    return probe()
  }

  async elapse(milliseconds: number): Promise<void> {
    this.#elapsed = true
    const { targetClock, idle, yieldPermit } = this.#options
    if (!targetClock) return idle(() => yieldPermit(() => this.#wait(milliseconds)))
    const moves = await idle(() => yieldPermit(() => targetClock.elapse(milliseconds)))
    this.target.exchanges.push(...moves)
    const last = moves.at(-1)!
    if (last.status < 200 || last.status > 299) {
      const { method, path } = this.profile.clock!.advance
      throw new Inconclusive(
        `the target's clock could not be advanced: ${method} ${path} gave ${answered(last)}`,
        'clock',
      )
    }
  }

  /** Why a finding may be due to a lease that ended underneath the check; undefined where it cannot be. */
  uncertainLease(): string | undefined {
    if (this.#elapsed) return undefined
    const uncertain = this.#consumers.find((consumer) => consumer.mayHaveEnded())
    return (
      uncertain && `the lease of ${uncertain.uri} (${uncertain.lease} ms) may have ended underneath the check`
    )
  }

  #created(answer: Exchange, blockedBy: string, what: string): string {
    this.precondition(succeeded(answer), blockedBy, `the POST for ${what} gave ${answered(answer)}`)
    const uri = this.target.location(answer)
    this.precondition(
      uri !== undefined,
      blockedBy,
      `the answer for ${what} has no Location that is an address`,
    )
    return uri
  }

  /** Waits for an effect to show. A lease that runs might be over before the check has a place again: then it keeps it. */
  #pause(milliseconds: number): Promise<void> {
    const { targetClock, foreignLeases, idle, yieldPermit } = this.#options
    const leaseRuns = !targetClock && (foreignLeases || this.#shortLease)
    const wait = () => this.#wait(milliseconds)
    // Until it has a place again, it is not the check that takes its time.
    return leaseRuns ? wait() : idle(() => yieldPermit(wait, 'brief'))
  }

  async #wait(milliseconds: number): Promise<void> {
    await this.#options.idle(() => sleep(milliseconds, undefined, { signal: this.#options.signal }))
  }

  get #arrivesWhole(): boolean {
    return this.profile.message.arrives === 'same'
  }

  #unique(): string {
    this.#made += 1
    return `${this.#options.prefix}-${this.#made}`
  }
}
