import { LONGEST_SPAN } from '../../clock/spans.js'
import { type Given, optional, readObject, readText, readWhole, wrong } from '../input/read.js'
import { readTarget, TARGET_MEMBERS, type Target } from '../input/target.js'
import { SCENARIO_NAMES, SCENARIOS, type ScenarioName } from './scenarios.js'

/**
 * What can be made to go wrong:
 *
 * - `delay`: the request is handled `ms` milliseconds later, and up to `jitter` more, by the server's clock. A client
 *   that goes away meanwhile has not asked.
 * - `status`: it is answered with `code` and is not handled.
 * - `reset-before`: the connection is reset, and the request is not handled.
 * - `reset-after-commit`: the request is handled, then the connection is reset: the answer is lost.
 * - `truncate`: the request is handled; of the answer comes the head, with the whole `Content-Length`, and half of
 *   the body.
 * - `duplicate-delivery`: the next message that a consumer is handed in the course of the request is handed to a
 *   second consumer too: to one with room for it, or, in the alternative mappings, to the next one that asks.
 *
 * @example
 * ```ts
 * FAULT_KINDS.includes('reset-after-commit')    // true
 * ```
 */
export const FAULT_KINDS = [
  'delay',
  'status',
  'reset-before',
  'reset-after-commit',
  'truncate',
  'duplicate-delivery',
] as const

/**
 * One of {@link FAULT_KINDS}.
 *
 * @example
 * ```ts
 * const kind: FaultKind = 'truncate'
 * ```
 */
export type FaultKind = (typeof FAULT_KINDS)[number]

/**
 * What is answered in place of the server, beside the status code.
 *
 * @example
 * ```ts
 * const answer: FaultAnswer = { headers: { 'Retry-After': '1' }, body: 'later' }
 * mq.faults.add({ fault: 'status', code: 503, answer })
 * ```
 */
export interface FaultAnswer {
  /** Header fields, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The body, as text. */
  readonly body?: string | undefined
}

/**
 * When a fault fires, what it does, and to which requests: the members of {@link Target} say to which.
 *
 * @example
 * ```ts
 * const terms: FaultTerms = { method: 'POST', path: '/queues/**', nth: 2 }
 * mq.faults.add({ ...terms, fault: 'reset-before' })
 * ```
 */
export interface FaultTerms extends Target {
  /** How many of the requests that fit are left alone first; 0 unless given. */
  readonly after?: number | undefined
  /** Fires at the request of this number alone, of those that fit, from 1. */
  readonly nth?: number | undefined
  /** How often it fires before it is spent; without end unless given. */
  readonly times?: number | undefined
  /** For how many milliseconds from its adding, by the server's clock; without end unless given. */
  readonly for?: number | undefined
  /** Fires at this share of the requests that fit, from 0 to 1; at each unless given. */
  readonly probability?: number | undefined
  /** Which of them: the same seed means the same ones. The number of the fault unless given. */
  readonly seed?: number | undefined
  /** For `delay`, which needs it: how long, in milliseconds. */
  readonly ms?: number | undefined
  /** For `delay`: how much longer at most, by chance and by the seed, in milliseconds. */
  readonly jitter?: number | undefined
  /** For `status`, which needs it: the status code of the answer, from 200 to 599. */
  readonly code?: number | undefined
  /** For `status`: what else the answer has. */
  readonly answer?: FaultAnswer | undefined
}

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

function readOneOf<T extends string>(given: Given, names: readonly T[]): T {
  return names.find((name) => name === given.value) ?? wrong(given, `one of ${names.join(', ')}`)
}

function readShare(given: Given): number {
  const { value } = given
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : wrong(given, 'a number from 0 to 1')
}

function readAnswer(given: Given): FaultAnswer {
  const { headers, body } = readObject(given, ['headers', 'body'])
  return withoutUndefined({ headers: optional(headers, readFields), body: optional(body, readText) })
}

function readFields(given: Given): Record<string, string> {
  const { value } = given
  const fields = readObject(given, typeof value === 'object' && value !== null ? Object.keys(value) : [])
  for (const [name, field] of Object.entries(fields)) {
    if (
      !/^[\w!#$%&'*+.^`|~-]+$/.test(name) ||
      /^(content-length|transfer-encoding|connection|trailer|__proto__)$/i.test(name)
    ) {
      wrong(field, 'absent: this field cannot be set')
    }
    if (!/^[\t -~]*$/.test(readText(field))) wrong(field, 'a text of printable ASCII')
  }
  return { ...(value as Record<string, string>) }
}

function only(given: Given, fault: FaultKind, owner: FaultKind): void {
  if (given.value !== undefined && fault !== owner) wrong(given, `absent: only the fault ${owner} has it`)
}

function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
}
