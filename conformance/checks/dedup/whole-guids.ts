import { refused, succeeded } from '../../client/exchange.js'
import { guidProblem } from '../../client/guids.js'
import { withGuid } from '../../trial/addresses.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectAsSent, expectPending } from '../../trial/pending.js'
import { IGNORED, sendWith, sentWith } from '../../trial/sending.js'
import type { Sent, Trial } from '../../trial/trial.js'
import { unauthorized } from '../../trial/unauthorized.js'

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
  {
    id: 'dedup.any-party',
    stimulus:
      'The owner sends a message with a guid; each other party of the profile that may send sends another with it.',
    clauses: ['dedup.any-party'],
    needs: ['dedup.repeat'],
    async run(trial: Trial) {
      if (!trial.profile.features.auth) return trial.observed('The target does not ask who sends.')
      const queue = await trial.createQueue()
      const guid = trial.freshGuid()
      const message = await sentWith(trial, queue, guid)
      let accepted = 0
      for (const { headers } of unauthorized(trial, 'all')) {
        const answer = await trial.target.request('POST', withGuid(queue.uri, guid), {
          as: headers,
          headers: { ...trial.profile.message.headers },
          body: trial.freshMessage().body,
        })
        if (succeeded(answer)) accepted += 1
      }
      trial.choose('other-parties-that-may-send', String(accepted))
      if (accepted === 0) trial.observed('No other party of the profile may send to the queue.')
      await sendWith(trial, queue, guid, trial.freshMessage(), IGNORED)
      await expectAsSent(trial, queue, [message], 'one message for one guid, whoever sends it again')
    },
  },
]
