import type { Profile } from '../client/profile.js'
import { allowedSegment, namePrefix } from '../client/queue-names.js'

/** Whether a target may refuse such a name, or take it for another: it has more than small letters, digits, `-` and `/`. */
export function isOdd(queue: string): boolean {
  return !/^[a-z0-9/-]*$/.test(queue)
}

/**
 * A queue's name at a target, as it is given where there is no prefix: what begins alike does so there too, and `a/b` is below `a`. A
 * name that has the prefix already keeps it.
 */
export function pathOf(profile: Profile, prefix: string, queue: string): string {
  const path = prefix === '' || queue.startsWith(prefix) ? queue : `${prefix}-${queue}`
  const segments = isOdd(queue) ? [path] : path.split('/').map((segment) => allowedSegment(profile, segment))
  return namePrefix(profile) + segments.join('/')
}
