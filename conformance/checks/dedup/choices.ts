import { answered } from '../../client/answered.js'
import { statusOf } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectPending } from '../../trial/pending.js'
import { judgeReplayed, withAGuid } from '../../trial/repeats.js'
import type { Trial } from '../../trial/trial.js'

/** Sending with a guid where the document is silent. */
export const DEDUP_CHOICES: readonly CheckRecord[] = [
  {
    id: 'dedup.long-guid',
    title: 'A guid of 255 characters is a guid.',
    stimulus:
      'Sends a message with a guid of 255 characters, and then with another that differs in the last.',
    clauses: ['dedup.refused.long'],
    needs: ['dedup.send'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const guid = trial.freshGuid().padEnd(254, 'x')
      const messages = [trial.freshMessage(), trial.freshMessage()]
      for (const [index, message] of messages.entries()) {
        const exchange = await trial.postWithGuid(queue, `${guid}${index}`, message.body)
        trial.choose('guid-of-255-characters', statusOf(exchange))
        trial.expect(exchange.status === 200, '200 for a guid of 255 characters', answered(exchange))
      }
      await expectPending(trial, queue, messages, 'one message for each of the two guids')
    },
  },
  {
    id: 'dedup.replayed',
    stimulus: 'Sends a message with a guid twice, and compares the headers of the answers.',
    clauses: ['dedup.repeat.replayed'],
    needs: ['dedup.repeat'],
    run: (trial: Trial) => judgeReplayed(trial, withAGuid, 'idempotent-replayed-guid'),
  },
]
