import { choicesIn, countsOf } from './make-report.js'
import type { CheckResult, Flake, Report, Status } from './result.js'
import { countedVerdict } from './verdicts.js'

/** From the best to the worst. */
const ORDER: readonly Status[] = [
  'pass',
  'not-applicable',
  'observed',
  'differs',
  'inconclusive',
  'blocked',
  'error',
  'fail',
]

/**
 * Several runs of the same checks as one report: each check with the worst that it came to, and with its flake rate
 * where it did not come to the same each time.
 *
 * @param reports of one target, in the order of the runs; at least one
 *
 * @example
 * ```ts
 * mergeRuns([report, report]).verdict    // 'conformant'
 * ```
 */
export function mergeRuns(reports: readonly Report[]): Report {
  const [first, ...others] = reports as readonly [Report, ...Report[]]
  if (others.length === 0) return first
  const results = first.results.map(({ id }) => worst(resultsOf(reports, id)))
  const merged: Report = {
    ...first,
    seconds: Math.round(reports.reduce((sum, { seconds }) => sum + seconds, 0) * 1000) / 1000,
    executed: Math.min(...reports.map(({ executed }) => executed)),
    counts: countsOf(results),
    features: featuresOfAll(reports),
    ...choicesIn(choicesOfAll(reports)),
    results,
    ...faultsOfAll(reports),
    repeat: { runs: reports.length, flaky: flakes(reports) },
  }
  return { ...merged, verdict: countedVerdict(merged) }
}

function resultsOf(reports: readonly Report[], id: string): CheckResult[] {
  return reports.flatMap(({ results }) => results.find((result) => result.id === id) ?? [])
}

function worst(results: readonly CheckResult[]): CheckResult {
  return results.reduce((bad, result) =>
    ORDER.indexOf(result.status) > ORDER.indexOf(bad.status) ? result : bad,
  )
}

function flakes(reports: readonly Report[]): Flake[] {
  return reports[0]!.results.flatMap(({ id }) => {
    const all = resultsOf(reports, id)
    const statuses: Partial<Record<Status, number>> = {}
    for (const { status } of all) statuses[status] = (statuses[status] ?? 0) + 1
    const times = Object.values(statuses)
    return times.length < 2 ? [] : [{ id, statuses, rate: 1 - Math.max(...times) / all.length }]
  })
}

function faultsOfAll(reports: readonly Report[]): Pick<Report, 'faults'> {
  const faults = reports.flatMap(({ faults = [] }) => faults)
  return faults.length === 0 ? {} : { faults }
}

/** Seen once is seen. */
function featuresOfAll(reports: readonly Report[]): Report['features'] {
  const entries = Object.entries(reports[0]!.features).map(([feature, { claimed }]) => {
    const seen = reports.map((report) => report.features[feature as keyof Report['features']].seen)
    return [feature, { claimed, seen: seen.includes(true) ? true : seen.includes(false) ? false : null }]
  })
  return Object.fromEntries(entries) as Report['features']
}

function choicesOfAll(reports: readonly Report[]): [point: string, answer: string][] {
  return reports.flatMap(({ choices, unsteady = {} }) =>
    Object.entries(choices).flatMap(([point, what]) =>
      (unsteady[point] ?? [what]).map((answer): [string, string] => [point, answer]),
    ),
  )
}
