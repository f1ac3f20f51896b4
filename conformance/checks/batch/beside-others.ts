import type { CheckRecord } from '../../trial/check.js'
import { batchTaker, judgeTakers, nextMessageTaker, subscriptionTaker } from '../../trial/takers.js'
import type { Trial } from '../../trial/trial.js'

/** The batch mapping beside others: a message is with one consumer, whatever mapping it is taken by. */
export const BATCH_BESIDE_OTHERS: readonly CheckRecord[] = [
  {
    id: 'batch.beside-subscription',
    title: 'A message is with one consumer only, be it one of the batch mapping or a subscription.',
    stimulus: 'A subscription and a consumer of the batch mapping take eight messages at the same time.',
    clauses: ['consume.exactly-one', 'batch.exclusive'],
    grade: 'optional',
    feature: 'batch',
    needs: ['batch.acknowledges', 'ack.leaves-feed'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const takers = [await batchTaker(trial, queue), await subscriptionTaker(trial, queue)]
      await judgeTakers(trial, takers, await trial.sendMany(queue, 8))
    },
  },
  {
    id: 'batch.beside-one-at-a-time',
    title: 'A message is with one consumer only, be it locked in a batch or the next message of another.',
    stimulus: 'Consumers of both mappings take eight messages of one queue at the same time.',
    clauses: ['batch.exclusive', 'one-at-a-time.exclusive'],
    needs: ['batch.acknowledges', 'one-at-a-time.acknowledges', 'send.own-address'],
    async run(trial: Trial) {
      if (!trial.profile.features['one-at-a-time']) {
        return trial.observed('The target does not claim one-at-a-time delivery.')
      }
      const queue = await trial.createQueue()
      const takers = [await batchTaker(trial, queue), await nextMessageTaker(trial, queue)]
      await judgeTakers(trial, takers, await trial.sendMany(queue, 8))
    },
  },
]
