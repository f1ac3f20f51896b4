import { type Profile, unknownFeature } from '../client/profile.js'
import type { Check } from '../trial/check.js'

/** Checks chosen for a run, in the order in which they begin as far as their needs allow. */
export interface Plan {
  /** To be run. */
  readonly checks: readonly Check[]
  /** Ids of those that read the root listing, and of what they build on. */
  readonly first: ReadonlySet<string>
  /** About features that the profile does not claim. */
  readonly notApplicable: readonly Check[]
}

/** Which checks to run, by their ids; `*` stands for any characters. */
export interface Selection {
  /** None means all. */
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
}

/** Whether an id matches a glob: `*` is any characters, `?` is one. It takes the product of both lengths at most. */
export function matchesGlob(glob: string, id: string): boolean {
  let [at, star, from] = [0, -1, 0]
  for (let next = 0; next < id.length; ) {
    if (glob[at] === '*') [star, from] = [at++, next]
    else if (glob[at] === '?' || glob[at] === id[next]) [at, next] = [at + 1, next + 1]
    else if (star >= 0)
      // The last star takes one character more: an earlier one never has to.
      [at, next] = [star + 1, ++from]
    else return false
  }
  return /^\**$/.test(glob.slice(at))
}

/** The checks that a selection is about. */
export function chooseChecks(checks: readonly Check[], { only = [], skip = [] }: Selection): Check[] {
  return checks.filter(
    ({ id }) =>
      (only.length === 0 || only.some((glob) => matchesGlob(glob, id))) &&
      !skip.some((glob) => matchesGlob(glob, id)),
  )
}

/** A program takes about so many, of which most are few. */
const STEPS = 20

/**
 * Chooses and orders checks. First those that read the root listing, before others have filled it; then those that ask again when
 * all others are over, and those that let time pass, whose leases run out side by side; each with all that it builds on. Among
 * the others, first those on which the longest chains build, and then those that take most steps, which would otherwise be what is
 * left at the end.
 *
 * @throws {Error} where two checks have one id: their results could not be told apart
 */
export function makePlan(checks: readonly Check[], profile: Profile, selection: Selection): Plan {
  const byId = new Map(checks.map((check) => [check.id, check]))
  if (byId.size < checks.length) throw new Error('two checks have the same id')
  const chosen = chooseChecks(checks, selection)
  // What nobody knows whether it applies is not left out in silence.
  const applies = ({ feature }: Check) =>
    feature === undefined || profile.features[feature] || unknownFeature(profile, feature) !== undefined
  const turns = new Map<string, number>()
  const hurry = (check: Check | undefined, turn: number): void => {
    if (!check || turns.has(check.id)) return
    turns.set(check.id, turn)
    for (const need of check.needs ?? []) hurry(byId.get(need), turn)
  }
  for (const check of chosen) if (check.readsRoot) hurry(check, 0)
  for (const check of chosen) if (check.asksLate) hurry(check, 1)
  for (const check of chosen) if (check.passesTime) hurry(check, 2)
  const turnOf = ({ id }: Check) => turns.get(id) ?? 3
  const heightOf = chainsUpon(chosen)
  const stepsOf = ({ steps = STEPS }: Check) => steps
  return {
    checks: chosen
      .filter(applies)
      .sort(
        (one, other) =>
          turnOf(one) - turnOf(other) || heightOf(other) - heightOf(one) || stepsOf(other) - stepsOf(one),
      ),
    first: new Set([...turns].filter(([, turn]) => turn === 0).map(([id]) => id)),
    notApplicable: chosen.filter((check) => !applies(check)),
  }
}

/** How long the longest chain of checks is that builds on a check. */
function chainsUpon(checks: readonly Check[]): (check: Check) => number {
  const dependents = new Map<string, Check[]>()
  for (const check of checks) {
    for (const need of check.needs ?? []) dependents.set(need, [...(dependents.get(need) ?? []), check])
  }
  const heights = new Map<string, number>()
  const heightOf = ({ id }: Check): number => {
    const before = heights.get(id)
    if (before !== undefined) return before
    // Where needs form a circle, which the runner reports, the way ends here.
    heights.set(id, 0)
    const height = Math.max(0, ...(dependents.get(id) ?? []).map((each) => heightOf(each) + 1))
    heights.set(id, height)
    return height
  }
  return heightOf
}
