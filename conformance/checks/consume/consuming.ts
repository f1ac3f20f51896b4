import { answered } from '../../client/answered.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectAtom } from '../../trial/expectations.js'
import { labels, texts } from '../../trial/labels.js'
import { readBodies } from '../../trial/reading.js'
import type { Sent, Trial } from '../../trial/trial.js'
import {
  type BeforeChange,
  expectOtherValidator,
  hasValidator,
  judgeValidators,
} from '../../trial/validators.js'
import { once } from '../../trial/waiting.js'

/** One consumer and its feed; who gets what, and on what pages, where the document leaves it open. */
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
      const entries = await consumer.receiveCount(3)
      const uris = entries.map((entry) => entry.messageUri)
      const lacking = entries.find((entry) => entry.messageUri === undefined)
      trial.expect(
        lacking === undefined,
        `an address in each entry, as its ${trial.profile.messageUri}`,
        () => `an entry with ${lacking!.links.map(({ rel }) => `link[rel=${rel}]`).join(', ') || 'no links'}`,
      )
      trial.expect(new Set(uris).size === uris.length, 'three different addresses', uris.join(', '))
    },
  },
  {
    id: 'consume.atom',
    title: "A subscription's feed is an Atom feed as RFC 4287 says, with ids that stay.",
    stimulus:
      'Reads an empty feed, and one of messages of two queues twice, looks for what RFC 4287 forbids and compares the ids.',
    clauses: ['browse.atom', 'browse.atom.media-type', 'browse.atom.ids-unique', 'browse.atom.ids-stable'],
    needs: ['consume.delivers', 'subscribe.several-destinations'],
    async run(trial: Trial) {
      const queues = await Promise.all([trial.createQueue(), trial.createQueue()])
      const messages = await Promise.all(queues.map((queue) => trial.sendMany(queue, 2)))
      const consumer = await trial.subscribe(queues)
      await consumer.receive(messages.flat())
      const first = await trial.readFeed(consumer.uri, 'consume.feed')
      const idle = await trial.subscribe(await trial.createQueue())
      const empty = await trial.readFeed(idle.uri, 'consume.feed')
      const problems = [...first.problems, ...empty.problems]
      trial.expect(problems.length === 0, 'a valid Atom feed', () => problems.join(' '))
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
    id: 'consume.validator',
    stimulus:
      "Keeps the ETag and the Last-Modified of a consumer's feed when it is empty, has one message, and two, and asks with each when the feed is another, once of as many.",
    clauses: ['consume.validator'],
    needs: ['ack.leaves-feed'],
    run: (trial: Trial) => judgeValidators(trial, (beforeChange) => judgeValidator(trial, beforeChange)),
  },
  {
    id: 'consume.in-turn',
    title: 'Messages go in turn to the subscriptions that have room.',
    stimulus:
      'Two consumers subscribe; four messages are sent one after another; the one reads, and then the other.',
    clauses: ['consume.in-turn'],
    needs: ['consume.exactly-one'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const one = await trial.subscribe(queue)
      const other = await trial.subscribe(queue)
      const messages = await trial.sendInOrder(queue, 4)
      // Not side by side: what is bound at the reading might then be shared by chance.
      let views: string[][] = []
      await trial.eventually(async () => {
        views = [await readBodies(trial, one), await readBodies(trial, other)]
        return once(views.flat().length >= messages.length)
      })
      const inTurn = views.every(
        (view) =>
          view.length === 2 && texts(messages).filter((text, i) => view.includes(text) && i < 2).length === 1,
      )
      trial.choose(
        'distribution',
        inTurn ? 'in turn' : views.some((view) => view.length === 4) ? 'all to one' : 'another',
      )
      trial.expect(
        inTurn,
        'two messages with each consumer, one of the first two and one of the last two',
        () => views.map((view) => labels(messages, view)).join(' with one, and with the other '),
      )
    },
  },
  {
    id: 'consume.one-page',
    stimulus: 'Reads a feed of twelve messages.',
    clauses: ['consume.one-page'],
    needs: ['consume.delivers'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      await trial.sendMany(queue, 12)
      const consumer = await trial.subscribe(queue, { prefetch: 12 })
      await consumer.receiveCount(12)
      const { pages } = await trial.readFeed(consumer.uri, 'consume.feed')
      trial.choose('subscription-feed-pages', pages.length === 1 ? 'one' : 'several')
      trial.expect(pages.length === 1, 'one page', `${pages.length} pages`)
    },
  },
]

async function judgeValidator(trial: Trial, beforeChange: BeforeChange): Promise<void> {
  const queue = await trial.createQueue()
  const consumer = await trial.subscribe(queue)
  const empty = await consumer.get()
  if (!hasValidator(empty)) return trial.observed('Its feeds have no ETag, and no Last-Modified.')
  await beforeChange(empty)
  const [entry] = await consumer.receive([await trial.send(queue)])
  const withMessage = await consumer.get()
  await expectOtherValidator(trial, empty, 'after a message came')
  await beforeChange(withMessage)
  await consumer.ack(entry!)
  await expectOtherValidator(trial, withMessage, 'after its message was acknowledged')
  const second = await trial.send(queue)
  const [older] = await consumer.receive([second])
  await expectOtherValidator(trial, withMessage, 'after one message has come for another')
  const third = await trial.send(queue)
  await consumer.receive([second, third])
  const withTwo = await consumer.get()
  await beforeChange(withTwo)
  await consumer.ack(older!)
  await expectOtherValidator(trial, withTwo, 'after the older of two messages was acknowledged')
}
