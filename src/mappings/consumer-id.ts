import { Refusal } from '../broker/refusals.js'
import type { MappingContext } from './context.js'

/**
 * A consumer id of a path. `chosen`: `/<consumer_id>/messages/…` begins with one, so it must not be a word with which
 * another path begins. What else an id must be, the broker says when it is subscribed.
 *
 * @throws Refusal `bad-consumer-id`
 */
// clause: one-at-a-time.consumer-id
export function checkConsumerWord({ reserved }: MappingContext, id: string): void {
  if (!reserved.has(id)) return
  throw new Refusal(
    'bad-consumer-id',
    `No consumer can be called ${JSON.stringify(id)}, since paths of this server begin so; choose another word.`,
  )
}
