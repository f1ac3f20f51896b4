import type { CheckRecord } from '../../trial/check.js'
import { SinglePath } from '../../trial/single-path-queue.js'
import {
  batchTaker,
  judgeTakers,
  nextMessageTaker,
  subscriptionTaker,
  type Taker,
} from '../../trial/takers.js'
import type { Trial } from '../../trial/trial.js'

/** Mappings beside one another: whatever mapping sent a message or took it, exactly one consumer has it. */
export const SINGLE_PATH_ACROSS: readonly CheckRecord[] = [
  {
    id: 'single-path.beside-all',
    title: 'A message is with one consumer only, whatever mapping it is taken by, also at the same time.',
    stimulus:
      'Consumers of every mapping that the target claims take twelve messages of one queue, all at the same time.',
    clauses: ['consume.exactly-one', 'single-path.exactly-one'],
    grade: 'optional',
    feature: 'single-path',
    needs: ['single-path.another', 'ack.leaves-feed', 'one-at-a-time.acknowledges', 'batch.acknowledges'],
    async run(trial: Trial) {
      const path = await SinglePath.fresh(trial)
      const takers: Taker[] = [(messages) => path.look(messages), await subscriptionTaker(trial, path.queue)]
      const { features } = trial.profile
      if (features['one-at-a-time']) takers.push(await nextMessageTaker(trial, path.queue))
      if (features.batch) takers.push(await batchTaker(trial, path.queue))
      await judgeTakers(trial, takers, await trial.sendMany(path.queue, 12))
    },
  },
]
