import type { CheckRecord } from '../../trial/check.js'
import { expectAtMost } from '../../trial/deliveries.js'
import { coverInEveryWay, sendOfEveryKind } from '../../trial/of-every-kind.js'
import { queuesBelowOne } from '../../trial/queues.js'
import { countUpTo, nextMessage, readAtOnce } from '../../trial/reading.js'
import { addressed, sendAsMany } from '../../trial/sending.js'
import { wildcard } from '../../trial/subscription-form.js'
import type { Trial } from '../../trial/trial.js'
import { once } from '../../trial/waiting.js'

/** The prefetch of one consumer: never more, and as many as that. */
export const PREFETCH: readonly CheckRecord[] = [
  {
    id: 'prefetch.backlog',
    title: 'A consumer never holds more messages than its prefetch of those that waited for it.',
    stimulus:
      'Lets six messages wait, subscribes with a prefetch of 1, and elsewhere of 3, and reads several times.',
    clauses: ['prefetch.cap', 'prefetch.cap.at-once', 'prefetch.asked'],
    needs: ['consume.repeat', 'consume.entries'],
    async run(trial: Trial) {
      const capped = async (prefetch: number) => {
        const queue = await trial.createQueue()
        await trial.sendMany(queue, 6)
        const consumer = await trial.subscribe(queue, { prefetch })
        await expectAtMost(trial, consumer, prefetch, await consumer.receiveCount(1))
      }
      await Promise.all([capped(1), capped(3)])
    },
  },
  {
    id: 'prefetch.large',
    title: 'A consumer never holds more messages than its prefetch, however large that is.',
    stimulus:
      'Lets 28 messages wait, as far as the queue takes them, subscribes with a prefetch of 24 or the largest that there is, and reads several times.',
    clauses: ['prefetch.cap', 'prefetch.asked'],
    needs: ['prefetch.backlog'],
    async run(trial: Trial) {
      const prefetch = Math.min(24, trial.profile.subscription.maxPrefetch)
      const queue = await trial.createQueue()
      await sendAsMany(trial, queue, prefetch + 4)
      const consumer = await trial.subscribe(queue, { prefetch })
      await expectAtMost(trial, consumer, prefetch, await consumer.receiveCount(1))
    },
  },
  {
    id: 'prefetch.one-by-one',
    title: 'A consumer never holds more messages than its prefetch where they come one by one.',
    stimulus: 'Subscribes with a prefetch of 1, then sends three messages with a reading after each.',
    clauses: ['prefetch.cap', 'prefetch.cap.one-by-one', 'prefetch.asked'],
    needs: ['consume.repeat', 'consume.entries'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const [first, ...others] = await addressed(trial, queue, 3)
      const consumer = await trial.subscribe(queue, { prefetch: 1 })
      await first!()
      const readings = [await consumer.receiveCount(1)]
      for (const post of others) {
        await post()
        readings.push(await consumer.read())
      }
      await expectAtMost(trial, consumer, 1, readings.flat())
    },
  },
  {
    id: 'prefetch.burst',
    title: 'A consumer never holds more messages than its prefetch where they come all at once.',
    stimulus: 'Subscribes with a prefetch of 3, sends six messages side by side, and reads several times.',
    clauses: ['prefetch.cap', 'prefetch.asked'],
    needs: ['consume.repeat', 'consume.entries'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const posts = await addressed(trial, queue, 6)
      const consumer = await trial.subscribe(queue, { prefetch: 3 })
      await Promise.all(posts.map((post) => post()))
      await expectAtMost(trial, consumer, 3, await consumer.receiveCount(1))
    },
  },
  {
    id: 'prefetch.parallel',
    title: 'A consumer never holds more messages than its prefetch where it reads several times at once.',
    stimulus:
      'Subscribes with a prefetch of 2 to a queue of messages and reads eight times at once, while others arrive.',
    clauses: ['prefetch.cap.parallel'],
    needs: ['prefetch.backlog'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      await trial.sendMany(queue, 4)
      const posts = await addressed(trial, queue, 4)
      const consumer = await trial.subscribe(queue, { prefetch: 2 })
      const reads = readAtOnce(trial, consumer, 8)
      const [readings] = await Promise.all([reads, ...posts.map((post) => post())])
      await expectAtMost(trial, consumer, 2, readings.flat())
    },
  },
  {
    id: 'prefetch.destinations',
    stimulus:
      'Subscribes to two queues of three messages each with a prefetch of 2, sends one more to each, and reads several times.',
    clauses: ['prefetch.cap.destinations'],
    needs: ['prefetch.backlog', 'subscribe.several-destinations'],
    async run(trial: Trial) {
      const queues = await Promise.all([trial.createQueue(), trial.createQueue()])
      await Promise.all(queues.map((queue) => trial.sendMany(queue, 3)))
      const posts = (await Promise.all(queues.map((queue) => addressed(trial, queue, 1)))).flat()
      const consumer = await trial.subscribe(queues, { prefetch: 2 })
      const earlier = await consumer.receiveCount(1)
      await Promise.all(posts.map((post) => post()))
      await expectAtMost(trial, consumer, 2, earlier)
    },
  },
  {
    id: 'prefetch.over-wildcard',
    title: 'The prefetch counts the messages of all queues that a wildcard covers together.',
    stimulus:
      'Subscribes by wildcard to two queues of three messages each with a prefetch of 2, and reads several times, also when a third queue has come with three more.',
    clauses: ['prefetch.cap.destinations', 'subscribe.wildcard'],
    grade: 'optional',
    feature: 'wildcards',
    needs: ['prefetch.destinations', 'subscribe.wildcard'],
    async run(trial: Trial) {
      const { prefix, queues } = await queuesBelowOne(trial, ['one', 'two'])
      await Promise.all(queues.map((queue) => trial.sendMany(queue, 3)))
      const consumer = await trial.subscribe(wildcard(trial, prefix), { prefetch: 2 })
      const earlier = await consumer.receiveCount(1)
      await trial.sendMany(await trial.createQueue(`${prefix}/later`), 3)
      await expectAtMost(trial, consumer, 2, earlier)
    },
  },
  {
    id: 'prefetch.of-every-kind',
    title: 'The prefetch counts every message, however it was sent and whatever destination covers it.',
    stimulus:
      'One subscription with a prefetch of 2 covers two queues, of which one was made again, and, where the target offers it, a third by a wildcard and by its name; each has a short message and one with a guid, one has 66 kB more, and one a message of the single path, as far as they are taken, and one message more when its consumer has read; then one subscription each, with a prefetch of 2, covers each queue.',
    clauses: ['prefetch.cap', 'prefetch.cap.destinations'],
    needs: ['prefetch.destinations'],
    async run(trial: Trial) {
      const covered = await coverInEveryWay(trial)
      await sendOfEveryKind(trial, { ...covered, prefetch: 9 })
      const consumer = await trial.subscribe(covered.destinations, { prefetch: 2 })
      const earlier = await consumer.receiveCount(1)
      await Promise.all(covered.queues.map((queue) => trial.send(queue)))
      await expectAtMost(trial, consumer, 2, earlier)
      await consumer.endIfActive()
      const each = covered.destinations.slice(0, 3).map(async (destination) => {
        const own = await trial.subscribe(destination, { prefetch: 2 })
        await expectAtMost(trial, own, 2, await own.receiveCount(1))
      })
      await Promise.all(each)
    },
  },
  {
    id: 'prefetch.fills',
    stimulus:
      'Subscribes with a prefetch of 3 to five messages, with 6 to four and to seven, and with the largest up to 10 to as many, each in a queue of its own.',
    clauses: ['prefetch.fills', 'prefetch.asked'],
    needs: ['consume.repeat', 'consume.entries', 'send.at-once'],
    async run(trial: Trial) {
      const fills = async (count: number, prefetch: number) => {
        const queue = await trial.createQueue()
        await trial.sendMany(queue, count)
        const consumer = await trial.subscribe(queue, { prefetch })
        const room = Math.min(count, prefetch)
        const seen = await countUpTo(trial, consumer, room)
        trial.expect(
          seen >= room,
          `${room} messages of ${count} with a prefetch of ${prefetch}`,
          `${seen} unacknowledged`,
        )
      }
      const most = Math.min(10, trial.profile.subscription.maxPrefetch)
      await Promise.all([fills(5, 3), fills(4, 6), fills(7, 6), fills(most, most)])
    },
  },
  {
    id: 'prefetch.refill',
    stimulus:
      'A consumer with a prefetch of 2 is full beside waiting messages; it acknowledges one and reads.',
    clauses: ['prefetch.refill'],
    needs: ['prefetch.fills', 'ack.leaves-feed'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      await trial.sendMany(queue, 4)
      const consumer = await trial.subscribe(queue, { prefetch: 2 })
      const entries = await consumer.receiveCount(2)
      const known = await trial.bodies(entries)
      await consumer.ack(entries[0]!)
      const next = await nextMessage(trial, consumer, known)
      trial.expect(next !== undefined, 'one more message after the ack', 'none came')
    },
  },
  {
    id: 'prefetch.after-acks',
    title: 'The prefetch still holds after some messages were acknowledged and others came.',
    stimulus:
      'A full consumer with a prefetch of 2 acknowledges one message, then the other, and reads after each.',
    clauses: ['prefetch.cap.after-acks'],
    needs: ['prefetch.backlog', 'prefetch.refill'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      await trial.sendMany(queue, 6)
      const consumer = await trial.subscribe(queue, { prefetch: 2 })
      const entries = await consumer.receiveCount(2)
      const known = (await trial.bodies(entries)).slice(0, 2)
      await consumer.ack(entries[0]!)
      // Read before the next ack: where content is only linked, a message takes it along when it goes.
      const between = await trial.bodies(await consumer.read())
      await consumer.ack(entries[1]!)
      const after = await consumer.receiveCount(1)
      const held = between.filter((body) => body !== known[0])
      trial.expect(
        new Set(held).size <= 2,
        'at most 2 unacknowledged messages after one ack',
        `${new Set(held).size} unacknowledged`,
      )
      await expectAtMost(trial, consumer, 2, after, known)
    },
  },
  {
    id: 'prefetch.after-many-acks',
    title: 'The prefetch still holds after many acknowledgements.',
    stimulus:
      'A consumer with a prefetch of 2 acknowledges seven of ten messages, one after another, and reads.',
    clauses: ['prefetch.cap.after-acks'],
    needs: ['prefetch.after-acks'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      await trial.sendMany(queue, 10)
      const consumer = await trial.subscribe(queue, { prefetch: 2 })
      const acknowledged: string[] = []
      for (let count = 0; count < 7; count++) {
        // What was acknowledged before may still be shown, where effects take their time.
        const next = await nextMessage(trial, consumer, acknowledged)
        trial.precondition(next !== undefined, 'prefetch.refill', `no other message after ${count} acks`)
        acknowledged.push(next.body)
        await consumer.ack(next.entry)
      }
      await expectAtMost(trial, consumer, 2, await consumer.receiveCount(1), acknowledged)
    },
  },
  {
    id: 'prefetch.acks-at-once',
    title: 'The prefetch still holds after several acknowledgements at once.',
    stimulus: 'A full consumer with a prefetch of 5 acknowledges all five at once, and reads.',
    clauses: ['prefetch.cap.after-acks'],
    needs: ['prefetch.after-acks', 'ack.parallel'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      await trial.sendMany(queue, 12)
      const consumer = await trial.subscribe(queue, { prefetch: 5 })
      const entries = await consumer.receiveCount(5)
      const acknowledged = await trial.bodies(entries)
      await Promise.all(entries.map((entry) => consumer.tryAck(entry)))
      await expectAtMost(trial, consumer, 5, await consumer.receiveCount(1), acknowledged)
    },
  },
  {
    id: 'prefetch.repeated-ack',
    title: 'A repeated acknowledgement makes no more room than one.',
    stimulus:
      'A full consumer with a prefetch of 2 acknowledges one message, sends the same DELETE twice more, and reads.',
    clauses: ['prefetch.cap.after-acks'],
    needs: ['prefetch.after-acks'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      await trial.sendMany(queue, 6)
      const consumer = await trial.subscribe(queue, { prefetch: 2 })
      const [first] = await consumer.receiveCount(2)
      const acknowledged = await trial.bodies([first!])
      await consumer.ack(first!)
      await Promise.all([consumer.tryAck(first!), consumer.tryAck(first!)])
      await expectAtMost(trial, consumer, 2, [], acknowledged)
    },
  },
  {
    id: 'prefetch.unknown-ack',
    title: 'A DELETE of an address that is no message of the consumer makes no room.',
    stimulus:
      'A full consumer with a prefetch of 2 sends a DELETE to a made-up address beside its messages, and reads.',
    clauses: ['prefetch.cap'],
    needs: ['prefetch.backlog', 'prefetch.fills'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      await trial.sendMany(queue, 5)
      const consumer = await trial.subscribe(queue, { prefetch: 2 })
      const entries = await consumer.receiveCount(2)
      const uri = entries[0]!.messageUri
      trial.precondition(
        uri !== undefined,
        'consume.message-uri',
        'an entry without the address of its message',
      )
      const invented = new URL(uri)
      invented.pathname += '-that-nobody-made'
      const answer = await trial.target.request('DELETE', invented.href)
      trial.choose('ack-of-a-longer-address', String(answer.status))
      if (answer.status < 200 || answer.status > 299) return expectAtMost(trial, consumer, 2, entries)
      // A target may have read the address as that of the message beside it, which then has left the feed.
      const fits = await trial.eventually(async () => once((await consumer.read()).length <= 2))
      trial.expect(fits === true, 'at most 2 messages, which is the prefetch', 'more in one reading')
    },
  },
]
