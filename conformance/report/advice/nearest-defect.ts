import type { Report } from '../result.js'
import { SIGNATURES } from './signatures.js'

/**
 * What a failing target resembles.
 *
 * @example
 * ```ts
 * const nearest: NearestDefect | undefined = nearestDefect(report)
 * ```
 */
export interface NearestDefect {
  /** What servers that failed so were made to do wrong: several where the kit cannot tell them apart by this. */
  readonly defects: readonly string[]
  /** Shared failures over all failures, from `LEAST` to 1. */
  readonly similarity: number
}

/**
 * Less alike is no resemblance. Measured over the signatures of all wrong servers. Where two of the failures differ from a
 * known fault's, what is named is right in 84 of 100 cases from here on, and in 73 from 0.5 on. Where the fault is none of
 * the known ones, what is named has its topic in 95 and 92.
 */
const LEAST = 0.6
/** Of what a fault is known by, the part that was asked at least. */
const ASKED = 0.5

/**
 * The known faults whose failing checks are most like those of a report; undefined where none is like them. Only checks
 * that this target passed or failed count, so that a target that leaves features out is compared by what it has, and
 * none of what is chosen, so that `--strict` makes no difference. Of a run in which some could not be answered nothing
 * is said.
 *
 * @example
 * ```ts
 * nearestDefect(report)    // undefined
 * ```
 */
export function nearestDefect({ results }: Pick<Report, 'results'>): NearestDefect | undefined {
  const counted = results.filter(({ grade }) => grade !== 'chosen')
  if (counted.some(({ status }) => status === 'inconclusive' || status === 'error')) return undefined
  const judged = counted.filter(({ status }) => status === 'pass' || status === 'fail')
  const asked = new Set(judged.map(({ id }) => id))
  const failed = judged.filter(({ status }) => status === 'fail').map(({ id }) => id)
  let nearest: { defects: string[]; similarity: number } | undefined
  for (const [defect, failing] of SIGNATURES) {
    const known = failing.filter((id) => asked.has(id))
    if (known.length < ASKED * failing.length) continue
    const alike = similarity(failed, known)
    if (alike < Math.max(LEAST, nearest?.similarity ?? 0)) continue
    if (alike === nearest?.similarity) nearest.defects.push(defect)
    else nearest = { defects: [defect], similarity: alike }
  }
  return nearest
}

/** How alike two sets of ids are (Jaccard): what both have over what either has; 0 where both are empty. */
export function similarity(some: readonly string[], others: readonly string[]): number {
  const either = new Set([...some, ...others])
  const both = some.filter((id) => others.includes(id))
  return either.size === 0 ? 0 : both.length / either.size
}
