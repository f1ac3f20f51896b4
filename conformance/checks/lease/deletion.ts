import { answered } from '../../client/answered.js'
import { succeeded } from '../../client/exchange.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectDelivered, expectEachWithOne, expectGone, expectWithheld } from '../../trial/deliveries.js'
import { expectPending } from '../../trial/pending.js'
import { missing } from '../../trial/reading.js'
import type { QueueHandle, Trial } from '../../trial/trial.js'

/** Consumers that hold one message in turn. */
const HOLDERS = 25

/** What becomes of a consumer's messages when its subscription is deleted. */
export const LEASE_DELETION: readonly CheckRecord[] = [
  {
    id: 'lease.deletion-hands-over',
    title:
      'Deleting a subscription gives all its unacknowledged messages to a consumer that subscribes later.',
    stimulus:
      'A consumer reads three messages, acknowledges one and is deleted; another subscribes and reads.',
    clauses: ['lease.delete.hands-over', 'lease.delete.all', 'lease.delete.waits', 'lease.reassign'],
    needs: ['subscribe.delete', 'subscribe.own-address', 'ack.leaves-feed'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const { holder, rest } = await holdThree(trial, queue)
      await holder.end()
      const successor = await trial.subscribe(queue)
      await expectDelivered(trial, [successor], rest, 'both messages that were not acknowledged')
    },
  },
  {
    id: 'lease.deletion-hands-over-to-waiting',
    title:
      'Deleting a subscription gives its unacknowledged messages, and only these, to a consumer that waits already.',
    stimulus:
      'A consumer reads three messages and acknowledges one; another subscribes; the first is deleted, and the other reads.',
    clauses: ['lease.delete.hands-over', 'lease.delete.all', 'lease.delete.only', 'lease.reassign'],
    needs: ['subscribe.delete-spares-others', 'subscribe.own-address', 'ack.final-for-its-consumer'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const { holder, acknowledged, rest } = await holdThree(trial, queue)
      const successor = await trial.subscribe(queue)
      await holder.end()
      await expectDelivered(trial, [successor], rest, 'both messages that were not acknowledged')
      await expectWithheld(trial, successor, [acknowledged], 'only the messages that were not acknowledged')
    },
  },
  {
    id: 'lease.deletion-of-unread',
    title: 'A deleted subscription keeps nothing of what came for it, even where it was never read.',
    stimulus: 'A consumer subscribes; messages are sent; it is deleted unread; another subscribes and reads.',
    clauses: ['lease.delete.hands-over', 'lease.delete.all'],
    needs: ['subscribe.delete', 'subscribe.own-address', 'consume.repeat'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const silent = await trial.subscribe(queue)
      const messages = await trial.sendMany(queue, 3)
      await silent.end()
      const successor = await trial.subscribe(queue)
      await expectDelivered(trial, [successor], messages, 'all three messages with the second consumer')
    },
  },
  {
    id: 'lease.deleted-receives-nothing',
    title: 'A deleted subscription receives nothing more.',
    stimulus: 'Of two consumers one is deleted; all messages sent then must come to the other.',
    clauses: ['subscribe.delete.unreadable', 'consume.delivered'],
    needs: ['subscribe.delete-spares-others', 'subscribe.own-address'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const [gone, left] = await Promise.all([trial.subscribe(queue), trial.subscribe(queue)])
      await gone.read()
      await gone.end()
      const messages = await trial.sendMany(queue, 4)
      await expectDelivered(trial, [left], messages, 'all four messages with the consumer that is left')
    },
  },
  {
    id: 'lease.deletion-to-exactly-one',
    title: 'Each message that a deleted subscription gives up goes to exactly one of several consumers.',
    stimulus:
      'A consumer that holds four messages is deleted beside two others, which read at the same time; then these are deleted beside two more.',
    clauses: ['lease.reassign', 'consume.exactly-one'],
    needs: ['consume.exactly-one', 'lease.deletion-hands-over-to-waiting'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages = await trial.sendMany(queue, 4)
      const holder = await trial.subscribe(queue)
      await holder.receive(messages)
      const successors = await Promise.all([trial.subscribe(queue), trial.subscribe(queue)])
      await holder.end()
      await expectEachWithOne(trial, successors, messages)
      const others = await Promise.all([trial.subscribe(queue), trial.subscribe(queue)])
      // Whether these are deleted or have ended by now: they give up what they hold.
      await Promise.all(successors.map((consumer) => consumer.endIfActive()))
      await expectEachWithOne(trial, others, messages)
    },
  },
  {
    id: 'lease.deletion-hands-over-again',
    title: 'A message that changed hands can change hands again, and be acknowledged where it is then.',
    stimulus:
      'Two messages go from a deleted consumer to a second and, when that is deleted, to a third, which acknowledges one.',
    clauses: ['lease.delete.again-ackable', 'lease.reassign'],
    needs: ['lease.deletion-hands-over'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages = await trial.sendMany(queue, 2)
      const first = await trial.subscribe(queue)
      await first.receive(messages)
      await first.end()
      const second = await trial.subscribe(queue)
      await expectDelivered(trial, [second], messages, 'both messages with the second consumer')
      await second.end()
      const third = await trial.subscribe(queue)
      await expectDelivered(trial, [third], messages, 'both messages with the third consumer')
      const [entry] = await third.receive(messages)
      const answer = await third.tryAck(entry!)
      trial.expect(succeeded(answer), '200 for the ack of its new consumer', answered(answer))
      await expectGone(trial, third, [messages[0]!], 'the acknowledged message gone from the feed')
    },
  },
  {
    id: 'lease.pending-however-often',
    stimulus:
      'Twenty-five consumers in turn are given a message, or are not, and are deleted; then the queue’s feed is read.',
    clauses: ['lease.pending-however-often', 'lease.redelivered-as-one'],
    needs: ['lease.deletion-hands-over'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const sent = await trial.send(queue)
      for (let holder = 1; holder <= HOLDERS; holder++) {
        const consumer = await trial.subscribe(queue)
        // That each of them is given it, the document does not say.
        const lacking = await missing(trial, [consumer], [sent])
        await consumer.end()
        if (lacking.length > 0) break
      }
      await expectPending(trial, queue, [sent], 'the message in its queue once, whoever had held it')
    },
  },
  {
    id: 'lease.redelivered-often',
    stimulus:
      'A message goes from one deleted consumer to the next, twenty-four in turn; one more reads it, and so does the queue’s feed.',
    clauses: ['lease.redelivered-often', 'lease.redelivered-as-one', 'lease.delete.hands-over'],
    needs: ['lease.deletion-hands-over'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const sent = await trial.send(queue)
      for (let holder = 1; holder <= HOLDERS; holder++) {
        const consumer = await trial.subscribe(queue)
        await expectDelivered(trial, [consumer], [sent], `the message with consumer ${holder} in turn`)
        await consumer.end()
      }
      await expectPending(trial, queue, [sent], `the message in its queue once after ${HOLDERS} consumers`)
    },
  },
]

async function holdThree(trial: Trial, queue: QueueHandle) {
  const messages = await trial.sendMany(queue, 3)
  const holder = await trial.subscribe(queue)
  const entries = await holder.receive(messages)
  await holder.ack(entries[0]!)
  return { holder, acknowledged: messages[0]!, rest: messages.slice(1) }
}
