import type { Delivery, Message } from '../../broker/message.js'
import type { Queue } from '../../broker/queue.js'
import { ownText } from '../../broker/storing.js'
import type { Clock } from '../../clock/clock.js'
import { SystemClock } from '../../clock/system.js'
import { Problem } from '../../http/problems.js'
import { nextTurn } from '../../platform/next-turn.js'
import { isDuplicate } from '../faults/duplicate-delivery.js'
import { readWhole } from '../input/read.js'
import { checkWaiting, readWait, showTo, type Waiting, type WaitOptions } from '../input/wait.js'
import { shownBody } from '../journal/exchange-record.js'
import { idOfLease, nameOfLease } from '../leases/lease-name.js'
import {
  compileMessagePattern,
  describeMessagePattern,
  identityOf,
  type MessagePattern,
  readMessagePattern,
} from './message-pattern.js'
import type { DeliveryRecord, MessageRecord } from './message-record.js'
import type { DeliveryEnd, MessageObserver } from './observe-broker.js'
import { storyOf } from './story.js'

/** How many messages are remembered, how many of their deliveries, and how many bytes of each body. */
const MOST_MESSAGES = 10_000
const MOST_DELIVERIES = 100
const MOST_BODY = 1024
/** What all that is remembered may take, in bytes, and what a message and a delivery take beside their texts, about. */
const MOST_BYTES = 16 * 1024 * 1024
const MESSAGE_COST = 1500
const DELIVERY_COST = 300

/** How long those who wait look at what has become of messages before others have a turn, in milliseconds. */
const SLICE = 5

/** How many stories a failure tells. */
const TOLD = 5

interface Kept {
  /** Undefined once it is gone: what is remembered of it must not keep its body. */
  message: Message | undefined
  /** What it takes, in bytes, about. */
  bytes: number
  readonly record: { -readonly [K in keyof MessageRecord]: MessageRecord[K] }
  readonly deliveries: Map<string, { -readonly [K in keyof DeliveryRecord]: DeliveryRecord[K] }>
}

/** Every message since the start or the last reset, with whom it was handed to and how that ended; the last 10,000, or fewer large ones. */
export class MessageLog implements MessageObserver {
  readonly #clock: Clock
  readonly #realTime = new SystemClock()
  /** By the id of the message, in the order of their sends. */
  readonly #kept = new Map<string, Kept>()
  #bytes = 0
  readonly #watchers = new Set<{ see(record: MessageRecord): unknown; fail(reason: Problem): void }>()
  /** Of messages that have changed, and of which those who wait are not told yet. */
  readonly #untold = new Set<string>()
  /** Until when they are told in this turn of the event loop, by `performance.now()`. */
  #toldUntil = Number.POSITIVE_INFINITY
  #start: number
  #closed: Problem | undefined

  readonly #checkRecording: () => void

  /** @param checkRecording throws where nothing is recorded, so that nobody takes an empty list for an answer */
  constructor(clock: Clock, checkRecording: () => void = () => {}) {
    this.#clock = clock
    this.#checkRecording = checkRecording
    this.#start = clock.now()
  }

