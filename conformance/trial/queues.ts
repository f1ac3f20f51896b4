import { answered, refused, succeeded } from './answers.js'
import type { QueueHandle, Trial } from './trial.js'

/** Creates queues of these names below a prefix that nobody else has. */
export async function queuesBelowOne(
  trial: Trial,
  names: readonly string[],
): Promise<{ readonly prefix: string; readonly queues: readonly QueueHandle[] }> {
  const prefix = trial.freshName()
  return { prefix, queues: await Promise.all(names.map((name) => trial.createQueue(`${prefix}/${name}`))) }
}

/**
 * Deletes a queue that is there. Blocked by `queues.delete` unless 200, and not applicable where 409 refuses it for the
 * messages that it has: the document does not say under what conditions a deletion is refused.
 */
export async function deleteQueue(trial: Trial, queue: QueueHandle, uri = queue.uri): Promise<void> {
  const exchange = await trial.target.request('DELETE', uri)
  if (exchange.status === 409 && (await trial.browse(queue)).entries.length > 0)
    trial.notApplicable('the target deletes no queue that has messages: 409')
  trial.precondition(succeeded(exchange), 'queues.delete', answered(exchange))
}

/** Deletes a queue and sees it gone, so that one of its name is another. Blocked by `queues.delete-unreadable`. */
export async function deleteForGood(trial: Trial, queue: QueueHandle): Promise<void> {
  await deleteQueue(trial, queue)
  const gone = await trial.eventually(
    async () => refused(await trial.target.request('GET', queue.uri)) || undefined,
  )
  trial.precondition(gone === true, 'queues.delete-unreadable', `${queue.uri} still readable`)
}
