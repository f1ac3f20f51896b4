import { prefetchUpTo } from '../client/subscription-request.js'
import { deleteForGood, queuesBelowOne } from './queues.js'
import { sendWithGuidIfTaken } from './sending.js'
import { SinglePath } from './single-path-queue.js'
import { mixesDestinations, wildcard } from './subscription-form.js'
import type { QueueHandle, Sent, Trial } from './trial.js'
import { unlessBlocked, unlessNotApplicable } from './waiting.js'

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

/**
 * Sends by the single path where the target has that and what it sends is in the queue, which is empty before; else in two steps.
 */
async function sendByAPath(
  trial: Trial,
  queue: QueueHandle,
  headers: Record<string, string> = {},
): Promise<Sent> {
  const { features } = trial.profile
  const isOffered = features['single-path'] && trial.timing.settle === 0
  if (!isOffered || trial.isBroken('single-path.delivers')) return trial.send(queue, undefined, headers)
  const sent = await unlessBlocked(async () => {
    const message = await new SinglePath(trial, queue.path).send(undefined, headers)
    return (await trial.browse(queue)).entries.length === 1 ? message : undefined
  })
  return sent ?? trial.send(queue, undefined, headers)
}

/**
 * Sends to each queue a short message and one with a guid, to one of them one by the single path, and to another 66 kB, as far
 * as the target takes them and a consumer may hold them.
 */
export async function sendOfEveryKind(trial: Trial, { queues, prefetch }: Covered): Promise<Sent[]> {
  const short = (queue: QueueHandle) => trial.send(queue)
  const large = async (queue: QueueHandle) => {
    if (trial.isBroken('send.body-large')) return short(queue)
    const { body } = trial.freshMessage('message '.repeat(8250))
    return (await unlessNotApplicable(() => trial.send(queue, body))) ?? short(queue)
  }
  const once = (queue: QueueHandle) => sendWithGuidIfTaken(trial, queue)
  const others = queues.slice(1)
  const sends = [
    ...others.map((queue) => () => once(queue)),
    ...queues.map((queue) => () => short(queue)),
    () => once(queues[0]!),
  ]
  // The long one first, so that no consumer is full before it gets there.
  const first = [() => large(queues[0]!), () => sendByAPath(trial, queues[1]!)]
  const sent: (Sent | undefined)[] = []
  for (const send of first.slice(0, prefetch)) sent.push(await unlessNotApplicable(send))
  const rest = sends.slice(0, prefetch - sent.length).map((send) => unlessNotApplicable(send))
  sent.push(...(await Promise.all(rest)))
  return sent.filter((each) => each !== undefined)
}
