import type { Profile } from '../client/profile.js'
import { nameProblem } from '../client/queue-names.js'
import { pathOf } from '../scenario/queue-names.js'

/** Names that any target takes that has names of such a form. */
const PLAIN = ['a', 'ab', 'b', 'a/b', 'a/c', 'c/a', 'c/b/a', 'c/b/b'] as const
const LONG = `a/${'long-'.repeat(26)}`
/**
 * Pairs of which somebody may take one for the other: for it in another case, for a pattern that it matches, for the same number, or
 * for what begins alike. Where a name has more than small letters, digits and hyphens, a target need not take it.
 */
const ALIKE: readonly (readonly [string, string])[] = [
  ['ab', 'aB'],
  ['ab', 'a_'],
  ['ab', 'a%'],
  ['ab', 'a?'],
  ['ab', 'a[b]'],
  ['ab', 'x|ab'],
  ['aab', 'a+b'],
  ['ab/c', 'a_/c'],
  ['ab/c', 'a%/c'],
  ['ab/c', 'a?/c'],
  ['a/b', 'ab/b'],
  ['a/b', 'a/b/c'],
  ['a/1', 'a/01'],
  ['a/one-of-long-names-1', 'a/one-of-long-names-2'],
  [`${LONG}1`, `${LONG}2`],
]

/** The names of queues that a profile allows, in those that explored scenarios use. */
export function queuesFor(profile: Profile): {
  readonly plain: readonly string[]
  readonly alike: readonly (readonly [string, string])[]
} {
  const { separator } = profile.subscription
  const isAllowed = (name: string) =>
    (separator === null || !name.includes(separator)) &&
    nameProblem(profile, pathOf(profile, 'kit-0123456789', name)) === undefined
  const plain = PLAIN.filter(isAllowed)
  return { plain: plain.length > 0 ? plain : ['a'], alike: ALIKE.filter((pair) => pair.every(isAllowed)) }
}
