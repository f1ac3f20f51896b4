import { refused, succeeded } from '../../client/exchange.js'
import { guidProblem } from '../../client/guids.js'
import { withQuery } from '../../trial/addresses.js'
import { inBursts } from '../../trial/bursts.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectPending } from '../../trial/pending.js'
import { IGNORED, sendManyWithGuids, sendWith, sentWith } from '../../trial/sending.js'
import type { Sent, Trial } from '../../trial/trial.js'
import { unlessBlocked } from '../../trial/waiting.js'
import { framedChecks } from '../framed.js'

const ONE = 'one message for all sends with one guid'

/** Characters of guids: around lengths at which columns and buffers end. */
const LENGTHS = [65, 101, 129, 201, 255, 257, 513, 1025, 2049] as const

/** Sending in one request with a guid, which counts whole, as the message does: section 4.1, "Send, single request". */
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
  ...framedChecks('dedup'),
  {
    id: 'dedup.long',
    stimulus:
      'Sends messages with two guids of each of nine lengths up to 2,049 that differ in their last character, as far as they are taken.',
    clauses: ['dedup.whole'],
    needs: ['dedup.repeat'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const takes = (length: number) => guidProblem(trial.profile, 'x'.repeat(length)) === undefined
      const sent = await Promise.all(
        LENGTHS.filter(takes).map(async (length) => {
          const guid = trial.freshGuid().padEnd(length - 1, 'x')
          const messages: Sent[] = []
          for (const last of ['1', '2']) {
            const message = trial.freshMessage()
            const answer = await trial.postWithGuid(queue, `${guid}${last}`, message.body)
            // How long a guid may be is left open.
            if (refused(answer)) return { length, messages }
            if (!succeeded(answer)) await sendWith(trial, queue, `${guid}${last}`, message)
            messages.push(message)
          }
          return { length, messages }
        }),
      )
      const taken = sent.filter(({ messages }) => messages.length === 2).map(({ length }) => length)
      trial.choose(
        'guid-lengths',
        taken.length === 0 ? 'none of 65 or more' : `up to ${taken.at(-1)} or more`,
      )
      await expectPending(
        trial,
        queue,
        sent.flatMap(({ messages }) => messages),
        'a message for each guid that was taken, whatever its length',
      )
    },
  },
]
