import type { Delivery, Message } from '../../broker/entities.js'
import type { BrokerEvent } from '../../broker/events.js'
import { ownText } from '../../broker/storing.js'
import type { Clock } from '../../clock/clock.js'
import type { Problem } from '../../http/problems.js'
import { nextTurn } from '../../platform/next-turn.js'
import { isDuplicate } from '../faults/duplicate-delivery.js'
import { bytesOf, difference, differences, FailedExpectation, fitsAll, nearest } from '../input/question.js'
import { optional, readWhole } from '../input/read.js'
import { readWait, type Waiting, type WaitOptions, Waits } from '../input/waits.js'
import { keyed, shownContent } from '../journal/exchange-record.js'
import type { Journal } from '../journal/journal.js'
import type { MessageNames } from '../journal/scenario.js'
import { idOfLease, nameOfLease } from '../leases/lease-name.js'
import {
  asksIdentity,
  describeMessagePattern,
  type MessagePattern,
  messageQuestions,
  oftenInWords,
  readMessagePattern,
} from './message-pattern.js'
import type { DeliveryRecord, MessageRecord } from './message-record.js'
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
  /** Id of its queue: another one may get the same name. */
  readonly queue: string
  /** What it takes, in bytes, about. */
  bytes: number
  /** Id of the address that it was posted to, if any. */
  readonly address: string | undefined
  /** The message's own. */
  readonly properties: ReadonlyMap<string, string>
  readonly record: { -readonly [K in keyof Omit<MessageRecord, 'properties'>]: MessageRecord[K] } & {
    readonly deliveries: { -readonly [K in keyof DeliveryRecord]: DeliveryRecord[K] }[]
  }
}

/**
 * A fold over what happens in a broker: every message since the start or the last reset, with whom it was handed to and how
 * that ended; the last 10,000, or fewer large ones.
 */
export class MessageLog {
  /** By the id of the message, in the order of their sends. */
  readonly #kept = new Map<string, Kept>()
  #bytes = 0
  readonly waits = new Waits<MessageRecord>()
  /** Of messages that have changed, and of which those who wait are not told yet. */
  readonly #unreported = new Set<string>()
  /** Until when they are told in this turn of the event loop, by `performance.now()`. */
  #toldUntil = Number.POSITIVE_INFINITY
  #start: number
  /** How many bytes it may take. */
  readonly #most: number

  /**
   * @param whyReady why nobody takes a message that is ready, where that can be said: `A's selector … does not pick it`
   * @param room how many bytes it may take, where that is less than its own limit
   */
  constructor(
    private readonly clock: Clock,
    private readonly journal: Journal,
    private readonly whyReady: (record: MessageRecord) => string | undefined,
    room = MOST_BYTES,
  ) {
    this.#most = Math.min(room, MOST_BYTES)
    this.#start = clock.now()
  }

  /** See {@link ServerMessages}. */
  list(pattern?: MessagePattern): MessageRecord[] {
    return [...this.each(pattern)]
  }

  /** The same, but each is shown when it is asked for, as long as it is remembered. */
  each(pattern: MessagePattern = {}): Iterable<MessageRecord> {
    // Nobody is to take an empty list for an answer.
    this.journal.checkRecording()
    const fits = fitsAll(messageQuestions(readMessagePattern({ value: pattern, at: '' })))
    const ids: string[] = []
    for (const record of this.#all()) if (fits(record)) ids.push(record.id)
    return this.#shown(ids)
  }

  /** What became of each that is meant, as a sentence, which is made when it is asked for. */
  *storyOfEach(pattern: MessagePattern): Generator<string, void> {
    for (const record of this.each(pattern)) yield this.story(record)
  }

  *#shown(ids: readonly string[]): Generator<MessageRecord, void> {
    for (const id of ids) {
      const kept = this.#kept.get(id)
      if (kept !== undefined) yield shown(look(kept))
    }
  }

  /** Those that nobody has processed yet. */
  left(): MessageRecord[] {
    return this.list().filter(({ status }) => status === 'ready' || status === 'held')
  }

  *#all(): Generator<MessageRecord, void> {
    for (const kept of this.#kept.values()) yield look(kept)
  }

  /** What became of a message, as a sentence. */
  story(record: MessageRecord): string {
    const why = record.status === 'ready' ? this.whyReady(record) : undefined
    return `${capital(storyOf(record, this.#start))}${why === undefined ? '' : `: ${why}`}.`
  }

  /** The stories of the first few, and how many more there are. */
  told(records: readonly MessageRecord[]): string {
    const told = records.slice(0, TOLD).map((record) => this.story(record))
    const more = records.length - told.length
    return [...told, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ')
  }

  /** What each message is known by in requests, in the order of their sends. */
  names(): MessageNames[] {
    return [...this.#kept.values()].map(({ record: { queue, guid, deliveries }, address }) => {
      return { queue, guid, address, deliveries: deliveries.map(({ id }) => id) }
    })
  }

  /** The guid that a message was sent with, where it is remembered. */
  guidOf({ id }: Message): string | undefined {
    return this.#kept.get(id)?.record.guid ?? undefined
  }

