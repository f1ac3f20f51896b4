import { answered } from '../client/answered.js'
import { type Exchange, refused, succeeded } from '../client/exchange.js'
import { namePrefix } from '../client/queue-names.js'
import type { QueueHandle, Trial } from './trial.js'
import { settled, unlessBlocked } from './waiting.js'

/** Creates queues of these names below a prefix that nobody else has. */
export async function queuesBelowOne(
  trial: Trial,
  names: readonly string[],
): Promise<{ readonly prefix: string; readonly queues: readonly QueueHandle[] }> {
  const prefix = trial.freshName()
  return { prefix, queues: await Promise.all(names.map((name) => trial.createQueue(`${prefix}/${name}`))) }
}

/** Refusals that say nothing of what a queue is used for: that it is not there, or that the request is to come again. */
const OF_ANY_QUEUE: readonly number[] = [404, 408, 410, 429]

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

/** What a GET of a deleted queue came to: the document does not say whether it is refused, or shows no message. */
export interface AfterDeletion {
  readonly gone: 'refused' | 'empty' | undefined
  readonly last: Exchange
}

/** Waits until a deleted queue can no longer be read. */
export async function untilGone(trial: Trial, queue: QueueHandle): Promise<AfterDeletion> {
  let after!: AfterDeletion
  await trial.eventually(async () => {
    const last = await trial.target.request('GET', queue.uri)
    const feed = succeeded(last) ? await unlessBlocked(() => trial.browse(queue)) : undefined
    const isEmpty = feed?.entries.length === 0
    after = { last, gone: refused(last) ? 'refused' : isEmpty ? 'empty' : undefined }
    return after.gone
  })
  return after
}

/** Deletes a queue and sees it gone, so that one of its name is another. Blocked by `queues.delete-unreadable`. */
export async function deleteForGood(trial: Trial, queue: QueueHandle): Promise<void> {
  await deleteQueue(trial, queue)
  const { gone } = await untilGone(trial, queue)
  trial.precondition(gone !== undefined, 'queues.delete-unreadable', `${queue.uri} still readable`)
  // It may have been empty before.
  if (gone === 'empty') await settled(trial)
}
