import { given } from '../../broker/limits.js'
import { Problem } from '../../http/problems.js'
import type { EventBus } from '../event-bus.js'
import {
  bytesOf,
  difference,
  differences,
  FailedExpectation,
  fitsAll,
  nearest,
  type Question,
} from '../input/question.js'
import { readWhole } from '../input/read.js'
import type { Target } from '../input/target.js'
import { readWait, type Waiting, type WaitOptions, Waits } from '../input/waits.js'
import {
  type ExchangeRecord,
  type JournalEntry,
  recordExchange,
  SENDER_NAME,
  type Seen,
  shownBody,
  shownExchange,
} from './exchange-record.js'
import { describePattern, exchangeQuestions, type JournalPattern, readPattern } from './journal-pattern.js'
import type { Recorded } from './scenario.js'

/**
 * How much a journal remembers; what is over it is forgotten, the oldest first.
 *
 * @example
 * ```ts
 * const journal: Partial<JournalLimits> = { entries: 10_000 }
 * ```
 */
export interface JournalLimits {
  /** Exchanges. */
  entries: number
  /** Bytes in all. */
  bytes: number
  /** Bytes of each body. */
  body: number
}

/**
 * What holds unless it is told otherwise.
 *
 * @example
 * ```ts
 * DEFAULT_JOURNAL_LIMITS.entries    // 1000
 * ```
 */
export const DEFAULT_JOURNAL_LIMITS: Readonly<JournalLimits> = {
  entries: 1000,
  bytes: 8 * 1024 * 1024,
  body: 64 * 1024,
}

/** How many exchanges an error tells of. */
const TOLD = 10

/**
 * What was asked and what was answered, in the order in which the exchanges were over. The extras of the mock
 * broker themselves are not in it, nor what the edge refuses before it is a request: bad framing, a wrong
 * Host, a body over the limit.
 */
export class Journal {
  readonly recording: boolean
  /** Counts resets: what began before one does not belong into the journal after it. */
  epoch = 0
  readonly #limits: Readonly<JournalLimits>
  readonly #events: EventBus
  readonly waits = new Waits<ExchangeRecord>()
  #records: ExchangeRecord[] = []
  #bytes = 0
  #recorded = 0
  /** Numbers of those that somebody asked for by their status. */
  readonly #expected = new Set<number>()

  /** Leases that the test ended, and behind which exchange. */
  #ended: Recorded['ended'][number][] = []

  /** @param room how many bytes it may take where `options` do not tell */
  constructor(
    options: boolean | Partial<JournalLimits>,
    events: EventBus,
    room: number = DEFAULT_JOURNAL_LIMITS.bytes,
  ) {
    this.recording = options !== false
    const bytes = Math.min(room, DEFAULT_JOURNAL_LIMITS.bytes)
    this.#limits = { ...DEFAULT_JOURNAL_LIMITS, bytes, ...(typeof options === 'object' && given(options)) }
    this.#events = events
  }

  /** Number of the last exchange; 0 before the first. */
  get last(): number {
    return this.#recorded
  }

  /** How many exchanges were forgotten, to keep the limits or because it was cleared. */
  get forgotten(): number {
    return this.#recorded - this.#records.length
  }

