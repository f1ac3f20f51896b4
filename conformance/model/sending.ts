import { isLost, isStill, queueOf, withMessage, withQueue } from './data.js'
import type { Answer, Content, Place, World } from './world.js'

/** A message that was sent for the first time. */
export function sent(world: World, content: Content & Place, answer: Answer): World {
  const { queue, born } = content
  const isThere = isStill(world, content)
  const life = !isThere ? 'ending' : isLost(answer) ? 'unsure' : 'pending'
  const next = { ...world, messages: [...world.messages, { ...content, life } as const] }
  // A target may make a queue of whatever is sent to.
  const mayBeMade = !isThere && answer.status < 400
  return mayBeMade ? withQueue(next, queue, { ...queueOf(world, queue), born, mayCome: true }) : next
}

/** What is sent again is ignored, but where the first has no answer: then any of the two may be the one that came. */
export function sentAgain(world: World, index: number, content: Content & Place, answer: Answer): World[] {
  const { life } = world.messages[index]!
  if (life !== 'unsure') return [world]
  const now = { life: isLost(answer) ? 'unsure' : 'pending' } as const
  return [withMessage(world, index, now), withMessage(world, index, { ...content, ...now })]
}
