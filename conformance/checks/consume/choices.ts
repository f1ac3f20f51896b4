import type { CheckRecord } from '../../trial/check.js'
import { labels, texts } from '../../trial/labels.js'
import { readBodies } from '../../trial/reading.js'
import type { Trial } from '../../trial/trial.js'
import { once } from '../../trial/waiting.js'

/** Who gets what, in which order and on what pages, where the document leaves it open. */
export const CONSUME_CHOICES: readonly CheckRecord[] = [
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
