import { withQuery } from '../../trial/addresses.js'
import { inBursts } from '../../trial/bursts.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectPending } from '../../trial/pending.js'
import { IGNORED, sendManyWithGuids, sendWith, sentWith } from '../../trial/sending.js'
import type { Trial } from '../../trial/trial.js'
import { unlessBlocked } from '../../trial/waiting.js'

const ONE = 'one message for all sends with one guid'

/** Sending in one request with a guid: section 4.1, "Send, single request". */
export const DEDUP: readonly CheckRecord[] = [
  {
    id: 'dedup.repeat-other-body',
    stimulus:
      'Sends three messages with one guid, once with each of its characters percent-encoded, and reads the queue’s feed.',
    clauses: ['dedup.repeat.other-body', 'dedup.repeat.status'],
    needs: ['dedup.repeat'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const guid = trial.freshGuid()
      const message = await sentWith(trial, queue, guid)
      await sendWith(trial, queue, guid, trial.freshMessage(), IGNORED)
      const encoded = [...Buffer.from(guid)].map((byte) => `%${byte.toString(16)}`).join('')
      await trial.post(withQuery(queue.uri, `guid=${encoded}`), trial.freshMessage().body)
      await expectPending(
        trial,
        queue,
        [message],
        'the first message of a guid in the queue as it was, and no other, also where the guid is percent-encoded',
      )
    },
  },
  {
    id: 'dedup.remembered',
    title: 'A guid is still seen after many others.',
    stimulus:
      'Sends a message with a guid, with guids of their own 70 others to its queue and 2,430 to other queues, fewer where answers take long or the target takes no more, and the first again.',
    clauses: ['dedup.repeat'],
    needs: ['dedup.repeat'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      // How many messages a queue may hold is left open: few at once go to each of some.
      const someQueues = () => Promise.all(Array.from({ length: 3 }, () => trial.createQueue()))
      let others = await someQueues()
      const guid = trial.freshGuid()
      const message = await sentWith(trial, queue, guid)
      const near = await sendManyWithGuids(trial, queue, 70)
      let sent = 0
      const send = async () => {
        const queue = others[sent++ % others.length]!
        return [await trial.postWithGuid(queue, trial.freshGuid(), trial.freshMessage().body)]
      }
      const far = await inBursts(2430, send, async () => {
        others = (await unlessBlocked(someQueues)) ?? others
      })
      trial.choose('guids-between-a-send-and-its-repeat', String(near.length + far))
      await sendWith(trial, queue, guid, message, IGNORED)
      await expectPending(trial, queue, [message, ...near], ONE)
    },
  },
]
