import type { CheckRecord } from '../../trial/check.js'
import type { Trial } from '../../trial/trial.js'
import { type BeforeChange, expectOtherValidator, judgeValidators } from '../../trial/validators.js'

/** What a consumer's feed says of itself to a consumer that has an older one of it. */
export const CONSUME_VALIDATORS: readonly CheckRecord[] = [
  {
    id: 'consume.validator',
    stimulus:
      "Keeps the ETag of a consumer's feed when it is empty, and has one message, and asks with each when the feed is another, once of as many.",
    clauses: ['consume.validator'],
    needs: ['ack.leaves-feed'],
    run: (trial: Trial) => judgeValidators(trial, (beforeChange) => judge(trial, beforeChange)),
  },
]

async function judge(trial: Trial, beforeChange: BeforeChange): Promise<void> {
  const queue = await trial.createQueue()
  const consumer = await trial.subscribe(queue)
  const empty = await consumer.get()
  if (empty.headers.etag === undefined) return trial.observed('Its feeds have no ETag.')
  await beforeChange(empty)
  const [entry] = await consumer.receive([await trial.send(queue)])
  const withMessage = await consumer.get()
  await expectOtherValidator(trial, empty, 'after a message came')
  await beforeChange(withMessage)
  await consumer.ack(entry!)
  await expectOtherValidator(trial, withMessage, 'after its message was acknowledged')
  await consumer.receive([await trial.send(queue)])
  await expectOtherValidator(trial, withMessage, 'after one message has come for another')
}