  /** Remembers an exchange that is over. */
  record(seen: Seen): void {
    const record = recordExchange(++this.#recorded, seen, this.#limits.body)
    this.#records.push(record)
    this.#bytes += record.cost
    while (this.#records.length > this.#limits.entries || this.#bytes > this.#limits.bytes) {
      this.#bytes -= (this.#records.shift() as ExchangeRecord).cost
    }
    this.waits.show(record)
    if (this.#events.size > 0) this.#events.publish('exchange', shownExchange(record), record.number)
  }

  /** See {@link ServerJournal.entries}. @throws Problem `missing-exchange` when nothing is recorded here */
  entries(pattern?: JournalPattern, after?: number): JournalEntry[] {
    return [...this.each(pattern, after)]
  }

  /** The same, but each is shown when it is asked for, as long as it is remembered. */
  each(pattern: JournalPattern = {}, after = 0): Iterable<JournalEntry> {
    const fits = fitsAll(this.#read(pattern))
    const last = readWhole({ value: after, at: 'after' }, 0, Number.MAX_SAFE_INTEGER)
    const fitting = this.#records.filter((record) => record.number > last && fits(record))
    return this.#shown(fitting.map(({ number }) => number))
  }

  *#shown(numbers: readonly number[]): Generator<JournalEntry, void> {
    const { epoch } = this
    for (const number of numbers) {
      const record = this.#records[number - (this.#records[0]?.number ?? 0)]
      if (record?.number === number && this.epoch === epoch) yield shownExchange(record)
    }
  }

  /** The next exchange that is remembered; undefined where none has come since. */
  next(after: number): JournalEntry | undefined {
    const [first] = this.#records
    const record = first && this.#records[Math.max(0, after + 1 - first.number)]
    return record && shownExchange(record)
  }

  /** What a scenario is made from, beside the messages. @throws Problem `missing-exchange` when nothing is recorded here */
  recorded(): Pick<Recorded, 'exchanges' | 'ended'> {
    this.checkRecording()
    return { exchanges: this.#records, ended: this.#ended }
  }

  noteEnd(lease: string, at: number): void {
    this.#ended.push({ lease, at, after: this.#recorded })
    if (this.#ended.length > this.#limits.entries) this.#ended.shift()
  }

  /** Forgets every exchange. The numbers go on, and whoever waits goes on waiting. */
  clear(): void {
    this.#records = []
    this.#ended = []
    this.#bytes = 0
    this.#events.publish('clear', {})
  }

  /**
   * {@link ServerJournal.waitFor}, to be given up.
   *
   * @returns `found` rejects also with `shutting-down` and `reset-meanwhile`
   * @throws Problem `malformed-request`; `missing-exchange` when nothing is recorded here
   */
  waiting(pattern: JournalPattern, options: WaitOptions): Waiting<JournalEntry> {
    const { timeout, count } = readWait(options)
    const questions = this.#read(pattern)
    const fits = fitsAll(questions)
    let seen = 0
    return this.waits.begin<JournalEntry>(
      timeout,
      this.#records,
      (record, { found }) => {
        if (!fits(record)) return
        if (pattern.status !== undefined) this.#expect(record.number)
        if (++seen >= count) found(shownExchange(record))
      },
      ({ fail }) => fail(this.#missing(pattern, questions, timeout, count, seen)),
      bytesOf(questions),
    )
  }

  /** {@link ServerJournal.expectNone}, to be given up. */
  absence(pattern: JournalPattern, options: Pick<WaitOptions, 'timeout'>): Waiting<void> {
    const { timeout } = readWait(options, 0)
    const questions = this.#read(pattern)
    const fits = fitsAll(questions)
    return this.waits.begin<void>(
      timeout,
      this.#records,
      (record, { fail }) => fits(record) && fail(unwanted(pattern, questions, record)),
      ({ found }) => found(),
      bytesOf(questions),
    )
  }

  /**
   * Requests that the server itself refused, and that nobody has waited for by their status. What came too late for a lease or
   * an address (410) is not among them: that is the business of the rules for clients.
   *
   * @param expected patterns of those that were to be refused
   */
  refused(expected: readonly JournalPattern[] = []): ExchangeRecord[] {
    const known = expected.map((pattern) => fitsAll(this.#read(pattern)))
    return this.#records.filter((record) => {
      const { response: { status } = { status: 0 }, faults, number, principal } = record
      if (status < 400 || status === 410 || principal === SENDER_NAME || this.#expected.has(number))
        return false
      return !faults.some(({ fault }) => fault === 'status') && !known.some((fits) => fits(record))
    })
  }

  /** What was refused, or never handled, as a sentence; empty where all went well. */
  gone(): string {
    const all = this.#records
      .filter(({ response }) => response === undefined || response.status >= 400)
      .map(toldExchange)
    return all.length === 0 ? '' : `What was refused: ${all.slice(-TOLD).join('; ')}.`
  }

  /** The exchange that is most like what a target asks for, and what differs, as a sentence; empty where there is none. */
  nearestTo(target: Target): string {
    return this.#nearest(exchangeQuestions({ ...target, status: undefined, fault: undefined }))
  }

  #nearest(questions: readonly Question<ExchangeRecord>[], records = this.#records): string {
    const near = nearest(questions, records)
    if (near === undefined) return ''
    const differing = differences(questions, near)
    return `Nearest is ${toldExchange(near)}${differing === '' ? ', which came before' : `: ${differing}`}.`
  }

  #read(pattern: JournalPattern): Question<ExchangeRecord>[] {
    this.checkRecording()
    return exchangeQuestions(readPattern({ value: pattern, at: 'pattern' }))
  }

  #expect(number: number): void {
    this.#expected.add(number)
    // What is forgotten itself needs no mark.
    const [oldest] = this.#expected
    if (this.#expected.size > this.#limits.entries) this.#expected.delete(oldest as number)
  }

  reset(): void {
    this.#records = []
    this.#bytes = 0
    this.#recorded = 0
    this.#expected.clear()
    this.#ended = []
    this.epoch++
  }

  #missing(
    pattern: JournalPattern,
    questions: readonly Question<ExchangeRecord>[],
    timeout: number,
    count: number,
    seen: number,
  ): Problem {
    const came = this.#records.slice(-TOLD).map(toldExchange)
    const wanted = count === 1 ? 'No exchange' : `Only ${seen} of ${count} exchanges`
    const others = this.#records.filter((record) => !fitsAll(questions)(record))
    const { expected, actual } = difference(questions, nearest(questions, others))
    return new FailedExpectation(
      'missing-exchange',
      [
        `${wanted} like ${describePattern(pattern)} came within ${timeout} ms.`,
        this.#nearest(questions, others),
        came.length === 0 ? 'Nothing came at all.' : `What came last: ${came.join('; ')}.`,
      ]
        .filter((sentence) => sentence !== '')
        .join(' '),
      count === 1 ? { expected, actual } : { expected: { count }, actual: { count: seen } },
      { came },
    )
  }

  /** @throws Problem `missing-exchange` when nothing is recorded here */
  checkRecording(): void {
    if (this.recording) return
    throw new Problem(
      'missing-exchange',
      'This server keeps no journal; start it with control: true, or with journal: true.',
    )
  }
}

function unwanted(
  pattern: JournalPattern,
  questions: readonly Question<ExchangeRecord>[],
  record: ExchangeRecord,
): Problem {
  return new FailedExpectation(
    'unexpected-exchange',
    `Nothing like ${describePattern(pattern)} was to come: ${toldExchange(record)}.`,
    { expected: null, actual: difference(questions, record).actual },
    { entry: shownExchange(record) },
  )
}

/** An exchange in short, with what the server said where it refused it: `#2 DELETE /queues/order 404 (There is no …)`. */
export function toldExchange(record: ExchangeRecord): string {
  const { number, method, query, response, faults } = record
  const fired = faults.map(({ fault }) => `, ${fault}`).join('')
  const path = query === '' ? record.path : `${record.path}?${query}`
  const detail = detailOf(record)
  const said = detail === undefined ? '' : ` (${detail.replace(/\.$/, '')})`
  return `#${number} ${method} ${path}${response === undefined ? ' was never handled' : ` ${response.status}`}${said}${fired}`
}

/** What a problem document says. */
function detailOf({ response }: ExchangeRecord): string | undefined {
  if (response === undefined || response.status < 400) return undefined
  try {
    const { detail } = JSON.parse(shownBody(response).body ?? '') as { detail?: unknown }
    return typeof detail === 'string' ? detail : undefined
  } catch {
    return undefined
  }
}
