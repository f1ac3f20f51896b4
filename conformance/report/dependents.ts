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

/** The check on which most others hang; of several the first, which is what a server is built up from. */
export function withMostDependents<T extends Pick<CheckResult, 'id'>>(
  candidates: readonly T[],
  dependents: ReadonlyMap<string, number>,
): T | undefined {
  const weight = ({ id }: T) => dependents.get(id) ?? 0
  return candidates.reduce<T | undefined>(
    (most, each) => (most === undefined || weight(each) > weight(most) ? each : most),
    undefined,
  )
}
