import { contentsOf, messageUriOf } from '../../trial/addresses.js'
import { answered, succeeded } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectKept, expectWithheld } from '../../trial/deliveries.js'
import { holdAll } from '../../trial/held.js'
import {
  elapseUntil,
  exceptForASecond,
  holdForAShortLease,
  latestExpiry,
  needActive,
  successorAfter,
  takeOver,
} from '../../trial/lease-time.js'
import { expectPending } from '../../trial/pending.js'
import type { Trial } from '../../trial/trial.js'
import { unlessBlocked } from '../../trial/waiting.js'

/** Acknowledging: that message, no other, and once and for all. */
export const ACK: readonly CheckRecord[] = [
  {
    id: 'ack.final-after-expiry',
    stimulus:
      'A consumer acknowledges one of two messages and falls silent; another subscribes after its lease and receives the other.',
    clauses: ['ack.final.lease', 'lease.expiry.only'],
    needs: ['ack.leaves-feed', 'lease.expiry-hands-over'],
    passesTime: true,
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const { holder, messages, entries } = await holdForAShortLease(trial, queue, 2)
      await holder.ack(entries[0]!)
      const end = latestExpiry(trial, holder)
      const successor = await successorAfter(trial, queue, end)
      const lacking = await takeOver(trial, successor, [messages[1]!], end, (bodies) => {
        const back = bodies.includes(messages[0]!.text)
        trial.expect(!back, 'only the message that was not acknowledged', 'the acknowledged one came back')
      })
      trial.precondition(lacking.length === 0, 'lease.expiry-hands-over', 'the other message did not come')
    },
  },
  {
    id: 'ack.late-in-its-lease',
    stimulus:
      "A consumer reads two messages, acknowledges one when three quarters of its lease have passed, and the queue's feed is read.",
    clauses: ['ack.until-end'],
    needs: ['ack.leaves-queue', 'lease.active-until-end', 'browse.held', 'consume.repeat'],
    passesTime: true,
    run: (trial: Trial) =>
      exceptForASecond(trial, async (lease) => {
        const queue = await trial.createQueue()
        const { holder, messages, entries } = await holdForAShortLease(trial, queue, 2, { lease })
        await elapseUntil(trial, holder.createdAt + 0.75 * holder.lease)
        const answer = await holder.tryAck(entries[0]!)
        if (!succeeded(answer)) needActive(trial, holder)
        trial.expect(succeeded(answer), '200 before the lease has ended', answered(answer))
        await expectPending(trial, queue, [messages[1]!], 'the other message in the queue, and not that one')
      }),
  },
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
