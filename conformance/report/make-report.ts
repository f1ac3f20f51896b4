import { FEATURES, type Feature, type Profile, profileJson } from '../client/profile.js'
import { DOCUMENT, KIT, VERSION } from '../version.js'
import { Redactor } from './redactor.js'
import { type CheckResult, type Fault, FORMAT, type Report, STATUSES, type Status } from './result.js'
import { verdictOf } from './verdicts.js'

/** What a finished run knows. */
export interface RunRecord {
  readonly url: string
  readonly profile: Profile
  readonly strict: boolean
  readonly started: Date
  readonly seconds: number
  readonly planned: number
  readonly executed: number
  /** Point and answer, in the order of the checks. */
  readonly choices: readonly (readonly [string, string])[]
  readonly results: readonly CheckResult[]
  /** Features that the target has and does not claim. */
  readonly unclaimed?: readonly Feature[]
  /** What went wrong within the kit beside its checks. */
  readonly faults?: readonly Fault[]
  /** Whether the profile is what a probe found. */
  readonly probed?: boolean
  /** Why nothing of the target was judged, as a sentence, where that is so. */
  readonly notJudged?: string
}

/** Sums up a run. */
export function makeReport(run: RunRecord): Report {
  const { url, profile, started, planned, executed, results } = run
  const { choices, ...unsteady } = choicesIn(run.choices)
  return {
    kit: { name: KIT, version: VERSION, document: DOCUMENT },
    format: FORMAT,
    target: { url, name: profile.name === '' ? new URL(url).host : profile.name },
    started: started.toISOString(),
    seconds: Math.round(run.seconds * 1000) / 1000,
    verdict: verdictOf(results, planned, executed, run.strict),
    planned,
    executed,
    counts: countsOf(results),
    features: seenFeatures(profile, results, run.unclaimed ?? []),
    choices,
    results,
    ...unsteady,
    strict: run.strict,
    profile: withoutCredentials(profile),
    ...(run.probed ? { probed: true } : {}),
    ...(run.faults === undefined || run.faults.length === 0 ? {} : { faults: run.faults }),
    ...(run.notJudged === undefined
      ? {}
      : { notJudged: new Redactor(profile).text(run.notJudged).replace(/\s+/g, ' ') }),
  }
}

/**
 * The report of a run that came to no result.
 *
 * @param why nothing of the target was judged, as of a sentence after a colon; without it the kit itself failed
 */
export function emptyReport(
  run: Omit<RunRecord, 'executed' | 'choices' | 'results' | 'unclaimed' | 'notJudged'>,
  why?: string,
): Report {
  const said = why === undefined ? {} : { notJudged: `The server at ${run.url} was not judged: ${why}.` }
  return makeReport({ ...run, executed: 0, choices: [], results: [], ...said })
}

/** How many results came to each status. */
export function countsOf(results: readonly CheckResult[]): Record<Status, number> {
  const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>
  for (const { status } of results) counts[status] += 1
  return counts
}

function withoutCredentials(profile: Profile): Record<string, unknown> {
  const redactor = new Redactor(profile)
  const unauthorized = profile.unauthorized.map((headers) => redactor.headers(headers))
  return profileJson({ ...profile, headers: redactor.headers(profile.headers), unauthorized })
}

function seenFeatures(
  profile: Profile,
  results: readonly CheckResult[],
  unclaimed: readonly Feature[],
): Report['features'] {
  const entries = FEATURES.map((feature) => {
    const statuses = results.filter((each) => each.feature === feature).map(({ status }) => status)
    const seen =
      statuses.includes('pass') || unclaimed.includes(feature)
        ? true
        : statuses.includes('fail')
          ? false
          : null
    return [feature, { claimed: profile.features[feature], seen }]
  })
  return Object.fromEntries(entries) as Report['features']
}

/** What a target does at each point, different answers joined; and the points that have different ones, where there are any. */
export function choicesIn(choices: RunRecord['choices']): Pick<Report, 'choices' | 'unsteady'> {
  const answers = new Map<string, Set<string>>()
  for (const [point, what] of choices) answers.set(point, (answers.get(point) ?? new Set()).add(what))
  const all = [...answers].map(([point, set]): [string, string[]] => [point, [...set]])
  const several = all.filter(([, each]) => each.length > 1)
  return {
    choices: Object.fromEntries(all.map(([point, each]) => [point, each.join(' / ')])),
    ...(several.length > 0 ? { unsteady: Object.fromEntries(several) } : {}),
  }
}
