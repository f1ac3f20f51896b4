import type { Report, StaleEntry } from './result.js'
import { countedVerdict } from './verdicts.js'

/**
 * Failures that an implementer knows of: check ids, with the reason or the address of the issue.
 *
 * @example
 * ```ts
 * const baseline: Baseline = new Map([['send.post', 'the next release mends it']])
 * ```
 */
export type Baseline = ReadonlyMap<string, string>

/**
 * A baseline that cannot be used; the message is one sentence without its full stop.
 *
 * @example
 * ```ts
 * try {
 *   parseBaseline([])
 * } catch (error) {
 *   error instanceof BaselineError    // true
 * }
 * ```
 */
export class BaselineError extends Error {
  override readonly name = 'BaselineError'
}

/**
 * Reads a baseline: `{ "known": { "<check id>": "<reason, or the address of an issue>" } }`.
 *
 * @param value as JSON gives it
 * @throws {BaselineError} where it has another form
 *
 * @example
 * ```ts
 * parseBaseline({ known: { 'send.post': 'the next release mends it' } }).size    // 1
 * ```
 */
export function parseBaseline(value: unknown): Baseline {
  if (!isObject(value) || !isObject(value.known))
    throw new BaselineError('it must hold "known": an object of check ids, each with a reason')
  const other = Object.keys(value).find((name) => name !== 'known')
  if (other !== undefined) throw new BaselineError(`"${other}" is no field of a baseline: there is "known"`)
  const entries = Object.entries(value.known)
  for (const [id, reason] of entries) {
    // A list of ids alone is what nobody dares to take anything out of.
    if (typeof reason !== 'string' || reason.trim() === '')
      throw new BaselineError(`known["${id}"] must say why: a reason, or the address of an issue`)
  }
  return new Map(entries as [string, string][])
}

/**
 * A report in which known failures do not count. Of a check that stands in the baseline, `fail` and `blocked` are
 * known; whatever else it comes to counts as it always does. An entry whose check passes, or which names no check,
 * is stale.
 *
 * @param checkIds of all checks that the kit has, so that one left out of this run is not taken for one that is gone
 *
 * @example
 * ```ts
 * const all = new Set(checks.map(({ id }) => id))
 * applyBaseline(report, new Map(), all).verdict    // 'conformant'
 * ```
 */
export function applyBaseline(report: Report, baseline: Baseline, checkIds: ReadonlySet<string>): Report {
  const results = report.results.map((result) => {
    const reason = baseline.get(result.id)
    const isKnown = reason !== undefined && (result.status === 'fail' || result.status === 'blocked')
    return isKnown ? { ...result, known: reason } : result
  })
  const statuses = new Map(results.map(({ id, status }) => [id, status]))
  const stale = [...baseline].flatMap(([id, reason]): StaleEntry[] => {
    if (!checkIds.has(id)) return [{ id, reason, why: 'no check has this id' }]
    const status = statuses.get(id)
    return status === 'pass' || status === 'observed'
      ? [{ id, reason, why: 'it does not fail any more' }]
      : []
  })
  return { ...report, verdict: countedVerdict({ ...report, results }), results, baseline: { stale } }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
