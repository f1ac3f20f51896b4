import { sendWithGuidIfTaken } from './sending.js'
import { wildcard } from './subscription-form.js'
import type { QueueHandle, Sent, Trial } from './trial.js'
import { unlessNotApplicable } from './waiting.js'

/** What one subscription covers in every way that the target has. */
export interface Covered {
  readonly queues: readonly QueueHandle[]
  /** Two queues by name and, where the target offers it, one by a wildcard. */
  readonly destinations: readonly (QueueHandle | string)[]
  /** How many messages its consumer may hold. */
  readonly prefetch: number
}

/** Queues of their own, and the destinations that cover them. */
export async function coverInEveryWay(trial: Trial): Promise<Covered> {
  const { features, subscription } = trial.profile
  const queues = [await trial.createQueue(), await trial.createQueue()]
  const destinations: (QueueHandle | string)[] = [...queues]
  if (features.wildcards && !trial.isBroken('subscribe.wildcard')) {
    const above = trial.freshName()
    queues.push(await trial.createQueue(`${above}/a`))
    destinations.push(wildcard(trial, above))
  }
  const { maxPrefetch, parameters } = subscription
  return {
    queues,
    destinations,
    prefetch: parameters.prefetch === null ? maxPrefetch : Math.min(9, maxPrefetch),
  }
}

/**
 * Sends to each queue a short message and one with a guid, and to one of them 66 kB, as far as the target takes them and a
 * consumer may hold them.
 */
export async function sendOfEveryKind(trial: Trial, { queues, prefetch }: Covered): Promise<Sent[]> {
  const large = (queue: QueueHandle) => trial.send(queue, trial.freshMessage('message '.repeat(8250)).body)
  const short = (queue: QueueHandle) => trial.send(queue)
  const once = (queue: QueueHandle) => sendWithGuidIfTaken(trial, queue)
  const others = queues.slice(1)
  const sends = [
    ...others.map((queue) => () => once(queue)),
    ...queues.map((queue) => () => short(queue)),
    () => once(queues[0]!),
  ]
  // The long one first, so that no consumer is full before it gets there.
  const sent = [await unlessNotApplicable(() => large(queues[0]!))]
  const rest = sends.slice(0, prefetch - sent.length).map((send) => unlessNotApplicable(send))
  sent.push(...(await Promise.all(rest)))
  return sent.filter((each) => each !== undefined)
}