  /** {@link ServerMessages.waitFor}, to be given up. @throws Problem as {@link Journal.waiting} */
  waiting(pattern: MessagePattern, options: WaitOptions): Waiting<MessageRecord> {
    const { timeout, count } = readWait(options)
    this.journal.checkRecording()
    const read = readMessagePattern({ value: pattern, at: 'pattern' })
    const questions = messageQuestions(read)
    const fits = fitsAll(questions)
    // No more are remembered that could fit.
    readWhole({ value: count, at: 'count' }, 1, MOST_MESSAGES)
    // Those that fit now; what happens to one that did can end that.
    const fitting = new Set<string>()
    return this.waits.begin<MessageRecord>(
      timeout,
      this.#all(),
      (record, { found }) => {
        if (!fits(record)) fitting.delete(record.id)
        else if (fitting.add(record.id).size >= count) found(shown(record))
      },
      ({ fail }) => {
        const wanted = `${count === 1 ? 'one' : `at least ${count}`} was to come within ${timeout} ms`
        fail(this.#missing('missing-message', read, wanted, { count, found: fitting.size }))
      },
      bytesOf(questions),
    )
  }

  /** See {@link ServerMessages.expect}. @param count at least one unless given */
  expect(pattern: MessagePattern, count?: number): MessageRecord[] {
    optional({ value: count, at: 'count' }, (wanted) => readWhole(wanted, 0, 1_000_000))
    const read = readMessagePattern({ value: pattern, at: 'pattern' })
    const all = this.list(read)
    if (count === undefined ? all.length > 0 : all.length === count) return all
    const wanted = count === undefined ? 'one was' : count === 1 ? 'just one was' : `just ${count} were`
    const are = all.length === 1 ? 'one is' : `${all.length} are`
    const found = { count: count ?? 1, found: all.length }
    throw this.#missing('unexpected-message', read, `${wanted} to be there, and ${are}`, found)
  }

  /** See {@link ServerMessages.expectHandledOnce}. */
  expectHandledOnce(pattern: MessagePattern): MessageRecord[] {
    const all = this.expect(pattern)
    const wrong = all.filter(({ status, delivered }) => {
      return delivered !== 1 || (status !== 'acknowledged' && status !== 'taken')
    })
    if (wrong.length === 0) return all
    const shortly = (what: (record: MessageRecord) => string) =>
      Object.fromEntries(wrong.slice(0, TOLD).map((record) => [nameOfMessage(record), what(record)]))
    throw new FailedExpectation(
      'unexpected-message',
      `Each ${describeMessagePattern(pattern)} was to be handled exactly once. ${this.told(wrong)}`,
      {
        expected: shortly(({ status }) => `handed out once, ${status === 'taken' ? status : 'acknowledged'}`),
        actual: shortly(({ delivered, status }) => `handed out ${oftenInWords(delivered)}, ${status}`),
      },
      { messages: wrong.slice(0, TOLD) },
    )
  }

  /** What happens in the broker, as it happens. */
  readonly see = (event: BrokerEvent): void => {
    switch (event.kind) {
      case 'sent':
        this.#sent(event.message, event.guid, event.address)
        break
      case 'delivered':
        this.#delivered(event.delivery)
        break
      case 'acknowledged':
      case 'released':
        this.#over(event)
        break
      case 'taken':
        this.#taken(event.message, event.time)
        break
      case 'queue-deleted':
        this.#lost(event.queue.id)
        break
      case 'reset':
        this.#clear()
    }
  }

  #sent(message: Message, given: string | undefined, address?: string): void {
    const { queue, sequence, content, publishedAt } = message
    const { body, contentType, properties } = content
    const id = ownText(message.id)
    const guid = given === undefined ? null : ownText(given)
    const record: Kept['record'] = {
      id,
      queue: queue.name,
      sequence,
      guid,
      sentAt: publishedAt,
      deliveries: [],
      delivered: 0,
      acknowledgedAt: null,
      status: 'ready',
      ...shownContent(content, MOST_BODY),
    }
    let bytes =
      MESSAGE_COST +
      2 * Math.min(body.length, MOST_BODY) +
      2 * ((guid?.length ?? 0) + (contentType?.length ?? 0))
    for (const [name, value] of properties) bytes += 2 * (name.length + value.length) + 100
    const posted = address === undefined ? undefined : ownText(address)
    this.#kept.set(id, { queue: queue.id, bytes, properties, record, address: posted })
    this.#bytes += bytes
    this.#forget()
    this.#tell(id)
  }

