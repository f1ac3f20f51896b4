import type { InconclusiveReason } from '../client/findings.js'
import type { Feature } from '../client/profile.js'
import type { Grade, Topic } from '../trial/check.js'

/**
 * - `pass`, `fail`: the target does, or does not, what the check asks.
 * - `differs`: it does otherwise where the document is silent (grade `chosen`); with `strict` this is a `fail`.
 * - `observed`: what it does at a point that has no right answer.
 * - `not-applicable`: the check is about something that the target does not claim, or that it does otherwise.
 * - `blocked`: what the check builds on did not hold; the message names it.
 * - `inconclusive`: asked twice, the second time alone, and the times did not allow an answer.
 * - `error`: the kit's own fault.
 *
 * @example
 * ```ts
 * STATUSES.includes('blocked')    // true
 * ```
 */
export const STATUSES = [
  'pass',
  'fail',
  'differs',
  'observed',
  'not-applicable',
  'blocked',
  'inconclusive',
  'error',
] as const

/**
 * One of {@link STATUSES}.
 *
 * @example
 * ```ts
 * const bad: Status[] = ['fail', 'error']
 * ```
 */
export type Status = (typeof STATUSES)[number]

/**
 * What a run came to: `incomplete` where something that had to be checked could not be.
 *
 * @example
 * ```ts
 * const verdict: Verdict = report.verdict
 * ```
 */
export type Verdict = 'conformant' | 'non-conformant' | 'incomplete'

/**
 * Bytes for a report: as text where they are UTF-8, else in Base64; cut where they are long.
 *
 * @example
 * ```ts
 * const isWhole = ({ cut }: ReportedBody) => !cut
 * ```
 */
export interface ReportedBody {
  readonly encoding: 'text' | 'base64'
  readonly data: string
  /** How many bytes there were. */
  readonly bytes: number
  /** Whether `data` holds the first of them only. */
  readonly cut: boolean
}

/**
 * One exchange, without credentials.
 *
 * @example
 * ```ts
 * const exchanges: readonly ReportedExchange[] = report.results[0]?.exchanges ?? []
 * ```
 */
export interface ReportedExchange {
  /** Seconds since the check began. */
  readonly at: number
  /** From request to whole answer. */
  readonly seconds: number
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: ReportedBody
  }
  /** Null where no whole answer came: `error` then says why. */
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: ReportedBody
  } | null
  readonly error: string | null
  /** How many times it was asked so, one after another, with the same answer. */
  readonly times: number
  /** How many requests of the check are left out of the report before this one; only where there are any. */
  readonly omitted?: number
  /** Only of a request that moved the target's clock: by how many seconds. */
  readonly advanced?: number
}

/**
 * What came of one check.
 *
 * @example
 * ```ts
 * const failed: CheckResult[] = report.results.filter(({ status }) => status === 'fail')
 * failed.length    // 0
 * ```
 */
export interface CheckResult {
  readonly id: string
  readonly clauses: readonly string[]
  readonly topic: Topic
  readonly grade: Grade
  readonly feature: Feature | null
  readonly status: Status
  readonly seconds: number
  /** One sentence on anything but a pass; empty for a pass. */
  readonly message: string
  /** For `fail` and `differs`: what should be, and what is. */
  readonly expected: string
  readonly seen: string
  /** Of checks that did not pass; of all where the run keeps exchanges. */
  readonly exchanges: readonly ReportedExchange[]
  /** Only where it is blocked: the id of the check whose answer did not hold, which may not be in the run. */
  readonly blockedBy?: string
  /** Only where it is inconclusive. */
  readonly inconclusiveReason?: InconclusiveReason
  /** Only of a scenario: its steps on one line, as they were carried out. */
  readonly scenario?: string
  /** Only of one of several that a scenario stands for: which. */
  readonly variation?: string
  /** Only where a step of it broke a clause: that one, which may be another than those that the check is about. */
  readonly broken?: string
  /** Only where the baseline knows of this failure, which then does not count: the reason that it gives. */
  readonly known?: string
  /** Only of an error: where in the kit it was thrown. */
  readonly stack?: string
  /** Only of a sequence or a history that was walked: what was done, and what came of it, step by step. */
  readonly story?: readonly string[]
  /** Only of a history: the requests that matter. */
  readonly timeline?: readonly TimelineEvent[]
}

