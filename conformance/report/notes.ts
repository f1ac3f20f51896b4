import { nearestDefect } from './advice/nearest-defect.js'
import type { Flake, Report } from './result.js'

/** Known faults that a target is compared with, where several look alike. */
const SHOWN_DEFECTS = 3

/** What stands over the faults of the kit. */
export const KIT_FAILED = 'failed within the kit, which says nothing about the target'

/** What not every run has to tell people: sections of lines, each with its heading. */
export function notes(report: Report): { heading: string; lines: string[] }[] {
  const { results, baseline, repeat, unsteady = {}, faults = [] } = report
  const known = results.flatMap(({ id, known }) => (known === undefined ? [] : [`${id}: ${known}`]))
  const stale = baseline?.stale.map(({ id, reason, why }) => `${id}: ${why} (${reason})`) ?? []
  const flaky =
    repeat?.flaky.map((flake) => `${flake.id}: ${flakeRate(flake)} % (${flakeStatuses(flake)})`) ?? []
  const points = Object.entries(unsteady).map(
    ([point, answers]) => `${point}: first ${answers.join(', then ')}`,
  )
  return [
    { heading: KIT_FAILED, lines: faults.map(({ part, why }) => `${part}: ${why}`) },
    { heading: 'unsteady: answered differently when asked again', lines: points },
    { heading: 'known failures, which do not count', lines: known },
    { heading: 'stale entries of the baseline: take them out', lines: stale },
    { heading: `not the same in each of ${repeat?.runs} runs`, lines: flaky },
    { heading: 'fails like a server with this defect', lines: resemblance(report) },
  ].filter(({ lines }) => lines.length > 0)
}

/** What servers did wrong whose checks failed most like these. */
function resemblance(report: Report): string[] {
  const nearest = nearestDefect(report)
  if (nearest === undefined) return []
  const { defects, similarity } = nearest
  const others = defects.length - SHOWN_DEFECTS
  return [
    ...defects.slice(0, SHOWN_DEFECTS),
    ...(others > 0 ? [`or one of ${others} others that fail alike`] : []),
    `${Math.round(100 * similarity)} % of what failed is the same`,
  ]
}

/** Features that were seen without being claimed, as one sentence without a full stop; undefined where there are none. */
export function unclaimed({ features }: Report): string | undefined {
  const found = Object.entries(features).filter(([, { claimed, seen }]) => !claimed && seen === true)
  if (found.length === 0) return undefined
  return `warning: present but unclaimed, and so not judged: ${found.map(([feature]) => feature).join(', ')}`
}

/** A flake rate in percent: below one, with its first digit that is not 0. */
export function flakeRate({ rate }: Flake): string {
  return String(Number((rate * 100).toPrecision(rate < 0.01 ? 1 : 2)))
}

/** What it came to how often, the most frequent first. */
export function flakeStatuses({ statuses }: Flake): string {
  return Object.entries(statuses)
    .sort(([, a], [, b]) => b - a)
    .map(([status, times]) => `${status} ${times}`)
    .join(', ')
}
