import { FAULT_KINDS, type FaultKind } from '../faults/fault.js'
import { type Given, optional, readObject, readWhole, wrong } from '../input/read.js'
import { compileTarget, readMethod, readPath, type Target } from '../input/target.js'
import type { ExchangeRecord } from './exchange-record.js'

/** Which exchanges are meant: all that fit everything that is given. */
export interface JournalPattern extends Target {
  /** The status of the answer. */
  readonly status?: number | undefined
  /** A fault that fired at it. */
  readonly fault?: FaultKind | undefined
}

/**
 * Reads a pattern, from code or from JSON alike.
 *
 * @throws Problem `malformed-request`
 */
export function readPattern(given: Given): JournalPattern {
  const { method, path, status, fault } = readObject(given, ['method', 'path', 'status', 'fault'])
  return {
    method: readMethod(method),
    path: readPath(path),
    status: optional(status, (code) => readWhole(code, 100, 599)),
    fault: optional(
      fault,
      (kind) =>
        FAULT_KINDS.find((known) => known === kind.value) ?? wrong(kind, `one of ${FAULT_KINDS.join(', ')}`),
    ),
  }
}

export function compilePattern(pattern: JournalPattern): (record: ExchangeRecord) => boolean {
  const fitsTarget = compileTarget(pattern)
  const { status, fault } = pattern
  return (record) =>
    fitsTarget(record.target) &&
    (status === undefined || record.status === status) &&
    (fault === undefined || record.faults.some((fired) => fired.fault === fault))
}

/** A pattern as a person would say it: `POST /queues/**, status 200`. */
export function describePattern({ method = '*', path = '/**', status, fault }: JournalPattern): string {
  const more = [status && `status ${status}`, fault && `fault ${fault}`].filter(Boolean)
  return [`${method} ${path}`, ...more].join(', ')
}
