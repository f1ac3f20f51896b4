import type { CheckResult } from './result.js'

/**
 * How many blocked checks hang on each check that is not blocked itself, directly or through other blocked ones. A
 * check that they hang on may have been left out of the run.
 */
export function countDependents(results: readonly CheckResult[]): ReadonlyMap<string, number> {
  const byId = new Map(results.map((result) => [result.id, result]))
  const counts = new Map<string, number>()
  for (const result of results) {
    const root = rootCause(result, byId)
    if (root !== undefined) counts.set(root, (counts.get(root) ?? 0) + 1)
  }
  return counts
}

/** Undefined for a check that is not blocked, and where blocked ones hang on each other only. */
function rootCause(result: CheckResult, byId: ReadonlyMap<string, CheckResult>): string | undefined {
  const met = new Set<string>()
  let root: string | undefined
  for (let at: CheckResult | undefined = result; at?.status === 'blocked'; ) {
    root = at.blockedBy
    if (root === undefined || met.has(root)) return undefined
    met.add(root)
    at = byId.get(root)
  }
  return root
}

/** Which part of the most hangs on a check that counts as one on which most hang: a few checks more or less are chance. */
const ABOUT_AS_MANY = 0.9

/** The check on which most others hang; of several with about as many the first, which is what a server is built up from. */
export function withMostDependents<T extends Pick<CheckResult, 'id'>>(
  candidates: readonly T[],
  dependents: ReadonlyMap<string, number>,
): T | undefined {
  const weights = candidates.map(({ id }) => dependents.get(id) ?? 0)
  const enough = ABOUT_AS_MANY * Math.max(...weights)
  return candidates.find((_, place) => weights[place]! >= enough)
}
