import { prefetchUpTo } from '../../client/subscription-request.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectDelivered, expectEachWithOne, expectWithheld } from '../../trial/deliveries.js'
import { drain, handedTwice } from '../../trial/drain.js'
import { labels, texts } from '../../trial/labels.js'
import { coverInEveryWay, sendOfEveryKind } from '../../trial/of-every-kind.js'
import { missing, readAtOnce, shared } from '../../trial/reading.js'
import { addressed, sendAsMany } from '../../trial/sending.js'
import type { Trial } from '../../trial/trial.js'

/** Several consumers of one queue: each message is with exactly one of them, and each with one. */
export const CONSUME_TOGETHER: readonly CheckRecord[] = [
  {
    id: 'consume.exactly-one',
    title: 'Each message goes to exactly one of several consumers.',
    stimulus:
      'Three consumers subscribe; messages are sent; all read until every message has been seen, and once more.',
    clauses: ['consume.exactly-one', 'consume.own-view', 'subscribe.own-feed'],
    needs: ['consume.delivers', 'subscribe.own-address'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const posts = await addressed(trial, queue, 6)
      const consumers = await Promise.all([1, 2, 3].map(() => trial.subscribe(queue)))
      const messages = await Promise.all(posts.map((post) => post()))
      await expectEachWithOne(trial, consumers, messages)
    },
  },
  {
    id: 'consume.exactly-one-of-backlog',
    title: 'Messages that wait before there is a consumer go to exactly one of several, too.',
    stimulus:
      'Messages are sent; two consumers subscribe at once and read until every message has been seen.',
    clauses: ['consume.exactly-one', 'consume.backlog'],
    needs: ['consume.delivers', 'subscribe.own-address'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages = await trial.sendMany(queue, 6)
      const consumers = await Promise.all([trial.subscribe(queue), trial.subscribe(queue)])
      await expectEachWithOne(trial, consumers, messages)
    },
  },
  {
    id: 'consume.exactly-one-of-every-kind',
    title:
      'Each message goes to one of several consumers, however it was sent and whatever destination covers it.',
    stimulus:
      'Two consumers cover the same two queues, of which one was made again, and, where the target offers it, a third by a wildcard and by its name; messages are sent in every way, and both read until every message has been seen, and once more.',
    clauses: ['consume.exactly-one', 'consume.own-view'],
    needs: ['consume.exactly-one', 'subscribe.several-destinations'],
    async run(trial: Trial) {
      const covered = await coverInEveryWay(trial)
      const { destinations, prefetch } = covered
      const consumers = [1, 2].map(() => trial.subscribe(destinations, { prefetch }))
      const both = await Promise.all(consumers)
      await expectEachWithOne(trial, both, await sendOfEveryKind(trial, covered))
    },
  },
  {
    id: 'consume.parallel',
    stimulus: 'Three consumers read four times each, all at once, while messages wait and others arrive.',
    clauses: ['consume.parallel', 'consume.exactly-one'],
    needs: ['consume.exactly-one'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const waiting = await trial.sendMany(queue, 4)
      const consumers = await Promise.all([1, 2, 3].map(() => trial.subscribe(queue)))
      const reads = consumers.map((consumer) => readAtOnce(trial, consumer, 4))
      const [arriving, readings] = await Promise.all([trial.sendMany(queue, 4), Promise.all(reads)])
      const messages = [...waiting, ...arriving]
      const views = await Promise.all(readings.map((entries) => trial.bodies(entries.flat())))
      const both = shared(views)
      trial.expect(
        both.length === 0,
        'no message in the feeds of two consumers',
        () => `${labels(messages, both)} in two feeds`,
      )
      await expectDelivered(trial, consumers, messages, 'every message with one of the consumers')
    },
  },
  {
    id: 'consume.own-view',
    title: 'A consumer does not see what another holds.',
    stimulus:
      'One consumer reads three messages; another subscribes, one more message is sent, and the other reads.',
    clauses: ['consume.own-view', 'consume.exactly-one'],
    needs: ['consume.delivers', 'subscribe.own-address'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const held = await trial.sendMany(queue, 3)
      const holder = await trial.subscribe(queue)
      await holder.receive(held)
      const other = await trial.subscribe(queue)
      const later = await trial.send(queue)
      await missing(trial, [holder, other], [later])
      await expectWithheld(trial, other, held, 'none of the messages that the first consumer holds')
    },
  },
  {
    id: 'consume.all',
    stimulus:
      'Two consumers of a small prefetch read and acknowledge until all of many messages have been seen.',
    clauses: ['consume.all', 'consume.exactly-one'],
    needs: ['consume.exactly-one', 'prefetch.refill', 'ack.final-for-its-consumer', 'ack.final-for-others'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const waiting = await trial.sendMany(queue, 4)
      const consumers = await Promise.all([1, 2].map(() => trial.subscribe(queue, { prefetch: 3 })))
      const messages = [...waiting, ...(await trial.sendMany(queue, 9))]
      const drained = await drain(trial, consumers, messages)
      trial.expect(
        drained.missing.length === 0,
        'every message with one of the consumers',
        () => `without ${labels(messages, texts(drained.missing))}`,
      )
      const twice = handedTwice(drained)
      trial.expect(
        twice.length === 0,
        'no message handed to both consumers',
        () => `${labels(messages, twice)} handed to both`,
      )
    },
  },
  {
    id: 'consume.many',
    title:
      'One consumer is given all of many messages, each at an address of its own, however many it has acknowledged.',
    stimulus:
      'Sends seven times as many messages as a consumer holds at once, 130 at most, as far as the queue takes them; it reads and acknowledges until all have been seen.',
    clauses: ['consume.all', 'consume.backlog', 'consume.message-uri.own'],
    needs: ['consume.all'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const prefetch = prefetchUpTo(trial.profile, 26)
      const messages = await sendAsMany(trial, queue, Math.min(130, 7 * prefetch))
      trial.precondition(messages.length > 0, 'send.post', 'no message that was taken')
      const consumer = await trial.subscribe(queue, { prefetch })
      const { missing, addresses } = await drain(trial, [consumer], messages)
      trial.expect(
        missing.length === 0,
        `all ${messages.length} messages with the consumer`,
        () => `${missing.length} did not come`,
      )
      const reused = [...addresses].find(([, bodies]) => bodies.size > 1)
      trial.expect(reused === undefined, 'an address for each message that no other had', () => {
        const [uri, bodies] = reused!
        return `${labels(messages, [...bodies])} at ${uri}`
      })
    },
  },
]
