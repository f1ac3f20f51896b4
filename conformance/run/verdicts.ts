import type { Grade } from '../checks/check.js'
import type { CheckResult, Status, Verdict } from './result.js'

/** What one attempt at a check came to. */
export type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'observed'; readonly what: string }
  | { readonly kind: 'failed'; readonly expected: string; readonly seen: string }
  | { readonly kind: 'blocked'; readonly by: string; readonly seen: string }
  | { readonly kind: 'inconclusive'; readonly why: string }
  | { readonly kind: 'error'; readonly what: string }

const STATUS_OF: Readonly<Record<Outcome['kind'], Status>> = {
  passed: 'pass',
  observed: 'observed',
  failed: 'fail',
  blocked: 'blocked',
  inconclusive: 'inconclusive',
  error: 'error',
}

/** The status of a check's last outcome. What the document leaves open does not fail, unless `strict`. */
export function statusOf(kind: Outcome['kind'], grade: Grade, strict: boolean): Status {
  return kind === 'failed' && grade === 'chosen' && !strict ? 'differs' : STATUS_OF[kind]
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

/** 2 is for usage and for a target that cannot be reached. */
export const EXIT_CODES: Readonly<Record<Verdict, 0 | 1 | 3>> = {
  conformant: 0,
  'non-conformant': 1,
  incomplete: 3,
}
