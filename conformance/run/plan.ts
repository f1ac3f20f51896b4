import type { Check } from '../checks/check.js'
import type { Profile } from '../target/profile.js'

/** Checks chosen for a run, in the order in which they begin as far as their needs allow. */
export interface Plan {
  /** To be run. */
  readonly checks: readonly Check[]
  /** About features that the profile does not claim. */
  readonly notApplicable: readonly Check[]
}

/** Which checks to run, by their ids; `*` stands for any characters. */
export interface Selection {
  /** None means all. */
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
}

/** Whether an id matches a glob: `*` is any characters, `?` is one. */
export function matchesGlob(glob: string, id: string): boolean {
  const pattern = glob.replace(/[.*+?^${}()|[\]\\]/g, (character) => {
    if (character === '*') return '.*'
    return character === '?' ? '.' : `\\${character}`
  })
  return new RegExp(`^${pattern}$`).test(id)
}

/** The checks that a selection is about. */
export function chooseChecks(checks: readonly Check[], { only = [], skip = [] }: Selection): Check[] {
  return checks.filter(
    ({ id }) =>
      (only.length === 0 || only.some((glob) => matchesGlob(glob, id))) &&
      !skip.some((glob) => matchesGlob(glob, id)),
  )
}

/**
 * Chooses and orders checks: first those that let time pass and all that they build on, since the leases of the former
 * then run out side by side while everything else is asked.
 *
 * @throws {Error} where two checks have one id: their results could not be told apart
 */
export function makePlan(
  checks: readonly Check[],
  profile: Profile,
  { only = [], skip = [] }: Selection,
): Plan {
  const byId = new Map(checks.map((check) => [check.id, check]))
  if (byId.size < checks.length) throw new Error('two checks have the same id')
  const chosen = chooseChecks(checks, { only, skip })
  const applies = ({ feature }: Check) => feature === undefined || profile.features[feature]
  const urgent = new Set<string>()
  const hurry = (check: Check | undefined): void => {
    if (!check || urgent.has(check.id)) return
    urgent.add(check.id)
    for (const need of check.needs ?? []) hurry(byId.get(need))
  }
  for (const check of chosen) if (check.passesTime) hurry(check)
  const running = chosen.filter(applies)
  return {
    checks: [...running.filter(({ id }) => urgent.has(id)), ...running.filter(({ id }) => !urgent.has(id))],
    notApplicable: chosen.filter((check) => !applies(check)),
  }
}
