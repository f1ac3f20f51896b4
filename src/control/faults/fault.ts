import { LONGEST_SPAN } from '../../clock/spans.js'
import {
  type Given,
  type Readers,
  readMap,
  readMatch,
  readMembers,
  readOneOf,
  readText,
  readWhole,
  wrong,
} from '../input/read.js'
import { TARGET_READERS } from '../input/target.js'
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

const READERS: Readers<ReadFault> = {
  fault: (kind) => readOneOf(kind, FAULT_KINDS),
  scenario: (name) => readOneOf(name, SCENARIO_NAMES),
  ...TARGET_READERS,
  after: (count) => readWhole(count, 0, 1_000_000_000),
  nth: (count) => readWhole(count, 1, 1_000_000_000),
  times: (times) => readWhole(times, 1, 1_000_000_000),
  for: (span) => readWhole(span, 1, LONGEST_SPAN),
  probability: readShare,
  seed: (seed) => readWhole(seed, 0, 2 ** 32 - 1),
  ms: (span) => readWhole(span, 0, LONGEST_SPAN),
  jitter: (span) => readWhole(span, 0, LONGEST_SPAN),
  code: (code) => readWhole(code, 200, 599),
  answer: (answer) =>
    readMembers<FaultAnswer>(answer, {
      headers: (fields) => readMap(fields, readField),
      body: readText,
    }),
}

/** Members that one kind of fault has alone. */
const OWNERS = { ms: 'delay', jitter: 'delay', code: 'status', answer: 'status' } as const

/**
 * Reads a fault, from code or from JSON alike.
 *
 * @throws Problem `malformed-request`
 */
export function readFault(value: unknown): ReadFault {
  const asked = readMembers({ value, at: '' }, READERS)
  const { scenario } = asked
  if (scenario !== undefined && asked.fault !== undefined) wrongAt('fault', 'absent beside a scenario')
  const read = scenario === undefined ? asked : { ...SCENARIOS[scenario], ...asked }
  const fault = readOneOf({ value: read.fault, at: 'fault' }, FAULT_KINDS)
  for (const [name, owner] of Object.entries(OWNERS)) {
    if (name in read && fault !== owner) wrongAt(name, `absent: only the fault ${owner} has it`)
  }
  for (const name of ['after', 'times'] as const) {
    if (read.nth !== undefined && name in read) wrongAt(name, 'absent beside nth, which means one request')
  }
  if (fault === 'delay') READERS.ms({ value: read.ms, at: 'ms' })
  if (fault === 'status') READERS.code({ value: read.code, at: 'code' })
  return { ...read, fault }
}

function wrongAt(at: string, must: string): never {
  return wrong({ value: undefined, at }, must)
}

function readShare(given: Given): number {
  const { value } = given
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : wrong(given, 'a number from 0 to 1')
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
