import { succeeded } from '../../client/exchange.js'
import { createdAt } from '../../trial/addresses.js'
import type { CheckRecord } from '../../trial/check.js'
import { deleteQueue } from '../../trial/queues.js'
import { readBodies } from '../../trial/reading.js'
import type { QueueHandle, Trial } from '../../trial/trial.js'

/** A subscription and a queue that goes and comes: the document is silent. */
export const SUBSCRIBE_LATER_QUEUES: readonly CheckRecord[] = [
  {
    id: 'subscribe.queue-made-again',
    stimulus:
      'Deletes the queue of a subscription, creates it again, sends a message to it and reads the feed.',
    clauses: ['subscribe.destinations.made-again'],
    needs: ['queues.delete', 'consume.delivers'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await trial.subscribe(queue)
      await deleteQueue(trial, queue)
      const uri = createdAt(trial, await trial.tryCreateQueue(queue.path))
      trial.precondition(uri !== undefined, 'queues.create-again', 'no queue created again')
      const again: QueueHandle = { path: queue.path, uri }
      const sent = await trial.send(again)
      const answer = await consumer.get()
      const came =
        succeeded(answer) &&
        (await trial.eventually(
          async () => (await readBodies(trial, consumer)).includes(sent.text) || undefined,
        ))
      const what = came
        ? 'seen'
        : succeeded(answer)
          ? 'not seen'
          : `the subscription answers ${answer.status}`
      trial.choose('queue-made-again-under-a-subscription', what)
      trial.expect(came === true, 'the message of the queue that was made again', what)
    },
  },
]
