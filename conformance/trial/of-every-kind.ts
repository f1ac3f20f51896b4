import { prefetchUpTo } from '../client/subscription-request.js'
import { deleteForGood, queuesBelowOne } from './queues.js'
import { mixesDestinations, wildcard } from './subscription-form.js'
import type { QueueHandle, Trial } from './trial.js'
import { unlessBlocked } from './waiting.js'

/** What one subscription covers in every way that the target has. */
export interface Covered {
  readonly queues: readonly QueueHandle[]
  /** A queue by name, another that was made again by its own, and, where the target takes both together, one by a wildcard and by name. */
  readonly destinations: readonly (QueueHandle | string)[]
  /** How many messages its consumer may hold. */
  readonly prefetch: number
}

/** Queues of their own, and the destinations that cover them. */
export async function coverInEveryWay(trial: Trial): Promise<Covered> {
  const queues = [await trial.createQueue(), await madeAgain(trial, await trial.createQueue())]
  const destinations: (QueueHandle | string)[] = [...queues]
  const hasWildcards = trial.profile.features.wildcards && !trial.isBroken('subscribe.wildcard')
  if (hasWildcards && (await mixesDestinations(trial))) {
    const below = await queuesBelowOne(trial, ['a'])
    queues.push(...below.queues)
    destinations.push(wildcard(trial, below.prefix), ...below.queues)
  }
  return { queues, destinations, prefetch: prefetchUpTo(trial.profile, 9) }
}

/** The same queue, deleted and made again where the target does so rightly. */
async function madeAgain(trial: Trial, queue: QueueHandle): Promise<QueueHandle> {
  if (trial.isBroken('queues.created-after-delete')) return queue
  return (
    (await unlessBlocked(async () => {
      await deleteForGood(trial, queue)
      return trial.createQueue(queue.path)
    })) ?? trial.createQueue()
  )
}
