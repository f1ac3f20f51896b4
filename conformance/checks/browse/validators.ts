import type { CheckRecord } from '../../trial/check.js'
import { consumeAndAcknowledge, untilPending } from '../../trial/pending.js'
import type { Trial } from '../../trial/trial.js'
import { expectOtherValidator } from '../../trial/validators.js'

/** What a queue's feed says of itself to those who have an older one of it. */
export const BROWSE_VALIDATORS: readonly CheckRecord[] = [
  {
    id: 'browse.validator',
    stimulus:
      "Keeps the ETag of a queue's feed when it is empty, has one message, and two, and asks with each when the feed is another, once of as many.",
    clauses: ['browse.validator'],
    needs: ['browse.acknowledged-gone', 'send.post'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const read = () => trial.target.request('GET', queue.uri)
      const empty = await read()
      if (empty.headers.etag === undefined) return trial.observed('Its feeds have no ETag.')
      const first = await trial.send(queue)
      await untilPending(trial, queue, [first])
      const withOne = await read()
      await expectOtherValidator(trial, empty, 'after a message was sent')
      const second = await trial.send(queue)
      await untilPending(trial, queue, [first, second])
      const withTwo = await read()
      await expectOtherValidator(trial, withOne, 'after a second message was sent')
      await consumeAndAcknowledge(trial, queue, first)
      const withTheOther = await read()
      await expectOtherValidator(trial, withTwo, 'after a message was acknowledged')
      await expectOtherValidator(trial, withOne, 'after one message has come for another')
      await consumeAndAcknowledge(trial, queue, second)
      await expectOtherValidator(trial, withTheOther, 'after the last message was acknowledged')
    },
  },
]
