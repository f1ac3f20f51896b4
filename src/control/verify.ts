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
const MOST_PATTERNS = 100

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
  const found = {
    faultsThatNeverFired: faults
      .list()
      .filter(({ fired }) => fired === 0)
      .flatMap((fault) => toldFault({ faults, journal }, fault)),
    refusedRequests: journal
      .refused(Array.isArray(read.refused) ? read.refused : [])
      .map((record) => `${toldExchange(record)}: nobody expected that it would be refused.`),
    messagesLeft: messages.stories(messages.left()),
    clientViolations: judge(typeof read.client === 'object' ? read.client : {}).violations.map(
      ({ rule, what, exchanges }) => {
        const numbers = exchanges.map(({ number }) => `#${number}`).join(', ')
        return `${rule}: ${what}${numbers === '' ? '' : ` (${numbers})`}`
      },
    ),
  }
  if (read.faults === false) found.faultsThatNeverFired = []
  if (read.refused === false) found.refusedRequests = []
  if (read.messages === false) found.messagesLeft = []
  if (read.client === false) found.clientViolations = []
  const kinds = Object.entries(found).filter(([, sentences]) => sentences.length > 0)
  const all = kinds.flatMap(([, sentences]) => sentences)
  if (all.length === 0) return
  const lines = kinds.flatMap(([, sentences]) => [
    ...sentences.slice(0, MOST_TOLD).map((sentence) => `- ${sentence}`),
    ...(sentences.length > MOST_TOLD ? [`- … and ${sentences.length - MOST_TOLD} more like these.`] : []),
  ])
  const count =
    all.length === 1 ? 'One thing is not as it should be' : `${all.length} things are not as they should be`
  throw new FailedExpectation('unverified', `${count}:\n${lines.join('\n')}`, {
    expected: Object.fromEntries(kinds.map(([kind]) => [kind, 0])),
    actual: Object.fromEntries(kinds.map(([kind, sentences]) => [kind, sentences.length])),
  })
}

/** Why a fault has never fired; nothing where it might have, and by chance did not. */
function toldFault({ faults, journal }: Pick<Verified, 'faults' | 'journal'>, fault: Fault): string[] {
  const seen = faults.seenBy(fault.id)
  if (fault.probability !== undefined && seen > 0) return []
  const name = `The fault ${fault.id}, ${fault.fault} at ${describeTarget(fault)}, never fired`
  if (seen > 0) {
    return [`${name}, although it is for ${seen === 1 ? 'one request' : `${seen} requests`} that came.`]
  }
  return [`${name}: no request was like it. ${journal.nearestTo(fault)}`.trimEnd()]
}
