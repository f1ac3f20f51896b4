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
import { TARGET_READERS, type Target } from '../input/target.js'

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
 * - `end-lease`: the lease that the request is about ends, as if its time had run out; then the request is handled.
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
  'end-lease',
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
  /** Header fields, such as `Retry-After`; not those that each answer has of its own: its length, its date, how it is framed. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The body, as text; none where `code` is 204, 205 or 304. */
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
 * The names of {@link SCENARIOS}.
 *
 * @example
 * ```ts
 * SCENARIO_NAMES.includes('away')    // true
 * ```
 */
export const SCENARIO_NAMES = ['away', 'slow', 'losing-answers', 'doubling-deliveries'] as const

/**
 * One of {@link SCENARIO_NAMES}.
 *
 * @example
 * ```ts
 * const scenario: ScenarioName = 'slow'
 * mq.faults.add({ scenario, for: 10_000 })
 * ```
 */
export type ScenarioName = (typeof SCENARIO_NAMES)[number]

/**
 * What brokers do to their clients, each as one fault by a name of its own. Whatever is given beside the name goes
 * first: `{ scenario: 'away', for: 60_000, path: '/queues/**' }`.
 *
 * - `away`: for ten seconds every connection is reset, and nothing is handled.
 * - `slow`: every request is handled half a second to two seconds late.
 * - `losing-answers`: of three answers one is lost on its way.
 * - `doubling-deliveries`: of three messages that are handed out one is handed out twice.
 *
 * @example
 * ```ts
 * SCENARIOS.away.fault    // 'reset-before'
 * ```
 */
export const SCENARIOS: Readonly<Record<ScenarioName, FaultTerms & { readonly fault: FaultKind }>> = {
  away: { fault: 'reset-before', for: 10_000 },
  slow: { fault: 'delay', ms: 500, jitter: 1500 },
  'losing-answers': { fault: 'reset-after-commit', probability: 1 / 3 },
  'doubling-deliveries': { fault: 'duplicate-delivery', probability: 1 / 3 },
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
export type ReadFault = FaultTerms & Pick<Fault, 'fault' | 'scenario'>

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

/** Status codes whose answers never have a body (RFC 9110). */
const BODILESS = new Set([204, 205, 304])

/** Members that one kind of fault has alone. */
const OWNERS = { ms: 'delay', jitter: 'delay', code: 'status', answer: 'status' } as const

/** Reads a fault, from code or from JSON alike. @throws Problem `malformed-request` */
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
  if (fault === 'status') {
    const code = READERS.code({ value: read.code, at: 'code' })
    if (BODILESS.has(code) && read.answer?.body)
      wrongAt('answer.body', `absent: HTTP has no body with ${code}`)
  }
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
    /^(content-length|transfer-encoding|connection|trailer|date|x-content-type-options|__proto__)$/i.test(
      name,
    )
  ) {
    wrong(given, 'absent: this field cannot be set')
  }
  return readMatch(given, /^[\t -~]*$/, 'a text of printable ASCII')
}
