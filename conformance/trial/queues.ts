import { answered } from '../client/answered.js'
import { refused, succeeded } from '../client/exchange.js'
import { namePrefix } from '../client/queue-names.js'
import { createdAt } from './addresses.js'
import type { QueueHandle, Trial } from './trial.js'
import { unlessBlocked, unlessNotApplicable } from './waiting.js'

/** Refusals that say nothing of what a queue is used for: that it is not there, or that the request is to come again. */
const OF_ANY_QUEUE: readonly number[] = [404, 408, 410, 429]

/** Creates queues, as far as their names are taken: what may be in one is left open. */
export async function createTaken(trial: Trial, paths: readonly string[]): Promise<QueueHandle[]> {
  const made = paths.map(async (path) => {
    const answer = await unlessNotApplicable(() => trial.tryCreateQueue(path))
    const uri = answer && createdAt(trial, answer)
    return uri === undefined ? [] : { path, uri }
  })
  return (await Promise.all(made)).flat()
}

/**
 * Deletes a queue that is there. Blocked by `queues.delete` unless 200, and not applicable where it is refused for a queue in use,
 * and not for another: the document does not say under what conditions a deletion is refused.
 */
export async function deleteQueue(trial: Trial, queue: QueueHandle): Promise<void> {
  const exchange = await trial.target.request('DELETE', queue.uri)
  const mayBeInUse = refused(exchange) && !OF_ANY_QUEUE.includes(exchange.status)
  if (mayBeInUse && (await deletesUnused(trial, queue)))
    trial.notApplicable(`the target deletes no queue that is in use as this one is: ${answered(exchange)}`)
  trial.precondition(succeeded(exchange), 'queues.delete', answered(exchange))
}

/** Whether a queue as deep as this one, which nothing is done with, is deleted. */
async function deletesUnused(trial: Trial, { path }: QueueHandle): Promise<boolean> {
  const segments = path.slice(namePrefix(trial.profile).length).split('/').length
  const other = await unlessBlocked(() => trial.createQueue(trial.freshName(segments)))
  return other !== undefined && succeeded(await trial.target.request('DELETE', other.uri))
}