  #delivered(delivery: Delivery): void {
    const { id, message, subscription, deliveredAt } = delivery
    this.#change(message.id, (kept) => {
      kept.record.delivered++
      if (!isDuplicate(delivery)) kept.record.status = 'held'
      if (kept.record.deliveries.length >= MOST_DELIVERIES) return
      const name = nameOfLease(subscription)
      const to = idOfLease(subscription)
      const bytes = DELIVERY_COST + 2 * (to.length + name.length)
      kept.bytes += bytes
      this.#bytes += bytes
      kept.record.deliveries.push({ id, to, name, at: deliveredAt, endedAt: null, how: null })
      this.#forget()
    })
  }

  #over(event: BrokerEvent & { readonly kind: 'acknowledged' | 'released' }): void {
    const { delivery, time } = event
    this.#change(delivery.message.id, ({ record }) => {
      const how = event.kind === 'acknowledged' ? event.kind : event.reason
      const known = record.deliveries.findLast(({ id }) => id === delivery.id)
      if (known !== undefined) Object.assign(known, { endedAt: time, how })
      if (isDuplicate(delivery)) return
      if (how === 'acknowledged') end(record, how, time)
      else record.status = 'ready'
    })
  }

  #taken(message: Message, time: number): void {
    this.#change(message.id, ({ record }) => {
      record.delivered++
      if (!isDuplicate({ message })) end(record, 'taken', time)
    })
  }

  /** Of what was pending in a queue only this much is kept, however long it was. */
  #lost(queue: string): void {
    for (const [id, { record, queue: own }] of this.#kept) {
      if (own !== queue || (record.status !== 'ready' && record.status !== 'held')) continue
      record.status = 'lost'
      this.#tell(id)
    }
  }

  #change(id: string, change: (kept: Kept) => void): void {
    const kept = this.#kept.get(id)
    if (kept === undefined) return
    change(kept)
    this.#tell(id)
  }

  #clear(): void {
    this.#kept.clear()
    this.#unreported.clear()
    this.#bytes = 0
    this.#start = this.clock.now()
  }

  /** The oldest first, as long as there is too much. */
  #forget(): void {
    for (const [id, { bytes }] of this.#kept) {
      if (this.#kept.size <= MOST_MESSAGES && this.#bytes <= this.#most) return
      this.#kept.delete(id)
      this.#bytes -= bytes
    }
  }

  #tell(id: string): void {
    if (this.waits.size === 0) return
    if (this.#unreported.size > 0 || this.#toldUntil < performance.now()) this.#unreported.add(id)
    else this.#show(id)
  }

  /** One command may change thousands of messages, and a thousand may wait: what is left is told in the next turns. */
  #show(id: string): void {
    const kept = this.#kept.get(id)
    if (kept === undefined) return
    if (this.#toldUntil === Number.POSITIVE_INFINITY) {
      this.#toldUntil = performance.now() + SLICE
      nextTurn(this.#showUnreported)
    }
    this.waits.show(look(kept))
  }

  readonly #showUnreported = () => {
    this.#toldUntil = Number.POSITIVE_INFINITY
    for (const id of this.#unreported) {
      if (this.#toldUntil < performance.now()) return
      this.#unreported.delete(id)
      this.#show(id)
    }
  }

  /** What became of the messages that were meant, or of those that are most like them, and what was refused. */
  #missing(
    kind: 'missing-message' | 'unexpected-message',
    pattern: MessagePattern,
    what: string,
    { count, found }: { readonly count: number; readonly found: number },
  ): Problem {
    const questions = messageQuestions(pattern)
    const fits = fitsAll(questions)
    const all = [...this.#all()]
    const alike = all.filter(fitsAll(questions.filter(asksIdentity)))
    const others = all.filter((record) => !fits(record))
    const near = nearest(questions, others)
    const told =
      alike.length > 0
        ? this.told(alike)
        : all.length === 0
          ? 'No message was sent at all.'
          : near === undefined
            ? `No message like it was sent. ${this.told(all.slice(-TOLD))}`
            : `No message like it was sent. Nearest is one whose ${differences(questions, near)}: ${this.story(near)}`
    const isTooFew = found < count
    const { expected, actual } = isTooFew ? difference(questions, near) : { expected: {}, actual: {} }
    const gone = isTooFew ? this.journal.gone() : ''
    return new FailedExpectation(
      kind,
      `${capital(describeMessagePattern(pattern))}: ${what}. ${told} ${gone}`.trimEnd(),
      {
        expected: { matching: count, ...(expected as object) },
        actual: { matching: found, ...(actual as object) },
      },
      { messages: alike.slice(0, TOLD).map(shown) },
    )
  }
}

function end(record: Kept['record'], status: 'acknowledged' | 'taken', time: number): void {
  record.status = status
  record.acknowledgedAt = time
}

/** A record of now, to be looked at: its properties become an object only where somebody asks for them. */
function look({ record, properties }: Kept): MessageRecord {
  let made: Record<string, string> | undefined
  return {
    ...record,
    get properties() {
      made ??= keyed(properties)
      return made
    },
    deliveries: record.deliveries.map((each) => ({ ...each })),
  }
}

/** The same as plain data. */
function shown(record: MessageRecord): MessageRecord {
  return { ...record }
}

/** What a failure calls a message. */
function nameOfMessage({ guid, sequence, queue }: MessageRecord): string {
  return guid ?? `message ${sequence} of ${queue}`
}

function capital(text: string): string {
  // A guid keeps its letters.
  return text.startsWith('message') ? `M${text.slice(1)}` : text
}
