import { type Given, optional, readObject, readText, readWhole, wrong } from '../input/read.js'
import { readMethod, readPath, type Target } from '../input/target.js'

/**
 * What can be made to go wrong:
 *
 * - `delay`: the request is handled `ms` milliseconds later, by the server's clock. A client that goes away
 *   meanwhile has not asked.
 * - `status`: it is answered with `code` and is not handled.
 * - `reset-before`: the connection is reset, and the request is not handled.
 * - `reset-after-commit`: the request is handled, then the connection is reset: the answer is lost.
 * - `truncate`: the request is handled; of the answer comes the head, with the whole `Content-Length`, and half of
 *   the body.
 * - `duplicate-delivery`: the next message that a consumer is handed in the course of the request is handed to a
 *   second consumer too, who must be there and have room.
 */
export const FAULT_KINDS = [
  'delay',
  'status',
  'reset-before',
  'reset-after-commit',
  'truncate',
  'duplicate-delivery',
] as const

export type FaultKind = (typeof FAULT_KINDS)[number]

/** A fault as it is asked for. */
export interface FaultSpec extends Target {
  readonly fault: FaultKind
  /** How often it fires before it is spent; without end unless given. */
  readonly times?: number | undefined
  /** Fires at this share of the requests that fit, from 0 to 1; at each unless given. */
  readonly probability?: number | undefined
  /** Which of them: the same seed means the same ones. The number of the fault unless given. */
  readonly seed?: number | undefined
  /** For `delay`, which needs it: how long, in milliseconds. */
  readonly ms?: number | undefined
  /** For `status`, which needs it: the status code of the answer, from 200 to 599. */
  readonly code?: number | undefined
  /** For `status`: the body of the answer. */
  readonly body?: string | undefined
  /** For `status`: header fields of the answer, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A fault of the list, and what became of it. */
export interface Fault extends FaultSpec {
  /** `f1`, `f2`, …, in the order of their adding since the start or the last reset. */
  readonly id: string
  readonly seed: number
  /** How often it has fired. */
  readonly fired: number
}

const LONGEST_DELAY = 365 * 24 * 3600 * 1000

/**
 * Reads a fault, from code or from JSON alike.
 *
 * @throws Problem `malformed-request`
 */
export function readFault(value: unknown): FaultSpec {
  const given = readObject({ value, at: '' }, [
    'fault',
    'method',
    'path',
    'times',
    'probability',
    'seed',
    'ms',
    'code',
    'body',
    'headers',
  ])
  const fault = readKind(given.fault)
  only(given.ms, fault, 'delay')
  for (const part of [given.code, given.body, given.headers]) only(part, fault, 'status')
  return withoutUndefined({
    fault,
    method: readMethod(given.method),
    path: readPath(given.path),
    times: optional(given.times, (times) => readWhole(times, 1, 1_000_000_000)),
    probability: optional(given.probability, readShare),
    seed: optional(given.seed, (seed) => readWhole(seed, 0, 2 ** 32 - 1)),
    ms: fault === 'delay' ? readWhole(given.ms, 0, LONGEST_DELAY) : undefined,
    code: fault === 'status' ? readWhole(given.code, 200, 599) : undefined,
    body: optional(given.body, readText),
    headers: optional(given.headers, readFields),
  })
}

function readKind(given: Given): FaultKind {
  return FAULT_KINDS.find((kind) => kind === given.value) ?? wrong(given, `one of ${FAULT_KINDS.join(', ')}`)
}

function readShare(given: Given): number {
  const { value } = given
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : wrong(given, 'a number from 0 to 1')
}

function readFields(given: Given): Record<string, string> {
  const fields: Record<string, string> = {}
  const { value } = given
  for (const [name, field] of Object.entries(
    readObject(given, typeof value === 'object' && value !== null ? Object.keys(value) : []),
  )) {
    if (
      !/^[\w!#$%&'*+.^`|~-]+$/.test(name) ||
      /^(content-length|transfer-encoding|connection|trailer)$/i.test(name)
    ) {
      wrong(field, 'absent: this field cannot be set')
    }
    const text = readText(field)
    if (!/^[\t -~]*$/.test(text)) wrong(field, 'a text of printable ASCII')
    fields[name] = text
  }
  return fields
}

function only(given: Given, fault: FaultKind, owner: FaultKind): void {
  if (given.value !== undefined && fault !== owner) wrong(given, `absent: only the fault ${owner} has it`)
}

function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
}
