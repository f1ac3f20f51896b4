import type { CheckRecord } from '../../trial/check.js'
import { consumeAndAcknowledge, untilPending } from '../../trial/pending.js'
import type { Trial } from '../../trial/trial.js'
import { expectOtherValidator } from '../../trial/validators.js'

/** What a queue's feed says of itself to those who have an older one of it. */
export const BROWSE_VALIDATORS: readonly CheckRecord[] = [
  {
    id: 'browse.validator',
    stimulus:
      "Keeps the ETag of an empty queue's feed and of one with a message, and asks with each when the feed is another.",
    clauses: ['browse.validator'],
    needs: ['browse.acknowledged-gone', 'send.post'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const read = () => trial.target.request('GET', queue.uri)
      const empty = await read()
      if (empty.headers.etag === undefined) return trial.observed('Its feeds have no ETag.')
      const message = await trial.send(queue)
      await untilPending(trial, queue, [message])
      const withMessage = await read()
      await expectOtherValidator(trial, empty, 'after a message was sent')
      await consumeAndAcknowledge(trial, queue, message)
      await expectOtherValidator(trial, withMessage, 'after its message was acknowledged')
    },
  },
]
