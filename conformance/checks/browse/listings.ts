import { answered } from '../../client/answered.js'
import { refused } from '../../client/exchange.js'
import type { Entry, Feed } from '../../client/feed.js'
import { isChild, mentions, readCategory, standsFor, walkTo } from '../../client/listings.js'
import { categoryOf } from '../../client/queue-names.js'
import { createdAt } from '../../trial/addresses.js'
import { statusOf } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectFeed, expectFeedWith200 } from '../../trial/expectations.js'
import { amissIn, countIn } from '../../trial/shifting.js'
import type { QueueHandle, Trial } from '../../trial/trial.js'

/** Expects queues to be found by following the listings from the root. */
async function expectReached(trial: Trial, queues: readonly QueueHandle[]): Promise<void> {
  let lost: QueueHandle | undefined
  const way = await amissIn(trial, async () => {
    const walks = await walkTo(trial, queues)
    const at = walks.findIndex(({ entry }) => entry === undefined)
    lost = queues[at]
    return { feeds: walks.flatMap(({ feeds }) => feeds), amiss: walks[at]?.way }
  })
  trial.expect(
    way === undefined,
    `${lost?.path} in the listings, followed from the root`,
    () => way as string,
  )
}

/** Reads a listing until it is as it should be or the timeout passes. @returns what was amiss last */
function listingIs(
  trial: Trial,
  read: () => Promise<Feed>,
  amiss: (feed: Feed) => string | undefined,
): Promise<string | undefined> {
  return amissIn(trial, async () => {
    const feed = await read()
    return { feeds: [feed], amiss: amiss(feed) }
  })
}

