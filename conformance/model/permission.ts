import { renew } from './common.js'
import type { Request } from './model.js'
import type { Answer, Step, World } from './world.js'

/** A party without permission: without credentials, or with those of another. */
export type Party = 'nobody' | 'another'

// clause: auth.feed.anonymous auth.feed.other auth.message
/** Section 5: such a party is shown nothing of a consumer's feed. Whether anything else that it asks is done is open. */
export function withoutPermission(
  world: World,
  request: Request,
  answer: Answer,
  as: Party,
  step: Step,
): Step {
  const isShown = answer.entries !== undefined && answer.entries.length > 0
  if (request.do === 'look') return isShown ? 'auth.message' : [world]
  if (request.do !== 'consume') return typeof step === 'string' ? [world] : [world, ...step]
  if (isShown) return as === 'nobody' ? 'auth.feed.anonymous' : 'auth.feed.other'
  return [renew(world, request.consumer, 'other', answer)]
}
