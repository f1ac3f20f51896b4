import { answered } from '../../client/answered.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectDelivered, expectWithheld } from '../../trial/deliveries.js'
import { expectAtom } from '../../trial/expectations.js'
import { labels, texts } from '../../trial/labels.js'
import { queuesBelowOne } from '../../trial/queues.js'
import { needRoom, never, readBodies, readTimes } from '../../trial/reading.js'
import type { Sent, Trial } from '../../trial/trial.js'
import { unlessBlocked, unlessNotApplicable } from '../../trial/waiting.js'

/** More often than a feed is read anywhere else here. */
const READINGS = 12

/** One consumer and its feed. */
export const CONSUME: readonly CheckRecord[] = [
  {
    id: 'consume.feed',
    title: 'A GET of a subscription is answered with 200 and an Atom feed, empty where there is no message.',
    stimulus: 'Subscribes to a fresh queue and reads the feed.',
    clauses: ['consume.status', 'consume.empty', 'lease.from-creation'],
    needs: ['subscribe.create'],
    async run(trial: Trial) {
      const consumer = await trial.subscribe(await trial.createQueue())
      const answer = await consumer.get()
      trial.expect(answer.status === 200, '200', answered(answer))
      const feed = await trial.readFeed(consumer.uri, 'consume.feed')
      expectAtom(trial, feed)
      trial.expect(
        feed.entries.length === 0,
        'no entry, since its queue has no message',
        `${feed.entries.length} entries`,
      )
    },
  },
  {
    id: 'consume.delivers',
    title: 'A message sent to a queue is in the feed of a subscription to it, whichever came first.',
    stimulus:
      'Subscribes to a queue with a message in it, and to one to which a message is sent then, and reads both feeds.',
    clauses: ['consume.delivered', 'consume.backlog', 'subscribe.destinations'],
    needs: ['consume.feed', 'send.post'],
    async run(trial: Trial) {
      // Each has room for one at least, whatever the target's own prefetch is.
      const [filled, empty] = await Promise.all([trial.createQueue(), trial.createQueue()])
      const before = await trial.send(filled)
      const consumers = await Promise.all([trial.subscribe(filled), trial.subscribe(empty)])
      const messages = [before, await trial.send(empty)]
      await expectDelivered(
        trial,
        consumers,
        messages,
        'messages 1, sent before its subscription, and 2, sent after its own',
      )
    },
  },
  {
    id: 'consume.entries',
    stimulus: 'Reads a feed of three messages several times and counts.',
    clauses: ['consume.entries'],
    needs: ['consume.delivers'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages = await trial.sendMany(queue, 3)
      const consumer = await trial.subscribe(queue)
      await consumer.receive(messages)
      const expected = texts(messages).toSorted().join()
      const other = await never(trial, consumer, async () => {
        const bodies = await readBodies(trial, consumer)
        return bodies.toSorted().join() === expected ? undefined : bodies
      })
      trial.expect(other === undefined, 'messages 1, 2 and 3, once each', () => labels(messages, other!))
    },
  },
  {
    id: 'consume.message-uri',
    title: 'Each entry gives the address of its message, and no two give the same.',
    stimulus: 'Reads a feed of three messages, two of them of one body, and compares their addresses.',
    clauses: ['consume.message-uri', 'consume.message-uri.own'],
    needs: ['consume.delivers'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const [{ body }] = (await trial.sendMany(queue, 2)) as [Sent, Sent]
      await trial.send(queue, body)
      const consumer = await trial.subscribe(queue)
      const uris = (await consumer.receiveCount(3)).map((entry) => entry.messageUri)
      const where = trial.profile.messageUri
      trial.expect(!uris.includes(undefined), `an address in each entry, as its ${where}`, 'an entry without')
      trial.expect(new Set(uris).size === uris.length, 'three different addresses', uris.join(', '))
    },
  },
  {
    id: 'consume.atom',
    title: "A subscription's feed is an Atom feed as RFC 4287 says, with ids that stay.",
    stimulus:
      'Reads a feed of messages of two queues twice, looks for what RFC 4287 forbids and compares the ids.',
    clauses: ['browse.atom', 'browse.atom.media-type', 'browse.atom.ids-unique', 'browse.atom.ids-stable'],
    needs: ['consume.delivers', 'subscribe.several-destinations'],
    async run(trial: Trial) {
      const queues = await Promise.all([trial.createQueue(), trial.createQueue()])
      const messages = await Promise.all(queues.map((queue) => trial.sendMany(queue, 2)))
      const consumer = await trial.subscribe(queues)
      await consumer.receive(messages.flat())
      const first = await trial.readFeed(consumer.uri, 'consume.feed')
      trial.expect(first.problems.length === 0, 'a valid Atom feed', () => first.problems.join(' '))
      const type = first.pages[0]?.headers['content-type'] ?? 'no media type'
      trial.expect(/^application\/atom\+xml *(;|$)/i.test(type), 'application/atom+xml', type)
      const second = await trial.readFeed(consumer.uri, 'consume.feed')
      const ids = (entries: typeof first.entries) =>
        entries
          .map((entry) => entry.id)
          .toSorted()
          .join(', ')
      trial.expect(
        ids(first.entries) === ids(second.entries) && first.id === second.id,
        `the ids of the first reading: ${first.id}, ${ids(first.entries)}`,
        () => `${second.id}, ${ids(second.entries)}`,
      )
    },
  },
  {
    id: 'consume.repeat',
    title: 'Reading a feed takes nothing: the same messages are there until they are acknowledged.',
    stimulus: 'Reads a feed of three messages again and again, and acknowledges none.',
    clauses: ['consume.repeat'],
    needs: ['consume.delivers'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages = await trial.sendMany(queue, 3)
      const consumer = await trial.subscribe(queue)
      await consumer.receive(messages)
      for (const entries of await readTimes(consumer, 2)) {
        const bodies = await trial.bodies(entries)
        trial.expect(
          texts(messages).every((text) => bodies.includes(text)),
          'messages 1, 2 and 3 in every reading',
          () => labels(messages, bodies),
        )
      }
    },
  },
  {
    id: 'consume.later',
    title: 'What is sent after a feed was read appears in it later, beside what is there.',
    stimulus: 'Reads one message, sends another and reads on.',
    clauses: ['consume.later', 'consume.repeat'],
    needs: ['consume.repeat'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await trial.subscribe(queue)
      needRoom(trial, [consumer], 2)
      await consumer.read()
      const first = await trial.send(queue)
      await consumer.receive([first])
      const messages = [first, await trial.send(queue)]
      let bodies: string[] = []
      const both = await trial.eventually(async () => {
        bodies = await readBodies(trial, consumer)
        return texts(messages).every((text) => bodies.includes(text)) ? true : undefined
      })
      trial.expect(both === true, 'messages 1 and 2, the second sent after the first was read', () =>
        labels(messages, bodies),
      )
    },
  },
  {
    id: 'consume.read-often',
    title: 'However often a feed is read, empty or not, it shows what there is.',
    stimulus: 'Reads an empty feed twelve times, sends a message, and reads the feed twelve times more.',
    clauses: ['consume.after-idle', 'consume.repeat'],
    needs: ['consume.later'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await trial.subscribe(queue)
      await readTimes(consumer, READINGS)
      const message = await trial.send(queue)
      await expectDelivered(trial, [consumer], [message], 'the message that was sent after the readings')
      const counts = (await readTimes(consumer, READINGS)).map(({ length }) => length)
      trial.expect(
        counts.every((count) => count === 1),
        'the message, which was not acknowledged, in every reading',
        `${counts.join(', ')} entries`,
      )
    },
  },
  {
    id: 'consume.only-its-destinations',
    stimulus:
      'Sends to queues beside the one subscribed to, under the same category, with a name that begins alike, above it and below it, then to the one subscribed to.',
    clauses: ['subscribe.destinations.only'],
    needs: ['consume.delivers'],
    async run(trial: Trial) {
      const { prefix, queues } = await queuesBelowOne(trial, ['one', 'two', 'one-more'])
      const [queue, sibling, longer] = queues
      // That a queue can stand above another is the question of other checks.
      const [above, below] = await Promise.all(
        [prefix, `${prefix}/one/below`].map((path) =>
          unlessBlocked(() => unlessNotApplicable(() => trial.createQueue(path))),
        ),
      )
      const others = [await trial.send(sibling!)]
      const consumer = await trial.subscribe(queue!)
      const beside = [sibling!, longer!, above, below].filter((each) => each !== undefined)
      others.push(...(await Promise.all(beside.map((other) => trial.send(other)))))
      await consumer.receive([await trial.send(queue!)])
      await expectWithheld(trial, consumer, others, 'only the message of the queue subscribed to')
    },
  },
]
