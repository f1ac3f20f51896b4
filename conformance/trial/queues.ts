import { answered, refused, succeeded } from './answers.js'
import type { QueueHandle, Trial } from './trial.js'

/** Deletes a queue that is there, with a message in it. Blocked by `queues.delete` unless 200. */
export async function deleteQueue(trial: Trial, queue: QueueHandle): Promise<void> {
  const exchange = await trial.target.request('DELETE', queue.uri)
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
