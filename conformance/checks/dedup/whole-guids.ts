import { refused, succeeded } from '../../client/exchange.js'
import { guidProblem } from '../../client/guids.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectPending } from '../../trial/pending.js'
import { sendWith } from '../../trial/sending.js'
import type { Sent, Trial } from '../../trial/trial.js'

/** Characters of guids: around lengths at which columns and buffers end. */
const LENGTHS = [65, 101, 129, 201, 255, 257, 513, 1025, 2049] as const

/** A guid is a string that is unique system-wide: all of it counts, and whoever sends it. */
export const DEDUP_WHOLE_GUIDS: readonly CheckRecord[] = [
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
