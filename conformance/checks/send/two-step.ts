import type { CheckRecord } from '../../trial/check.js'
import { expectStatus } from '../../trial/expectations.js'
import { quote } from '../../trial/labels.js'
import { sentOnce, settledBodies, times } from '../../trial/pending.js'
import { sendInTwoSteps } from '../../trial/sending.js'
import type { Trial } from '../../trial/trial.js'

const STEP_2 = '200 for step 2 of a send'

/** Sending in two steps: section 4.1, "Send, step 1" and "Send, step 2". */
export const SEND: readonly CheckRecord[] = [
  {
    id: 'send.post',
    title:
      'A POST of a message to its new-message address is answered with 200, and puts it into the queue once.',
    stimulus: 'Sends a message in two steps, and reads the queue’s feed.',
    clauses: ['send.step-2.status', 'send.step-2.one-message'],
    needs: ['send.address'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const message = { ...trial.freshMessage(), address: await trial.newAddress(queue) }
      await expectStatus(trial, 200, STEP_2, () => trial.post(message.address, message.body))
      const seen = times(await settledBodies(trial, queue, [message]), message.text)
      if (seen !== 1) {
        // Where a consumer is given it once, it was sent, and it is the feed that does not tell so, or takes it away.
        const sent = await sentOnce(trial, queue, message, (other) => sendInTwoSteps(trial, other))
        trial.precondition(
          !sent,
          'browse.queue',
          `${seen} entries in the feed for a message that is there once`,
        )
      }
      trial.expect(
        seen === 1,
        `the message ${quote(message.text)} in the queue once`,
        `${seen} entries for it in the queue’s feed, and no consumer given it once either`,
      )
    },
  },
]
