import { Refusal } from '../broker/refusals.js'
import { decodeSegment } from '../http/form.js'

/**
 * The queue name in a path: each segment is decoded by itself, so that a `%2F` does not become a separator
 * unseen.
 *
 * @param rest the raw path behind the mapping's own segments
 * @throws Refusal `bad-queue-name`
 * @throws Problem `bad-percent-encoding`
 */
// clause: queues.address queues.path
export function queueNameOf(rest: string): string {
  if (!rest.includes('%')) return rest
  const segments = rest.split('/').map(decodeSegment)
  if (segments.some((segment) => segment.includes('/'))) {
    throw new Refusal('bad-queue-name', 'A segment of a queue name must not hold a slash, not even as %2F.')
  }
  return segments.join('/')
}

/**
 * The destination in a path, which may be a wildcard.
 *
 * @throws Refusal `bad-destination`
 * @throws Problem `bad-percent-encoding`
 */
export function destinationOf(rest: string): string {
  try {
    return queueNameOf(rest)
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal('bad-destination', error.message)
    throw error
  }
}
