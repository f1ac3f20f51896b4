import type { Feed } from '../../client/feed.js'
import { isChild, standsFor } from '../../client/listings.js'
import { withQuery } from '../../trial/addresses.js'
import type { CheckRecord } from '../../trial/check.js'
import { quote } from '../../trial/labels.js'
import { pendingBodies, sameTexts, untilPending } from '../../trial/pending.js'
import type { QueueHandle, Trial } from '../../trial/trial.js'

/** The listing of a category, at its address with a trailing slash. */
function listing(trial: Trial, category: string): Promise<Feed> {
  return trial.readFeed(`${trial.target.queueUri(category)}/`, 'browse.subtree')
}

/** A category with the queues `b` and `c/d` in it, and `c` a queue too. */
async function category(trial: Trial) {
  const name = trial.freshName()
  const paths = [`${name}/b`, `${name}/c`, `${name}/c/d`]
  const [b, c, d] = await Promise.all(paths.map((path) => trial.createQueue(path)))
  return { name, b: b!, c: c!, d: d! }
}

function kinds(trial: Trial, { entries }: Feed, queue: QueueHandle): string {
  const found = entries.filter((entry) => isChild(trial, entry, queue))
  return found
    .map(({ categories }) => categories.join('+') || 'none')
    .toSorted()
    .join(' and ')
}

/** Queues that are more than a page of 100, even when other checks have deleted some of theirs. */
const ENOUGH = 120