  /**
   * The messages that fit, in the order of their sends.
   *
   * @throws Problem `malformed-request`
   */
  list(pattern: MessagePattern = {}): MessageRecord[] {
    this.#checkRecording()
    const fits = compileMessagePattern(readMessagePattern({ value: pattern, at: '' }))
    return [...this.#kept.values()].map(shown).filter(fits)
  }

  /** What became of messages, each as a sentence. */
  stories(records: readonly MessageRecord[]): string[] {
    return records.map((record) => `${capital(storyOf(record, this.#start))}.`)
  }

  /** The guid that a message was sent with, where it is remembered. */
  guidOf({ id }: Message): string | undefined {
    return this.#kept.get(id)?.record.guid ?? undefined
  }

  /**
   * Waits in real time for as many messages that fit; at once where they are there.
   *
   * @returns the last of them
   * @throws Problem `missing-message` when the time is up, which tells what became of the messages
   */
  async waitFor(pattern: MessagePattern, options: WaitOptions = {}): Promise<MessageRecord> {
    const { timeout, count } = readWait(options)
    return this.waiting(pattern, timeout, count).found
  }

  /** {@link waitFor}, to be given up. */
  waiting(pattern: MessagePattern, timeout: number, count: number): Waiting<MessageRecord> {
    this.#checkRecording()
    const read = readMessagePattern({ value: pattern, at: 'pattern' })
    const fits = compileMessagePattern(read)
    // No more are remembered that could fit.
    readWhole({ value: count, at: 'count' }, 1, MOST_MESSAGES)
    let cancel = () => {}
    const found = new Promise<MessageRecord>((resolve, reject) => {
      const fail = (reason: Problem) => {
        cancel()
        reject(reason)
      }
      // Those that fit now; what happens to one that did can end that.
      const fitting = new Set<string>()
      const see = (record: MessageRecord) => {
        if (!fits(record)) fitting.delete(record.id)
        else if (fitting.add(record.id).size >= count) {
          cancel()
          resolve(record)
          return true
        }
        return false
      }
      for (const kept of this.#kept.values()) if (see(shown(kept))) return
      if (this.#closed !== undefined) return fail(this.#closed)
      const late = () =>
        fail(this.#missing(read, `${atLeast(count)} was to come within ${timeout} ms`, 'missing-message'))
      if (timeout === 0) return late()
      checkWaiting(this.#watchers.size)
      const watcher = { see, fail }
      this.#watchers.add(watcher)
      const timer = this.#realTime.at(this.#realTime.now() + timeout, late)
      cancel = () => {
        timer()
        this.#watchers.delete(watcher)
      }
    })
    return { found, cancel: () => cancel() }
  }

  /**
   * Sees that just so many messages fit now.
   *
   * @param count at least one unless given
   * @returns those that fit
   * @throws Problem `unexpected-message`, which tells what became of the messages; `malformed-request`
   */
  expect(pattern: MessagePattern, count?: number): MessageRecord[] {
    const read = readMessagePattern({ value: pattern, at: 'pattern' })
    const all = this.list(read)
    if (count === undefined ? all.length > 0 : all.length === count) return all
    const wanted = count === undefined ? atLeast(1) : `just ${count}`
    throw this.#missing(read, `${wanted} was to be there, and ${all.length} are`, 'unexpected-message')
  }

  /**
   * Sees that each message that is meant was handled exactly once: handed to one consumer, and acknowledged by it.
   *
   * @throws Problem `unexpected-message`, which tells what became of the messages; `malformed-request`
   */
  expectHandledOnce(pattern: MessagePattern): MessageRecord[] {
    const all = this.expect(pattern)
    const wrong = all.filter(({ status, delivered }) => {
      return !(status === 'acknowledged' && delivered === 1) && status !== 'taken'
    })
    if (wrong.length === 0) return all
    throw new Problem(
      'unexpected-message',
      `Each ${describeMessagePattern(pattern)} was to be handled exactly once. ${this.#stories(wrong)}`,
      { messages: wrong.slice(0, TOLD) },
    )
  }

  // What the observer is told ---------------------------------------------------------------------------------

  sent(message: Message, guid: string | undefined): void {
    const { body, contentType, properties } = message.content
    const deliveries: Kept['deliveries'] = new Map()
    const record: Kept['record'] = {
      id: message.id,
      queue: message.queue.name,
      sequence: message.sequence,
      guid: guid === undefined ? null : ownText(guid),
      sentAt: message.publishedAt,
      contentType: contentType ?? null,
      properties: Object.fromEntries(properties),
      deliveries: [],
      delivered: 0,
      acknowledgedAt: null,
      status: 'ready',
      // A copy: what is left of a message must not keep the whole of it.
      ...shownBody({ head: new Uint8Array(body.subarray(0, MOST_BODY)), bytes: body.length }),
    }
    let bytes =
      MESSAGE_COST +
      2 * Math.min(body.length, MOST_BODY) +
      2 * ((guid?.length ?? 0) + (contentType?.length ?? 0))
    for (const [name, value] of properties) bytes += 2 * (name.length + value.length) + 100
    this.#kept.set(message.id, { message, bytes, record, deliveries })
    this.#bytes += bytes
    this.#forget()
    this.#tell(message)
  }

  delivered({ id, message, subscription, deliveredAt }: Delivery): void {
    const kept = this.#kept.get(message.id)
    if (kept === undefined) return
    kept.record.delivered++
    if (kept.deliveries.size < MOST_DELIVERIES) {
      const name = nameOfLease(subscription)
      const to = idOfLease(subscription)
      const bytes = DELIVERY_COST + 2 * (to.length + name.length)
      kept.bytes += bytes
      this.#bytes += bytes
      kept.deliveries.set(id, { id, to, name, at: deliveredAt, endedAt: null, how: null })
    }
    this.#forget()
    this.#tell(message)
  }

  settled(given: Delivery, how: DeliveryEnd): void {
    const { id, message } = given
    const kept = this.#kept.get(message.id)
    if (kept === undefined) return
    const now = this.#clock.now()
    const delivery = kept.deliveries.get(id)
    if (delivery !== undefined) Object.assign(delivery, { endedAt: now, how })
    if (how === 'acknowledged' && !isDuplicate(given)) this.#end(kept, 'acknowledged')
    this.#tell(message)
  }

  taken(message: Message): void {
    const kept = this.#kept.get(message.id)
    if (kept === undefined) return
    kept.record.delivered++
    this.#end(kept, 'taken')
    this.#tell(message)
  }

  lost(queue: Queue): void {
    // Of what was pending only this much is kept, however long the queue was.
    for (const kept of this.#kept.values()) {
      const { message } = kept
      if (message?.queue !== queue) continue
      kept.record.status = 'lost'
      kept.message = undefined
      this.#tell(message)
    }
  }

  /** As at the start. */
  reset(reason: Problem): void {
    this.#kept.clear()
    this.#untold.clear()
    this.#bytes = 0
    this.#start = this.#clock.now()
    for (const { fail } of [...this.#watchers]) fail(reason)
  }

  /** Ends every wait, and each that would begin. */
  close(reason: Problem): void {
    this.#closed = reason
    for (const { fail } of [...this.#watchers]) fail(reason)
  }

  #end(kept: Kept, status: 'acknowledged' | 'taken'): void {
    kept.record.status = status
    kept.record.acknowledgedAt = this.#clock.now()
    kept.message = undefined
  }

  /** The oldest first, as long as there is too much. */
  #forget(): void {
    for (const [id, { bytes }] of this.#kept) {
      if (this.#kept.size <= MOST_MESSAGES && this.#bytes <= MOST_BYTES) return
      this.#kept.delete(id)
      this.#bytes -= bytes
    }
  }

  /** Tells those who wait, when the broker is done: it is in the middle of a command. */
  #tell({ id }: Message): void {
    if (this.#watchers.size === 0) return
    if (this.#untold.size > 0 || this.#toldUntil < performance.now()) this.#untold.add(id)
    else this.#show(id)
  }

  /** One command may change thousands of messages, and a thousand may wait: what is left is told in the next turns. */
  #show(id: string): void {
    const kept = this.#kept.get(id)
    if (kept === undefined) return
    if (this.#toldUntil === Number.POSITIVE_INFINITY) {
      this.#toldUntil = performance.now() + SLICE
      nextTurn(this.#showUntold)
    }
    const record = shown(kept)
    for (const watcher of [...this.#watchers]) showTo(watcher, record)
  }

  readonly #showUntold = () => {
    this.#toldUntil = Number.POSITIVE_INFINITY
    for (const id of this.#untold) {
      if (this.#toldUntil < performance.now()) return
      this.#untold.delete(id)
      this.#show(id)
    }
  }

  #missing(pattern: MessagePattern, what: string, kind: 'missing-message' | 'unexpected-message'): Problem {
    const alike = this.list(identityOf(pattern))
    const told =
      alike.length > 0
        ? this.#stories(alike)
        : this.#kept.size === 0
          ? 'No message was sent at all.'
          : `No message like it was sent. ${this.#stories(this.list().slice(-TOLD))}`
    return new Problem(kind, `${capital(describeMessagePattern(pattern))}: ${what}. ${told}`, {
      messages: alike.slice(0, TOLD),
    })
  }

  #stories(records: readonly MessageRecord[]): string {
    const told = this.stories(records.slice(0, TOLD))
    const more = records.length - told.length
    return [...told, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ')
  }
}

/** A record of now, with where the message is. */
function shown({ message, record, deliveries }: Kept): MessageRecord {
  const status = message === undefined ? record.status : message.holder === undefined ? 'ready' : 'held'
  return { ...record, status, deliveries: [...deliveries.values()].map((each) => ({ ...each })) }
}

function atLeast(count: number): string {
  return count === 1 ? 'one' : `at least ${count}`
}

function capital(text: string): string {
  // A guid keeps its letters.
  return text.startsWith('message') ? `M${text.slice(1)}` : text
}
