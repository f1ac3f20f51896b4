import { contentsOf, messageUriOf } from '../../trial/addresses.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectKept, expectWithheld } from '../../trial/deliveries.js'
import { holdAll } from '../../trial/held.js'
import { expectPending } from '../../trial/pending.js'
import type { Trial } from '../../trial/trial.js'
import { unlessBlocked } from '../../trial/waiting.js'

/** Acknowledging: that message, no other, and once and for all. */
export const ACK: readonly CheckRecord[] = [
  {
    id: 'ack.only-by-deletion',
    title:
      'Looking at a message, its contents, its feed or its queue, by GET or by HEAD, acknowledges nothing.',
    stimulus:
      "Asks for a message's address, for the feed, for its queue, and for what entries of both link to as contents, by GET and by HEAD, beside another consumer, and reads on.",
    clauses: ['consume.repeat', 'browse.pending.held'],
    needs: ['consume.repeat', 'consume.message-uri', 'browse.held', 'consume.own-view'],
    async run(trial: Trial) {
      const { queue, messages, consumer, entries } = await holdAll(trial, (to) => trial.sendMany(to, 2))
      // Without another consumer what was given up would come back to the same one.
      const other = await trial.subscribe(queue)
      // Whether these are answered at all is left open.
      const listed = (await unlessBlocked(() => trial.browse(queue)))?.entries ?? []
      const contents = [entries[0]!, ...listed].flatMap(contentsOf)
      for (const method of ['HEAD', 'GET']) {
        for (const uri of [consumer.uri, messageUriOf(entries[0]!), queue.uri, ...contents])
          await trial.target.request(method, uri)
      }
      const none = 'none of the messages of the consumer that was looked at'
      await expectWithheld(trial, other, messages, none)
      await expectKept(trial, consumer, messages, 'both messages, of which none was acknowledged')
      await expectPending(trial, queue, messages, 'both messages in the feed of the queue')
    },
  },
]