/** Listings and their pages where the document is silent. */
export const BROWSE_CHOICES: readonly CheckRecord[] = [
  {
    id: 'browse.kinds',
    title:
      'An entry of a listing says by its category whether it is a queue or a category, and what is both has both.',
    stimulus: 'Creates the queues a/b, a/c and a/c/d, and reads the listing of a.',
    clauses: ['browse.listing.kinds', 'browse.listing.both'],
    needs: ['browse.subtree'],
    async run(trial: Trial) {
      const { name, b, c } = await category(trial)
      const feed = await listing(trial, name)
      const seen = `a/b as ${kinds(trial, feed, b)}, a/c as ${kinds(trial, feed, c)}`
      trial.choose('listing-kinds', seen)
      trial.expect(
        seen === 'a/b as queue, a/c as category and queue',
        'a/b as a queue in the listing, and a/c as a category and a queue',
        seen,
      )
    },
  },
  {
    id: 'browse.immediate',
    stimulus: 'Creates the queues a/b, a/c and a/c/d, and reads the root listing and that of a.',
    clauses: ['browse.listing.immediate'],
    needs: ['browse.subtree'],
    readsRoot: true,
    async run(trial: Trial) {
      const { name, b, d } = await category(trial)
      const [root, below] = await Promise.all([
        trial.readFeed(trial.target.at('/queues'), 'browse.root'),
        listing(trial, name),
      ])
      const deeper = [
        ...root.entries.filter((entry) => standsFor(trial, entry, b)),
        ...below.entries.filter((entry) => standsFor(trial, entry, d)),
      ]
      trial.choose('listing-depth', deeper.length === 0 ? 'immediate children' : 'deeper too')
      trial.expect(deeper.length === 0, 'no listing of what is deeper', () => `${deeper[0]!.title}`)
    },
  },
  {
    id: 'browse.slash',
    stimulus: 'Creates the queues a/c and a/c/d, sends a message to a/c, and reads a/c and a/c/.',
    clauses: ['browse.listing.slash'],
    needs: ['browse.subtree', 'send.post'],
    async run(trial: Trial) {
      const { c, d } = await category(trial)
      const message = await trial.send(c)
      const bodies = await pendingBodies(trial, c, [message])
      trial.choose(
        'queue-and-category',
        bodies.includes(message.text) ? 'queue at its path' : 'no queue at its path',
      )
      trial.expect(
        sameTexts(bodies, [message.text]),
        'the queue at the path without a slash',
        `${bodies.map(quote).join(', ') || 'nothing'}`,
      )
      const { entries } = await listing(trial, c.path)
      trial.expect(
        entries.length === 1 && isChild(trial, entries[0]!, d),
        'a/c/d alone in the listing at the path with a slash',
        `${entries.map(({ title }) => title).join(', ') || 'nothing'}`,
      )
    },
  },
  {
    id: 'browse.links',
    stimulus:
      'Creates the queues a/b, a/c and a/c/d, sends a message to a/b, and follows the alternate links of the listing of a.',
    clauses: ['browse.listing.links'],
    needs: ['browse.subtree', 'send.post'],
    async run(trial: Trial) {
      const { name, b, d } = await category(trial)
      const message = await trial.send(b)
      await untilPending(trial, b, [message])
      const { entries } = await listing(trial, name)
      const linked = async (kind: string, queue: QueueHandle) => {
        const entry = entries.find((each) => each.categories.includes(kind) && isChild(trial, each, queue))
        trial.expect(entry !== undefined, `an entry with the category ${kind}`, 'none')
        const link = entry.links.find(({ rel }) => rel === 'alternate')
        trial.expect(link !== undefined, `an alternate link in the entry of a ${kind}`, 'none')
        return trial.readFeed(link.href, 'browse.subtree')
      }
      const [messages, below] = [
        await linked('queue', b),
        await linked('category', { path: `${name}/c`, uri: '' }),
      ]
      const bodies = await trial.bodies(messages.entries)
      trial.expect(bodies.includes(message.text), 'the messages of a/b behind its link', 'something else')
      const found = below.entries.some((entry) => isChild(trial, entry, d))
      trial.expect(found, 'the listing of the category a/c behind its link', 'something else')
    },
  },
  {
    id: 'browse.paging',
    title: 'A page has as many entries as limit says, and leads to the following one by rel="next".',
    stimulus: 'Sends five messages, creates three queues in a category, and reads both feeds with limit=2.',
    clauses: ['browse.paging.limit', 'browse.paging.next'],
    needs: ['send.post', 'browse.queue'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages = await trial.sendMany(queue, 5)
      await untilPending(trial, queue, messages)
      const { pages, entries } = await trial.readFeed(withQuery(queue.uri, 'limit=2'), 'browse.queue')
      trial.choose('paging-by-limit', pages.length === 3 ? 'yes' : 'no')
      trial.expect(pages.length === 3, 'three pages of two for five entries', `${pages.length} pages`)
      const bodies = await trial.bodies(entries)
      const all = sameTexts(
        bodies,
        messages.map(({ text }) => text),
      )
      trial.expect(all, 'each message once on all pages together', bodies.map(quote).join(', '))
    },
  },
  {
    id: 'browse.paging-default',
    title: 'A page has at most 100 entries.',
    stimulus: 'Creates queues until there are 121, and counts the entries on each page of the root listing.',
    clauses: ['browse.paging.limit'],
    // Other checks make queues while the pages are read.
    needs: ['browse.root', 'browse.paging-steady'],
    async run(trial: Trial) {
      const read = () => trial.readFeed(trial.target.at('/queues'), 'browse.root')
      const { entries, ...first } = await read()
      let { sizes } = first
      // In a whole run the other checks have made more than enough by now, and may delete some meanwhile.
      if (entries.length <= ENOUGH) {
        await Promise.all(Array.from({ length: ENOUGH + 1 - entries.length }, () => trial.createQueue()))
        sizes = (await read()).sizes
      }
      trial.choose('entries-a-page', sizes.length === 1 ? 'all' : `${sizes[0]}`)
      trial.expect(
        sizes.length > 1 && sizes.slice(0, -1).every((size) => size === 100) && sizes.at(-1)! <= 100,
        '100 entries on every page but the last',
        `pages of ${sizes.join(', ')}`,
      )
    },
  },
  {
    id: 'browse.paging-steady',
    stimulus: 'Reads the first page of two, has a message of it acknowledged and another sent, and reads on.',
    clauses: ['browse.paging.steady'],
    needs: ['browse.paging', 'consume.delivers', 'ack.succeeds'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const texts = (await trial.sendInOrder(queue, 6)).map(({ text }) => text)
      const feed = await trial.readFeed(withQuery(queue.uri, 'limit=2'), 'browse.queue')
      const first = (await trial.bodies(feed.entries)).slice(0, 2)
      const next = feed.links.find(({ rel }) => rel === 'next')
      trial.precondition(next !== undefined, 'browse.paging', 'the first page without a next link')
      const consumer = await trial.subscribe(queue, { prefetch: 1 })
      const [entry] = await consumer.receiveCount(1)
      await consumer.ack(entry!)
      await consumer.endIfActive()
      await trial.send(queue)
      const later = await trial.bodies((await trial.readFeed(next.href, 'browse.queue')).entries)
      const rest = texts.filter((text) => !first.includes(text))
      trial.expect(
        sameTexts(later.slice(0, rest.length), rest),
        'on the later pages the four messages that the first one did not show',
        `${later.map((body) => texts.indexOf(body) + 1).join(', ')} of 6`,
      )
    },
  },
]