/** Browsing the tree of queues: section 4.1, "Browse queues" and "Browse a subtree". */
export const BROWSE_LISTINGS: readonly CheckRecord[] = [
  {
    id: 'browse.root',
    title: 'GET /queues is answered with 200 and a feed that has an entry for a queue.',
    stimulus: 'Creates a queue and looks for it in the root listing.',
    clauses: ['browse.root.status', 'browse.root.entries', 'browse.atom', 'queues.collection'],
    needs: ['queues.create'],
    readsRoot: true,
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const root = trial.target.at('/queues')
      await expectFeedWith200(trial, root, '200 with an Atom feed for GET /queues')
      const category = queue.path.includes('/') ? queue.path.split('/')[0]! : undefined
      const shows = (entry: Entry) =>
        standsFor(trial, entry, queue) || (category !== undefined && mentions(entry, category))
      const amiss = await listingIs(
        trial,
        () => trial.readFeed(root, 'browse.root'),
        ({ entries }) =>
          entries.some(shows)
            ? undefined
            : `${entries.length} entries, none with an address or a name of that queue`,
      )
      trial.expect(
        amiss === undefined,
        `an entry for the queue ${queue.path} in the root listing`,
        amiss ?? '',
      )
    },
  },
  {
    id: 'browse.root-once',
    title: 'The root listing has one entry for each queue.',
    stimulus: 'Creates three queues, sends messages to one, and counts their entries in the root listing.',
    clauses: ['browse.root.once', 'browse.root.entries'],
    needs: ['browse.root', 'send.post'],
    readsRoot: true,
    async run(trial: Trial) {
      const root = trial.target.at('/queues')
      const queues: QueueHandle[] = []
      const look = async () => {
        const feed = await trial.readFeed(root, 'browse.root')
        const counts = queues.map((queue) => countIn(feed, (entry) => standsFor(trial, entry, queue)))
        const told = `${counts.map(({ count }) => count).join(', ')} entries for them`
        return { feed, counts, told, isSure: counts.some(({ isSure }) => isSure) }
      }
      while (queues.length < 3) {
        queues.push(await trial.createQueue())
        // What is there twice may be so until another queue is created.
        const { told, isSure } = await look()
        trial.expect(!isSure, 'no two entries in the root listing for one of three queues', told)
      }
      await trial.sendMany(queues[0]!, 2)
      // Below a category, they need not be in the root at all.
      const nested = queues.every(({ path }) => path.includes('/'))
      const amiss = await amissIn(trial, async () => {
        const { feed, counts, told, isSure } = await look()
        const isGood = counts.every(({ count }) => count === 1 || (nested && count === 0))
        return { feeds: [feed], amiss: isGood ? undefined : told, isSure }
      })
      trial.expect(amiss === undefined, 'one entry in the root listing for each of three queues', amiss ?? '')
    },
  },
  {
    id: 'browse.root-nested',
    stimulus: 'Creates the queues a/b/c and a/b/d, and looks for them or for a in the root listing.',
    clauses: ['browse.root.nested', 'browse.root.once'],
    needs: ['browse.root', 'queues.several-segments'],
    readsRoot: true,
    async run(trial: Trial) {
      const a = trial.freshName()
      const queues = await Promise.all([`${a}/b/c`, `${a}/b/d`].map((path) => trial.createQueue(path)))
      const amiss = await listingIs(
        trial,
        () => trial.readFeed(trial.target.at('/queues'), 'browse.root'),
        ({ entries }) => {
          const own = queues.map((queue) => entries.filter((entry) => standsFor(trial, entry, queue)))
          if (own.some((found) => found.length > 1)) return 'two entries for one queue'
          const above = entries.filter(
            (entry) => mentions(entry, a.split('/')[0]!) && !own.flat().includes(entry),
          )
          const shown = above.length > 0 || own.every((found) => found.length === 1)
          return shown ? undefined : `no entry for ${a}, nor for the queues below it`
        },
      )
      const expected =
        'an entry in the root listing for each of the two queues, or for the category above them'
      trial.expect(amiss === undefined, expected, amiss ?? '')
    },
  },
  {
    id: 'browse.markup-names',
    title: 'Queue names with markup characters and characters beyond ASCII come through the listings.',
    stimulus:
      'Creates a queue with such a name, where the target takes one, and looks for it in the listings.',
    clauses: ['browse.atom.escaping', 'browse.atom.well-formed'],
    needs: ['browse.root', 'browse.reachable'],
    readsRoot: true,
    async run(trial: Trial) {
      // Below a category, so that a root listing that shows immediate children is not spoilt for other checks.
      const a = trial.freshName()
      let refusal = ''
      let taken = 0
      for (const name of ['<b>', `R&D < "it's" é漢`]) {
        const path = `${a}/${name}`
        const exchange = await trial.tryCreateQueue(path)
        const uri = createdAt(trial, exchange)
        trial.choose(`queue-name-${name}`, uri === undefined ? statusOf(exchange) : 'accepted')
        if (uri === undefined) {
          trial.expect(refused(exchange), 'such a name taken, or refused with a 4xx', answered(exchange))
          refusal = answered(exchange)
          continue
        }
        taken += 1
        try {
          await expectFeed(trial, uri, '200 for the feed of the queue')
          await expectFeed(trial, trial.target.at('/queues'), '200 for the root listing')
          if (trial.profile.features.subtree) await expectReached(trial, [{ path, uri }])
        } finally {
          await trial.target.request('DELETE', uri)
        }
      }
      if (taken === 0) trial.observed(`Such names are refused: ${refusal}`)
    },
  },
  {
    id: 'browse.subtree',
    title: 'GET /queues/<category> is answered with 200 and a feed with one entry for each queue below.',
    stimulus: 'Creates the queues a/b and a/c, and reads the listing of a, three times.',
    clauses: ['browse.subtree.status', 'browse.subtree.queues', 'browse.subtree.prefix', 'browse.root.once'],
    needs: ['queues.several-segments'],
    async run(trial: Trial) {
      const a = trial.freshName()
      const queues = await Promise.all([`${a}/b`, `${a}/c`].map((path) => trial.createQueue(path)))
      const uri = trial.target.queueUri(a)
      // Of two in turn neither may be otherwise.
      for (let times = 0; times < 2; times++)
        await expectFeedWith200(trial, uri, '200 with an Atom feed for GET of a category')
      const amiss = await listingIs(
        trial,
        () => readCategory(trial, a),
        ({ entries }) => {
          const counts = queues.map((queue) => entries.filter((entry) => isChild(trial, entry, queue)).length)
          return counts.every((count) => count === 1) ? undefined : `${counts.join(' and ')} entries for them`
        },
      )
      trial.expect(amiss === undefined, 'one entry each for a/b and a/c in the listing of a', amiss ?? '')
    },
  },
  {
    id: 'browse.subtree-categories',
    stimulus: 'Creates the queues a/b and a/c/d, reads the listing of a, and then that of a/c.',
    clauses: ['browse.subtree.categories', 'browse.subtree.status'],
    needs: ['browse.subtree'],
    async run(trial: Trial) {
      const a = trial.freshName()
      const [near, deep] = await Promise.all([`${a}/b`, `${a}/c/d`].map((path) => trial.createQueue(path)))
      const category: QueueHandle = { path: `${a}/c`, uri: trial.target.queueUri(`${a}/c`) }
      const amiss = await listingIs(
        trial,
        () => readCategory(trial, a),
        ({ entries }) => {
          if (!entries.some((entry) => isChild(trial, entry, near!))) return 'no entry for a/b'
          const shown = entries.some(
            (entry) => isChild(trial, entry, category) || standsFor(trial, entry, deep!),
          )
          return shown ? undefined : 'an entry neither for a/c nor for a/c/d'
        },
      )
      trial.expect(amiss === undefined, 'a/b, and a/c or a/c/d, in the listing of a', amiss ?? '')
      const below = await listingIs(
        trial,
        () => readCategory(trial, category.path),
        ({ entries }) =>
          entries.some((entry) => isChild(trial, entry, deep!)) ? undefined : 'no entry for a/c/d',
      )
      trial.expect(below === undefined, 'a/c/d in the listing of a/c', below ?? '')
    },
  },
  {
    id: 'browse.subtree-only',
    stimulus: 'Creates queues in a, in a-more and in another category, and reads the listing of a.',
    clauses: ['browse.subtree.only'],
    needs: ['browse.subtree'],
    async run(trial: Trial) {
      const a = trial.freshName()
      const paths = [`${a}/b`, `${a}-more/c`, `${trial.freshName()}/d`, `${a}more`]
      const [inside, ...outside] = await Promise.all(paths.map((path) => trial.createQueue(path)))
      let entries: Feed['entries'] = []
      await listingIs(
        trial,
        () => readCategory(trial, a),
        (feed) => {
          entries = feed.entries
          return entries.some((entry) => isChild(trial, entry, inside!)) ? undefined : 'a/b is missing'
        },
      )
      trial.precondition(
        entries.some((entry) => isChild(trial, entry, inside!)),
        'browse.subtree',
        'a listing of a without an entry for a/b',
      )
      const strays = outside.filter((queue) =>
        entries.some(
          (entry) => standsFor(trial, entry, queue) || mentions(entry, categoryOf(trial.profile, queue.path)),
        ),
      )
      trial.expect(
        strays.length === 0,
        `nothing but what is below ${a} in its listing`,
        () => `an entry for ${strays.map(({ path }) => path).join(', ')}`,
      )
    },
  },
  {
    id: 'browse.reachable',
    stimulus: 'Creates queues of one, two and seven segments, and follows the listings to each.',
    clauses: ['browse.subtree.reach'],
    needs: ['browse.root', 'queues.several-segments'],
    readsRoot: true,
    async run(trial: Trial) {
      const queues = await Promise.all(
        [1, 2, 7].map((segments) => trial.createQueue(trial.freshName(segments))),
      )
      await expectReached(trial, queues)
    },
  },
]
