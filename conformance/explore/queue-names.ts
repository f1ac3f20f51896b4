import type { Profile } from '../client/profile.js'
import { allowedSegment, namePrefix, nameProblem } from '../client/queue-names.js'

/** Names that any target takes that has names of such a form. */
const PLAIN = ['a', 'ab', 'b', 'a/b', 'a/c'] as const
/** Names that look like `ab` in another case, or like a pattern that `ab` matches. A target need not take them. */
const ODD = ['aB', 'a_', 'a?', 'a[b]', 'a|'] as const

/** The names of queues that a profile allows, in those that a sequence uses. */
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

/** Whether a target may refuse such a name. */
export function isOdd(queue: string): boolean {
  return (ODD as readonly string[]).includes(queue)
}

/** A queue's name at a target: `a` and `ab` begin alike, and `a/b` is below `a`. */
export function pathOf(profile: Profile, prefix: string, queue: string): string {
  const number = queue.startsWith('a') ? 1 : 2
  const path = `${prefix}-${number}${queue.slice(1)}`
  const segments = isOdd(queue) ? [path] : path.split('/').map((segment) => allowedSegment(profile, segment))
  return namePrefix(profile) + segments.join('/')
}
