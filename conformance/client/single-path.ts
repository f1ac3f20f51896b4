import { encodePath } from './addresses.js'
import type { Exchange } from './exchange.js'
import type { Profile } from './profile.js'
import { wireName } from './queue-names.js'
import type { Manner } from './speaker.js'
import type { Target } from './target.js'

// Section 4.2, the single-path mapping.

/** What it takes to ask. */
interface Asking {
  readonly profile: Profile
  readonly target: Pick<Target, 'at' | 'request'>
}

/** Where a queue's messages are sent to and taken from. @param path the queue's name as a slash path */
export function addressOf({ profile, target }: Asking, path: string): string {
  return target.at(`/queue/${encodePath(wireName(profile, path))}`)
}

/** GET of a message, in a session or in none. */
export function take(asking: Asking, path: string, session?: string, how: Manner = {}): Promise<Exchange> {
  const query = session === undefined ? '' : `?jsessionId=${encodeURIComponent(session)}`
  return asking.target.request('GET', addressOf(asking, path) + query, how)
}
