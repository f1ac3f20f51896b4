import { LONGEST_SPAN } from '../../clock/spans.js'
import {
  type Given,
  optional,
  readMap,
  readMatch,
  readObject,
  readOneOf,
  readText,
  readWhole,
  wrong,
} from '../input/read.js'
import { readTarget, TARGET_MEMBERS } from '../input/target.js'
import { FAULT_KINDS, type FaultAnswer, type FaultKind, type FaultTerms } from './fault-terms.js'
import { SCENARIO_NAMES, SCENARIOS, type ScenarioName } from './scenarios.js'

/**
 * A fault as it is asked for: of a kind, or by the name of a scenario, whose terms hold where no others are given.
 *
 * @example
 * ```ts
 * const lost: FaultSpec = { fault: 'reset-after-commit', method: 'POST', query: { guid: 'order-1' }, times: 1 }
 * const down: FaultSpec = { scenario: 'away', for: 10_000 }
 * ```
 */
export type FaultSpec = FaultTerms &
  (
    | { readonly fault: FaultKind; readonly scenario?: undefined }
    | { readonly scenario: ScenarioName; readonly fault?: undefined }
  )

/**
 * A fault of the list, and what became of it.
 *
 * @example
 * ```ts
 * const fault: Fault = mq.faults.add({ fault: 'delay', ms: 100 })
 * fault.fired    // 0
 * ```
 */
export interface Fault extends FaultTerms {
  /** `f1`, `f2`, …, in the order of their adding since the start or the last reset. */
  readonly id: string
  readonly fault: FaultKind
  /** The scenario that it was asked for by. */
  readonly scenario?: ScenarioName | undefined
  readonly seed: number
  /** When it is over, where it was asked `for` a time; milliseconds since the epoch. */
  readonly endsAt?: number | undefined
  /** How often it has fired. */
  readonly fired: number
}

/** What {@link readFault} makes of a {@link FaultSpec}. */
export interface ReadFault extends FaultTerms {
  readonly fault: FaultKind
  readonly scenario?: ScenarioName | undefined
}

const MEMBERS = [
  'fault',
  'scenario',
  ...TARGET_MEMBERS,
  'after',
  'nth',
  'times',
  'for',
  'probability',
  'seed',
  'ms',
  'jitter',
  'code',
  'answer',
] as const

/**
 * Reads a fault, from code or from JSON alike.
 *
 * @throws Problem `malformed-request`
 */
export function readFault(value: unknown): ReadFault {
  const asked = readObject({ value, at: '' }, MEMBERS)
  const scenario = optional(asked.scenario, (given) => readOneOf(given, SCENARIO_NAMES))
  if (scenario !== undefined && asked.fault.value !== undefined)
    wrong(asked.fault, 'absent beside a scenario')
  const given =
    scenario === undefined
      ? asked
      : readObject(
          { value: { ...SCENARIOS[scenario], ...withoutUndefined(value as object) }, at: '' },
          MEMBERS,
        )
  const fault = readOneOf(given.fault, FAULT_KINDS)
  for (const part of [given.ms, given.jitter]) only(part, fault, 'delay')
  for (const part of [given.code, given.answer]) only(part, fault, 'status')
  if (given.nth.value !== undefined) {
    for (const part of [given.after, given.times]) {
      if (part.value !== undefined) wrong(part, 'absent beside nth, which means one request')
    }
  }
  return withoutUndefined({
    fault,
    scenario,
    ...readTarget(given),
    after: optional(given.after, (count) => readWhole(count, 0, 1_000_000_000)),
    nth: optional(given.nth, (count) => readWhole(count, 1, 1_000_000_000)),
    times: optional(given.times, (times) => readWhole(times, 1, 1_000_000_000)),
    for: optional(given.for, (span) => readWhole(span, 1, LONGEST_SPAN)),
    probability: optional(given.probability, readShare),
    seed: optional(given.seed, (seed) => readWhole(seed, 0, 2 ** 32 - 1)),
    ms: fault === 'delay' ? readWhole(given.ms, 0, LONGEST_SPAN) : undefined,
    jitter: optional(given.jitter, (span) => readWhole(span, 0, LONGEST_SPAN)),
    code: fault === 'status' ? readWhole(given.code, 200, 599) : undefined,
    answer: optional(given.answer, readAnswer),
  })
}

function readShare(given: Given): number {
  const { value } = given
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : wrong(given, 'a number from 0 to 1')
}

function readAnswer(given: Given): FaultAnswer {
  const { headers, body } = readObject(given, ['headers', 'body'])
  return withoutUndefined({
    headers: optional(headers, (fields) => readMap(fields, readField)),
    body: optional(body, readText),
  })
}

function readField(given: Given, name: string): string {
  if (
    !/^[\w!#$%&'*+.^`|~-]+$/.test(name) ||
    /^(content-length|transfer-encoding|connection|trailer|__proto__)$/i.test(name)
  ) {
    wrong(given, 'absent: this field cannot be set')
  }
  return readMatch(given, /^[\t -~]*$/, 'a text of printable ASCII')
}

function only(given: Given, fault: FaultKind, owner: FaultKind): void {
  if (given.value !== undefined && fault !== owner) wrong(given, `absent: only the fault ${owner} has it`)
}

function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
}
