import { byTwoSteps, judgeAnyBodies, judgeNoByte } from '../../trial/any-bodies.js'
import type { CheckRecord } from '../../trial/check.js'
import { LockConsumer } from '../../trial/locking.js'
import type { Trial } from '../../trial/trial.js'

/** Bodies of messages that are locked. */
export const BATCH_BODIES: readonly CheckRecord[] = [
  {
    id: 'batch.body',
    title: 'A locked message comes as it was sent, where the target accepts it.',
    stimulus:
      'Sends messages with markup, other alphabets, line ends, of 66 kB, and bytes that are no text, and one without a byte, and locks each.',
    clauses: ['batch.fetch', 'send.body.text', 'send.body.empty'],
    needs: ['batch.locks'],
    async run(trial: Trial) {
      const open = async () => {
        const queue = await trial.createQueue()
        const consumer = await LockConsumer.of(trial, queue)
        return {
          ...(await byTwoSteps(trial, queue)),
          async take() {
            const [uri] = (await consumer.lock(1)).uris
            return uri === undefined ? undefined : consumer.fetch(uri)
          },
        }
      }
      await judgeAnyBodies(trial, 'batch', open)
      await judgeNoByte(trial, 'batch', await open())
    },
  },
]
