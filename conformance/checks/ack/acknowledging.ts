import type { Entry } from '../../client/entry.js'
import { contentsOf, messageUriOf } from '../../trial/addresses.js'
import { answered, succeeded } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectGone, expectKept, expectWithheld } from '../../trial/deliveries.js'
import { holdAll, holdOne } from '../../trial/held.js'
import { labels } from '../../trial/labels.js'
import {
  elapseUntil,
  exceptForASecond,
  holdForAShortLease,
  latestExpiry,
  needActive,
  successorAfter,
  takeOver,
} from '../../trial/lease-time.js'
import { coverInEveryWay, sendOfEveryKind } from '../../trial/of-every-kind.js'
import { expectPending, pendingBodies } from '../../trial/pending.js'
import { never } from '../../trial/reading.js'
import { addressed } from '../../trial/sending.js'
import type { Trial } from '../../trial/trial.js'
import { found, once, unlessBlocked } from '../../trial/waiting.js'

/** Acknowledging: that message, no other, and once and for all. */
export const ACK: readonly CheckRecord[] = [
  {
    id: 'ack.succeeds',
    stimulus: 'Reads a message and deletes it.',
    clauses: ['ack.status'],
    needs: ['consume.delivers', 'consume.message-uri'],
    async run(trial: Trial) {
      const { consumer, entry } = await holdOne(trial)
      const answer = await consumer.tryAck(entry)
      trial.expect(answer.status === 200, '200', answered(answer))
    },
  },
  {
    id: 'ack.leaves-feed',
    title: "An acknowledged message leaves its consumer's feed, and no other message does.",
    stimulus: 'Of three messages acknowledges the second and reads on.',
    clauses: ['ack.delete', 'ack.leaves-feed', 'ack.only-that'],
    needs: ['ack.succeeds', 'consume.repeat'],
    async run(trial: Trial) {
      const { messages, consumer, entries } = await holdAll(trial, (queue) => trial.sendInOrder(queue, 3))
      await consumer.ack(entries[1]!)
      const others = [messages[0]!, messages[2]!]
      const kept = 'the two messages that were not acknowledged still in the feed'
      // One after the other: a target may refuse a second reading of a feed while the first is under way.
      await expectGone(trial, consumer, [messages[1]!], 'the acknowledged message gone from the feed')
      await expectKept(trial, consumer, others, kept)
    },
  },
  {
    id: 'ack.leaves-queue',
    title: 'An acknowledged message leaves its queue, and no other message does.',
    stimulus: "Of three messages acknowledges the second and reads the queue's own feed.",
    clauses: ['ack.leaves-queue', 'ack.only-that', 'browse.pending.acknowledged'],
    needs: ['ack.succeeds', 'browse.queue'],
    async run(trial: Trial) {
      const { queue, messages, consumer, entries } = await holdAll(trial, (to) => trial.sendInOrder(to, 3))
      const listed = async () => pendingBodies(trial, queue, [messages[0]!, messages[2]!, messages[1]!])
      // Where a queue's feed leaves out what is held, which is another fault, the others cannot be missed in it.
      const before = await listed()
      await consumer.ack(entries[1]!)
      let after: string[] = []
      await trial.eventually(async () => {
        after = await listed()
        return once(!after.includes(messages[1]!.text))
      })
      trial.expect(!after.includes(messages[1]!.text), 'message 2 gone from the queue after its ack', () =>
        labels(messages, after),
      )
      const lost = await trial.never(async () => {
        const now = await listed()
        return found(before.filter((text) => text !== messages[1]!.text && !now.includes(text)))
      })
      trial.expect(
        lost === undefined,
        'messages 1 and 3, which were not acknowledged, still in the queue',
        () => `${labels(messages, lost!)} left it`,
      )
    },
  },
  {
    id: 'ack.any-order',
    stimulus:
      'Acknowledges the last message of a feed of up to ten, reads on, and acknowledges the others from the first on.',
    clauses: ['ack.any-order', 'ack.only-that', 'ack.status'],
    needs: ['ack.leaves-feed', 'prefetch.fills'],
    async run(trial: Trial) {
      const count = Math.max(3, Math.min(10, trial.profile.subscription.maxPrefetch))
      const { messages, consumer } = await holdAll(trial, (queue) => trial.sendMany(queue, count))
      const entries = await consumer.receiveCount(count)
      const [last, ...others] = [entries.at(-1)!, ...entries.slice(0, -1)]
      const ack = async (entry: Entry) => {
        const answer = await consumer.tryAck(entry)
        trial.expect(succeeded(answer), '200 for each message', answered(answer))
      }
      await ack(last)
      const left = await trial.bodies(others)
      const kept = messages.filter(({ text }) => left.includes(text))
      await expectKept(trial, consumer, kept, 'all but the last still in the feed')
      for (const entry of others) await ack(entry)
      await expectGone(trial, consumer, messages, 'all messages gone from the feed')
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
  {
    id: 'ack.equal-bodies',
    title: 'An acknowledgement of one of two messages with the same body leaves the other.',
    stimulus: 'Sends one body twice, to two addresses, acknowledges one of the messages, and then the other.',
    clauses: ['ack.only-that'],
    needs: ['ack.leaves-feed', 'consume.entries'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const { body } = await trial.send(queue)
      await trial.send(queue, body)
      const consumer = await trial.subscribe(queue)
      const [first] = await consumer.receiveCount(2)
      await consumer.ack(first!)
      const count = async () => (await consumer.read()).length
      let left = 2
      await trial.eventually(async () => {
        left = await count()
        return once(left < 2)
      })
      trial.expect(left === 1, 'one of the two messages left', `${left} left`)
      const lost = await never(trial, consumer, async () => once((await count()) === 0))
      trial.expect(lost === undefined, 'one of the two messages left', 'none left')
      const [second] = await consumer.receiveCount(1)
      const answer = await consumer.tryAck(second!)
      trial.expect(succeeded(answer), '200 for the ack of the other', answered(answer))
    },
  },
  {
    id: 'ack.parallel',
    title: 'Acknowledgements that are sent at once all count.',
    stimulus: 'Acknowledges five of six messages at once and reads on.',
    clauses: ['ack.status', 'ack.leaves-feed', 'ack.only-that'],
    needs: ['ack.leaves-feed'],
    async run(trial: Trial) {
      const { messages, consumer, entries } = await holdAll(trial, (queue) => trial.sendMany(queue, 6))
      const answers = await Promise.all(entries.slice(1).map((entry) => consumer.tryAck(entry)))
      const bad = answers.find((answer) => !succeeded(answer))
      trial.expect(bad === undefined, '200 for each of five acks', () => answered(bad!))
      await expectGone(trial, consumer, messages.slice(1), 'the acknowledged messages gone from the feed')
      await expectKept(trial, consumer, [messages[0]!], 'the message that was not acknowledged still there')
    },
  },
  {
    id: 'ack.repeat-harmless',
    title: 'A repeated acknowledgement touches no other message.',
    stimulus:
      'Of three messages acknowledges the second four times, three of these at once, and its address with another last segment; reads, and acknowledges the others.',
    clauses: ['ack.only-that'],
    needs: ['ack.leaves-feed'],
    async run(trial: Trial) {
      const { messages, consumer, entries } = await holdAll(trial, (queue) => trial.sendInOrder(queue, 3))
      const done = entries[1]!
      // Of several at once one may be refused.
      await Promise.all([1, 2, 3].map(() => consumer.tryAck(done)))
      const again = await consumer.tryAck(done)
      trial.choose('repeated-ack', String(again.status))
      await expectGone(trial, consumer, [messages[1]!], 'the acknowledged message gone from the feed')
      const unknown = messageUriOf(done).replace(/[^/]*$/, trial.freshGuid())
      await trial.target.request('DELETE', unknown)
      const others = [messages[0]!, messages[2]!]
      await expectKept(
        trial,
        consumer,
        others,
        'the two messages that were not acknowledged still in the feed',
      )
      for (const entry of [entries[0]!, entries[2]!]) {
        const answer = await consumer.tryAck(entry)
        trial.expect(succeeded(answer), '200 for each of the others', answered(answer))
      }
    },
  },
  {
    id: 'ack.however-it-came',
    title:
      'An acknowledged message leaves its queue, however it was sent and whatever destination covers it.',
    stimulus:
      'One subscription covers two queues, of which one was made again, and, where the target offers it, a third by a wildcard and by its name; each has a short message and one with a guid, one has 66 kB more, and one a message of the single path, as far as they are taken; all are acknowledged, and the queues’ feeds are read, also when the subscription is deleted.',
    clauses: ['ack.leaves-queue', 'ack.final.deleted'],
    needs: ['ack.leaves-queue', 'subscribe.several-destinations', 'prefetch.fills'],
    async run(trial: Trial) {
      const covered = await coverInEveryWay(trial)
      const { destinations, prefetch, queues } = covered
      const messages = await sendOfEveryKind(trial, covered)
      const consumer = await trial.subscribe(destinations, { prefetch })
      await Promise.all((await consumer.receive(messages)).map((entry) => consumer.ack(entry)))
      const expected = 'no message in a queue whose messages were all acknowledged'
      for (const queue of queues) await expectPending(trial, queue, [], expected)
      await consumer.endIfActive()
      for (const queue of queues) await expectPending(trial, queue, [], `${expected}, after the subscription`)
    },
  },
  {
    id: 'ack.final-for-its-consumer',
    stimulus: 'Acknowledges a message, sends another, and reads on when it has come.',
    clauses: ['ack.final.same'],
    needs: ['ack.leaves-feed', 'consume.later'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const [later] = await addressed(trial, queue, 1)
      const first = await trial.send(queue)
      const consumer = await trial.subscribe(queue)
      const [entry] = await consumer.receive([first])
      await consumer.ack(entry!)
      await expectGone(trial, consumer, [first], 'the acknowledged message gone from the feed')
      await consumer.receive([await later!()])
      await expectWithheld(trial, consumer, [first], 'only the message that was sent after the ack')
    },
  },
  {
    id: 'ack.final-for-others',
    stimulus:
      'One of two consumers acknowledges one of its two messages; more are sent than it has room for; the other reads, and a third that comes then.',
    clauses: ['ack.final.other'],
    needs: ['ack.leaves-feed', 'consume.own-view', 'prefetch.full-does-not-starve'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages = await trial.sendMany(queue, 2)
      const later = await addressed(trial, queue, 2)
      const consumer = await trial.subscribe(queue, { prefetch: 2 })
      const entries = await consumer.receive(messages)
      const other = await trial.subscribe(queue)
      await consumer.ack(entries[0]!)
      await Promise.all(later.map((post) => post()))
      await other.receiveCount(1)
      const newcomer = await trial.subscribe(queue)
      for (const each of [other, newcomer]) {
        await expectWithheld(trial, each, [messages[0]!], 'only messages that nobody has acknowledged')
      }
    },
  },
  {
    id: 'ack.final-after-deletion',
    stimulus:
      'A consumer acknowledges one of two messages and is deleted; another subscribes and receives the other.',
    clauses: ['ack.final.deleted', 'lease.delete.only'],
    needs: ['ack.leaves-feed', 'lease.deletion-hands-over'],
    async run(trial: Trial) {
      const { queue, messages, consumer, entries } = await holdAll(trial, (to) => trial.sendMany(to, 2))
      await consumer.ack(entries[0]!)
      await consumer.end()
      const successor = await trial.subscribe(queue)
      await successor.receive([messages[1]!])
      await expectWithheld(trial, successor, [messages[0]!], 'only the message that was not acknowledged')
    },
  },
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
]
