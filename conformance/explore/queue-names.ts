import type { Profile } from '../client/profile.js'
import { nameProblem } from '../client/queue-names.js'
import { pathOf } from '../scenario/queue-names.js'

/** Names that any target takes that has names of such a form. */
const PLAIN = ['a', 'ab', 'b', 'a/b', 'a/c'] as const
/** Names that look like `ab` in another case, or like a pattern that `ab` matches. A target need not take them. */
const ODD = ['aB', 'a_', 'a?', 'a[b]', 'a|'] as const

/** The names of queues that a profile allows, in those that explored scenarios use. */
export function queuesFor(profile: Profile): {
  readonly plain: readonly string[]
  readonly odd: readonly string[]
} {
  const allowed = (names: readonly string[]) =>
    names.filter((name) => nameProblem(profile, pathOf(profile, 'kit-0123456789', name)) === undefined)
  const plain = allowed(PLAIN)
  const { separator } = profile.subscription
  const odd = allowed(ODD).filter((name) => separator === null || !name.includes(separator))
  return { plain: plain.length > 0 ? plain : ['a'], odd }
}
