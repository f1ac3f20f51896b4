import { parseQueueName } from './queue-name.js'
import { Refusal } from './refusals.js'

/** Where a subscription wants messages from: a queue, or a wildcard over queues. */
export interface Destination {
  /** As it was given. */
  readonly text: string
  /** Names, `*` for any one segment, and, only last, `>` for one or more segments. */
  readonly segments: readonly string[]
  /** Whether it is a wildcard. */
  readonly wild: boolean
}

/**
 * Reads a destination, dotted or with slashes. `chosen`: `*` is one segment, a last `>` is one or more.
 *
 * @throws Refusal `bad-destination`
 */
// clause: subscribe.wildcard
export function parseDestination(text: string): Destination {
  const segments = text.split(/[./]/)
  let wild = false
  segments.forEach((segment, index) => {
    if (segment === '*' || (segment === '>' && index === segments.length - 1)) wild = true
    else if (segment === '>') {
      throw new Refusal(
        'bad-destination',
        'In a destination ">" is the last segment or none: it stands for all that follow.',
      )
    }
  })
  try {
    // Wildcards stand where a name would: with a name in their place the rest must be a queue name.
    parseQueueName(segments.map((segment) => (segment === '*' || segment === '>' ? 'x' : segment)).join('/'))
  } catch (error) {
    throw new Refusal('bad-destination', (error as Refusal).message, (error as Refusal).facts)
  }
  return { text, segments, wild }
}