/** One request of a history: who made it, when it may have taken effect, and what came of it. */
export interface TimelineEvent {
  readonly who: string
  /** Seconds since the first. */
  readonly from: number
  readonly to: number
  /** In a few words: `reads m3, m4`. */
  readonly what: string
  readonly outcome: 'yes' | 'no' | 'unknown'
}

/**
 * An entry of the baseline that has outlived its failure.
 *
 * @example
 * ```ts
 * const idOf = ({ id }: StaleEntry) => id
 * ```
 */
export interface StaleEntry {
  /** Of a check. */
  readonly id: string
  /** What the baseline says of it. */
  readonly reason: string
  /** Why it is stale, in a few words. */
  readonly why: string
}

/**
 * What went wrong within the kit beside its checks. It cost that part alone, and says nothing about the target.
 *
 * @example
 * ```ts
 * const parts = (report.faults ?? []).map(({ part }: Fault) => part)
 * parts.length    // 0
 * ```
 */
export interface Fault {
  /** `the curl commands of send.post`, `the HTML report`. */
  readonly part: string
  /** One sentence without its full stop. */
  readonly why: string
}

/**
 * A check that did not come to the same in each of several runs.
 *
 * @example
 * ```ts
 * const flakes: readonly Flake[] = mergeRuns([report, report]).repeat?.flaky ?? []
 * ```
 */
export interface Flake {
  readonly id: string
  /** In how many runs it came to each status. */
  readonly statuses: Readonly<Partial<Record<Status, number>>>
  /** The part of the runs, from 0 to 1, in which it came to something else than it mostly did. */
  readonly rate: number
}

/** The form of a report's JSON. A form that older readers misread would have another number. */
export const FORMAT = 1

/**
 * A whole run. This is the report's JSON.
 *
 * @example
 * ```ts
 * const { counts, seconds }: Report = report
 * counts.pass    // 1
 * ```
 */
export interface Report {
  readonly kit: { readonly name: string; readonly version: string; readonly document: string }
  readonly format: typeof FORMAT
  readonly target: { readonly url: string; readonly name: string }
  /** ISO 8601. */
  readonly started: string
  readonly seconds: number
  readonly verdict: Verdict
  /** Checks that were chosen for the run. Each has one result, so `counts` add up to this. */
  readonly planned: number
  /**
   * Checks that came to an end of their own: all but those that never began, since what they need did not pass or
   * the run was stopped. A check that is not applicable is at its end at once.
   */
  readonly executed: number
  readonly counts: Readonly<Record<Status, number>>
  /**
   * `seen`: whether a check of the feature passed, or the feature was noticed without being claimed; null where there
   * was nothing to tell by.
   */
  readonly features: Readonly<Record<Feature, { readonly claimed: boolean; readonly seen: boolean | null }>>
  /** What the target does where the document is silent, by point; two checks' different answers are joined by ` / `. */
  readonly choices: Readonly<Record<string, string>>
  readonly results: readonly CheckResult[]
  /** Only where the target answered differently, at one point, when it was asked again: all its answers. */
  readonly unsteady?: Readonly<Record<string, readonly string[]>>
  /** Whether what the document leaves open counted too. */
  readonly strict: boolean
  /** What the run went by, as a profile's JSON has it; credentials are blanked. */
  readonly profile?: Readonly<Record<string, unknown>>
  /** Only where no profile was given: what the target is and claims is then what a probe of it found. */
  readonly probed?: true
  /** Only where something went wrong within the kit beside its checks. */
  readonly faults?: readonly Fault[]
  /** Only where nothing of the target was judged: why, in one sentence. Then there are no results. */
  readonly notJudged?: string
  /** Only of a run with a baseline. */
  readonly baseline?: { readonly stale: readonly StaleEntry[] }
  /** Only where everything was run more than once: then each check has the worst that it came to. */
  readonly repeat?: { readonly runs: number; readonly flaky: readonly Flake[] }
}
