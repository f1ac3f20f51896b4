import { type ClientReport, type JudgeOptions, readJudgeOptions } from './client/rules.js'
import type { Fault } from './faults/fault.js'
import type { Faults } from './faults/faults.js'
import { FailedExpectation } from './input/question.js'
import { type Given, type Readers, readList, readMembers, readSwitch, wrong } from './input/read.js'
import { describeTarget } from './input/target.js'
import { type Journal, toldExchange } from './journal/journal.js'
import { type JournalPattern, readPattern } from './journal/journal-pattern.js'
import type { MessageLog } from './messages/message-log.js'

/**
 * What {@link ServerExtras.verify} looks at: all of it unless told otherwise.
 *
 * @example
 * ```ts
 * const producersOnly: VerifyOptions = { messages: false, refused: [{ path: '/queues/orders', status: 404 }] }
 * ```
 */
export interface VerifyOptions {
  /** Whether each fault in the list must have fired. */
  readonly faults?: boolean | undefined
  /** Whether no request may be refused but those that somebody waited for by their status; or which others may. */
  readonly refused?: boolean | readonly JournalPattern[] | undefined
  /** Whether each message must be acknowledged, or taken. */
  readonly messages?: boolean | undefined
  /** Whether the rules for clients must be kept; or which of them need not. */
  readonly client?: boolean | JudgeOptions | undefined
  /** For `strict`: is told what is not right, at a reset and at the end, which do not reject then. */
  readonly report?: ((failure: FailedExpectation) => void) | undefined
}

/** What is looked at. */
export interface Verified {
  readonly journal: Journal
  readonly faults: Faults
  readonly messages: MessageLog
  readonly judge: (options: JudgeOptions) => ClientReport
}

/** How many patterns of refused requests are looked for: each may ask about many names. */
const MOST_PATTERNS = 20

/** How many findings of one kind are told. */
const MOST_TOLD = 5

const READERS: Readers<VerifyOptions> = {
  faults: readSwitch,
  refused: (given) => {
    if (!Array.isArray(given.value)) return readSwitch(given)
    if (given.value.length > MOST_PATTERNS) wrong(given, `a list of at most ${MOST_PATTERNS} patterns`)
    return Array.from(readList(given), readPattern)
  },
  messages: readSwitch,
  client: (given) => {
    if (typeof given.value === 'boolean') return given.value
    readJudgeOptions(given.value)
    return given.value as JudgeOptions
  },
  report: (given) =>
    typeof given.value === 'function' ? (given.value as never) : wrong(given, 'a function'),
}

/** @throws Problem `malformed-request` */
export function readVerifyOptions(whole: Given): VerifyOptions {
  return readMembers(whole, READERS)
}

/**
 * Sees that nothing is left to say against a test: see {@link VerifyOptions}.
 *
 * @throws FailedExpectation `unverified`, whose message tells all of it as one story; Problem `malformed-request`
 */
export function verify({ judge, journal, faults, messages }: Verified, options: VerifyOptions): void {
  journal.checkRecording()
  const read = readVerifyOptions({ value: options, at: '' })
  const found: Readonly<Record<string, Finding>> = {
    faultsThatNeverFired: finding(
      read.faults === false ? [] : faults.list().filter((fault) => shouldHaveFired(faults, fault)),
      (fault) => toldFault({ faults, journal }, fault),
    ),
    refusedRequests: finding(
      read.refused === false ? [] : journal.refused(Array.isArray(read.refused) ? read.refused : []),
      (record) => `${toldExchange(record)}: nobody expected that it would be refused.`,
    ),
    messagesLeft: finding(read.messages === false ? [] : messages.left(), (record) => messages.story(record)),
    clientViolations: finding(
      read.client === false ? [] : judge(typeof read.client === 'object' ? read.client : {}).violations,
      ({ rule, what, exchanges }) => {
        const numbers = exchanges.map(({ number }) => `#${number}`).join(', ')
        return `${rule}: ${what}${numbers === '' ? '' : ` (${numbers})`}`
      },
    ),
  }
  const kinds = Object.entries(found).filter(([, { count }]) => count > 0)
  const all = kinds.reduce((sum, [, { count }]) => sum + count, 0)
  if (all === 0) return
  const lines = kinds.flatMap(([, { count, told }]) => [
    ...told.map((sentence) => `- ${sentence}`),
    ...(count > told.length ? [`- … and ${count - told.length} more like these.`] : []),
  ])
  const things = all === 1 ? 'One thing is not as it should be' : `${all} things are not as they should be`
  throw new FailedExpectation('unverified', `${things}:\n${lines.join('\n')}`, {
    expected: Object.fromEntries(kinds.map(([kind]) => [kind, 0])),
    actual: Object.fromEntries(kinds.map(([kind, { count }]) => [kind, count])),
  })
}

/** What is not as it should be, of one kind: how much of it, and sentences of the first. */
interface Finding {
  readonly count: number
  readonly told: readonly string[]
}

/** A sentence may take long to make: there is none of what is not told. */
function finding<T>(all: readonly T[], tell: (one: T) => string): Finding {
  return { count: all.length, told: all.slice(0, MOST_TOLD).map(tell) }
}

/** Whether a fault has never fired, and not by chance alone. */
function shouldHaveFired(faults: Faults, { id, fired, probability }: Fault): boolean {
  return fired === 0 && (probability === undefined || faults.seenBy(id) === 0)
}

/** Why a fault has never fired. */
function toldFault({ faults, journal }: Pick<Verified, 'faults' | 'journal'>, fault: Fault): string {
  const seen = faults.seenBy(fault.id)
  const name = `The fault ${fault.id}, ${fault.fault} at ${describeTarget(fault)}, never fired`
  if (seen > 0) {
    return `${name}, although it is for ${seen === 1 ? 'one request' : `${seen} requests`} that came.`
  }
  return `${name}: no request was like it. ${journal.nearestTo(fault)}`.trimEnd()
}
