import type { AtStep, InconclusiveReason } from '../client/findings.js'
import type { Grade } from '../trial/check.js'
import type { CheckResult, Report, Status, Verdict } from './result.js'

/** What one attempt at a check came to. */
export type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'observed'; readonly what: string }
  | {
      readonly kind: 'failed'
      readonly expected: string
      readonly seen: string
      readonly at?: AtStep | undefined
    }
  | {
      readonly kind: 'blocked'
      readonly by: string
      readonly seen: string
      readonly at?: AtStep | undefined
      /** Whether what the check asks held all the same: then it has passed where the other check has failed. */
      readonly isAside?: boolean
    }
  | {
      readonly kind: 'inconclusive'
      readonly why: string
      readonly inconclusiveReason?: InconclusiveReason
      /** Whether its leases ran out, although another attempt may be done within them. */
      readonly mayFit?: boolean
    }
  | { readonly kind: 'not-applicable'; readonly why: string }
  | { readonly kind: 'error'; readonly what: string; readonly stack?: string | undefined }

/** The status of a check's last outcome. What the document leaves open does not fail, unless `strict`. */
export function resultStatus(kind: Outcome['kind'], grade: Grade, strict: boolean): Status {
  if (kind === 'passed') return 'pass'
  if (kind === 'failed') return grade === 'chosen' && !strict ? 'differs' : 'fail'
  return kind
}

/** Whether others have to do without what a check of this status proves; not while it has none. */
export function isBroken(status: Status | undefined): boolean {
  return status === 'fail' || status === 'blocked'
}

/** Whether a check that builds on one of this status can go on; one that is not applicable says nothing against it. */
export function isFoundation(status: Status): boolean {
  return status === 'pass' || status === 'observed' || status === 'not-applicable'
}

/** Of a finished run. Grades that do not bind the target, `chosen` without `strict`, do not count. */
export function verdictOf(
  results: readonly Pick<CheckResult, 'grade' | 'status'>[],
  planned: number,
  executed: number,
  strict: boolean,
): Verdict {
  if (results.some(({ status }) => status === 'fail')) return 'non-conformant'
  const binding = results.filter(({ grade }) => strict || grade !== 'chosen').map(({ status }) => status)
  if (binding.some((status) => status === 'blocked' || status === 'inconclusive' || status === 'error')) {
    return 'incomplete'
  }
  if (executed < planned || results.length < planned) return 'incomplete'
  // A run that asked nothing has found nothing.
  return results.some(({ status }) => status === 'pass') ? 'conformant' : 'incomplete'
}

/** Of a report, without the failures that its baseline knows of. */
export function countedVerdict({ results, planned, executed, strict }: Omit<Report, 'verdict'>): Verdict {
  const known = results.filter((result) => result.known !== undefined)
  // What is blocked has asked something, or it never began.
  const begun = known.filter(({ status, exchanges }) => status !== 'blocked' || exchanges.length > 0).length
  const counted = results.filter((result) => result.known === undefined)
  return verdictOf(counted, planned - known.length, executed - begun, strict)
}

/**
 * Of a verdict alone: what else decides on the exit code of a run is with {@link exitCodeOf}.
 *
 * @example
 * ```ts
 * EXIT_CODES.conformant    // 0
 * ```
 */
export const EXIT_CODES: Readonly<Record<Verdict, 0 | 1 | 3>> = {
  conformant: 0,
  'non-conformant': 1,
  incomplete: 3,
}

/** The exit code of what was asked wrongly: a command, a profile, a baseline. */
const WRONG_USAGE = 2
/** The exit code of what went wrong within the kit. */
export const KIT_FAULT = 4

/**
 * The exit code of a run, by the first of these that is so: 1, the target broke a clause; 4, something went wrong within the kit; 3,
 * the run is incomplete; 2, an entry of the baseline is stale.
 *
 * @example
 * ```ts
 * exitCodeOf(report)    // 0
 * ```
 */
export function exitCodeOf({
  verdict,
  baseline,
  faults = [],
  results,
}: Pick<Report, 'verdict' | 'baseline' | 'faults' | 'results'>): 0 | 1 | 2 | 3 | 4 {
  if (verdict === 'non-conformant') return 1
  if (faults.length > 0 || results.some(({ status }) => status === 'error')) return KIT_FAULT
  const isStale = baseline !== undefined && baseline.stale.length > 0
  return verdict === 'conformant' && isStale ? WRONG_USAGE : EXIT_CODES[verdict]
}
