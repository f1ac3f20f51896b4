import { FAULT_KINDS, type FaultKind } from '../faults/fault.js'
import { factQuestion, type Question } from '../input/question.js'
import { type Given, type Readers, readMembers, readOneOf, readWhole } from '../input/read.js'
import { describeTarget, TARGET_READERS, type Target, targetQuestions } from '../input/target.js'
import { valuesQuestion } from '../input/text-pattern.js'
import { type ExchangeRecord, targetedOf } from './exchange-record.js'

/**
 * Which exchanges are meant: all that fit everything that is given.
 *
 * @example
 * ```ts
 * const sends: JournalPattern = { method: 'POST', path: '/queues/**', query: { guid: 'order-1' }, status: 200 }
 * ```
 */
export interface JournalPattern extends Target {
  /** The status of the answer. */
  readonly status?: number | undefined
  /** A fault that fired at it. */
  readonly fault?: FaultKind | undefined
}

const READERS: Readers<JournalPattern> = {
  ...TARGET_READERS,
  status: (code) => readWhole(code, 100, 599),
  fault: (kind) => readOneOf(kind, FAULT_KINDS),
}

/** Reads a pattern, from code or from JSON alike. */
export function readPattern(whole: Given): JournalPattern {
  return readMembers(whole, READERS)
}

/** The questions that a pattern asks. */
export function exchangeQuestions(pattern: JournalPattern): Question<ExchangeRecord>[] {
  const { status, fault, ...target } = pattern
  const ofTarget = targetQuestions(target).map(
    ({ fits, seen, ...question }): Question<ExchangeRecord> => ({
      ...question,
      fits: (record) => fits(targetedOf(record)),
      seen: (record) => seen(targetedOf(record)),
    }),
  )
  const statusOf = ({ response }: ExchangeRecord) => response?.status
  const faultsOf = ({ faults }: ExchangeRecord) => faults.map((fired) => fired.fault)
  return [
    ...ofTarget,
    ...factQuestion('status', status, `status ${status}`, statusOf),
    ...valuesQuestion('fault', fault, `fault ${fault}`, faultsOf),
  ]
}

/** A pattern as a person would say it: `POST /queues/**, status 200`. */
export function describePattern(pattern: JournalPattern): string {
  return describeTarget(pattern, exchangeQuestions(pattern))
}
