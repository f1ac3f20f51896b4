import type { Entry, Feed } from '../../client/feed.js'
import { readCategory, standsFor } from '../../client/listings.js'
import { queuesShowContents } from '../../client/queue-contents.js'
import type { CheckRecord } from '../../trial/check.js'
import { untilPending } from '../../trial/pending.js'
import type { QueueHandle, Trial } from '../../trial/trial.js'
import { once, unlessBlocked, unlessNotApplicable, withRetries } from '../../trial/waiting.js'
import { isTwoStepBroken } from '../../trial/ways-round.js'

const VALIDITY = [
  'browse.atom.feed',
  'browse.atom.entry',
  'browse.atom.author',
  'browse.atom.dates',
  'browse.atom.id-iri',
  'browse.atom.content',
  'browse.atom.summary',
  'browse.atom.links',
]

/** Expects a feed to be as RFC 4287 asks, in one reading at least: pages of a feed that changes may overlap. */
async function expectValid(trial: Trial, read: () => Promise<Feed>): Promise<void> {
  let problems: readonly string[] = []
  const valid = await withRetries(trial, async () => {
    problems = (await read()).problems
    return problems.length === 0 || undefined
  })
  trial.expect(valid === true, 'a valid Atom feed (RFC 4287)', () => `${problems.slice(0, 5).join('; ')}.`)
}

/** A queue with messages of several kinds, as many of them as the target takes. */
async function queueOfSeveralKinds(trial: Trial): Promise<QueueHandle> {
  const queue = await trial.createQueue()
  const kinds: [string, string | Buffer][] = [
    ['application/octet-stream', Buffer.from([0, 255, 1, 254])],
    ['application/xml', '<a xmlns="urn:x"><b/>text</a>'],
    ['application/json', '{"a":[1,2]}'],
    ['application/octet-stream', 'message '.repeat(8750)],
  ]
  await Promise.all(
    kinds.map(([type, body]) =>
      unlessNotApplicable(async () =>
        isTwoStepBroken(trial)
          ? trial.send(queue, body, { 'Content-Type': type })
          : trial.post(await trial.newAddress(queue), body, { 'Content-Type': type }),
      ),
    ),
  )
  await untilPending(trial, queue, await trial.sendMany(queue, 2))
  return queue
}

/** The root listing, for what is asked of every feed: where it cannot be read, the others are still judged. */
async function readRoot(trial: Trial): Promise<Feed | undefined> {
  if (trial.isBroken('browse.root')) return undefined
  return trial.readFeed(trial.target.at('/queues'), 'browse.root')
}

/** The id under which each of the bodies is listed. */
async function idsByBody(trial: Trial, entries: readonly Entry[]): Promise<Map<string, string>> {
  if (!(await queuesShowContents(trial))) return new Map()
  const bodies = await trial.bodies(entries)
  return new Map(bodies.map((body, index) => [body, entries[index]!.id]))
}

/** Expects each of these to have an id that no other has. */
function expectDifferent(trial: Trial, what: string, those: readonly { readonly id: string }[]): void {
  const ids = those.map(({ id }) => id)
  const twice = ids.find((id, at) => ids.indexOf(id) < at)
  trial.expect(twice === undefined, `an id of its own for each of ${ids.length} ${what}`, `${twice} for two`)
}

/** No text in any encoding. */
const BYTES = Uint8Array.of(0x89, 0x00, 0xff, 0xfe, 0x0a, 0xc3, 0x28)

/** That listings are Atom feeds: section 1, and RFC 4287 behind it. */
export const BROWSE_FEEDS: readonly CheckRecord[] = [
  {
    id: 'browse.valid-queue-feed',
    title: 'The feed of a queue is a valid Atom feed.',
    stimulus:
      'Sends messages of several content types, and reads the queue’s feed against RFC 4287, and that of an empty queue.',
    clauses: VALIDITY,
    needs: ['send.post', 'browse.queue'],
    async run(trial: Trial) {
      const queue = await queueOfSeveralKinds(trial)
      await expectValid(trial, () => trial.browse(queue))
      const empty = await trial.createQueue()
      await expectValid(trial, () => trial.browse(empty))
    },
  },
  {
    id: 'browse.valid-root',
    title: 'The root listing is a valid Atom feed.',
    stimulus: 'Creates queues of one and two segments, and reads the root listing against RFC 4287.',
    clauses: VALIDITY,
    needs: ['browse.root', 'queues.several-segments'],
    readsRoot: true,
    async run(trial: Trial) {
      await Promise.all([trial.createQueue(), trial.createQueue(trial.freshName(2))])
      await expectValid(trial, () => trial.readFeed(trial.target.at('/queues'), 'browse.root'))
    },
  },
  {
    id: 'browse.valid-subtree',
    title: 'The listing of a subtree is a valid Atom feed.',
    stimulus: 'Creates the queues a/b, a/c and a/d/e, and reads the listing of a against RFC 4287.',
    clauses: VALIDITY,
    grade: 'optional',
    feature: 'subtree',
    needs: ['browse.subtree'],
    async run(trial: Trial) {
      const a = trial.freshName()
      await Promise.all([`${a}/b`, `${a}/c`, `${a}/d/e`].map((path) => trial.createQueue(path)))
      await expectValid(trial, () => readCategory(trial, a))
    },
  },
  {
    id: 'browse.media-type',
    stimulus: 'Reads the root listing and the feed of a queue with a message.',
    clauses: ['browse.atom.media-type'],
    needs: ['send.post', 'browse.queue', 'browse.root'],
    readsRoot: true,
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      await untilPending(trial, queue, [await trial.send(queue)])
      const feeds = await Promise.all([trial.browse(queue), readRoot(trial)])
      for (const page of feeds.flatMap((feed) => feed?.pages ?? [])) {
        const type = page.headers['content-type'] ?? 'nothing'
        trial.expect(
          /^application\/atom\+xml\s*(;|$)/i.test(type.trim()) && !/;\s*type="?entry/i.test(type),
          'application/atom+xml for each feed, and not the type of an entry',
          `${type} for ${page.url}`,
        )
      }
    },
  },
  {
    id: 'browse.ids-unique',
    stimulus:
      'Sends four messages, two of them of one body, and reads the queue’s feed and the root listing.',
    clauses: ['browse.atom.ids-unique'],
    needs: ['send.post', 'browse.queue', 'browse.root'],
    readsRoot: true,
    async run(trial: Trial) {
      const [queue, other] = await Promise.all([trial.createQueue(), trial.createQueue()])
      const messages = await trial.sendMany(queue, 3)
      await trial.send(queue, messages[0]!.body)
      const entries = await withRetries(trial, async () => {
        const feed = await trial.browse(queue)
        return feed.entries.length === 4 ? feed.entries : undefined
      })
      trial.precondition(entries !== undefined, 'browse.queue', 'a feed of the queue without its 4 entries')
      const ids = entries.map(({ id }) => id)
      trial.expect(
        new Set(ids).size === 4 && !ids.includes(''),
        'four ids for four messages',
        `${ids.join(', ')}`,
      )
      const root = await readRoot(trial)
      const listed = [queue, other].map((each) =>
        root?.entries.find((entry) => standsFor(trial, entry, each)),
      )
      trial.expect(
        listed[0] === undefined || listed[1] === undefined || listed[0].id !== listed[1].id,
        'two ids for two queues',
        `${listed[0]?.id} for both`,
      )
    },
  },
  {
    id: 'browse.ids-own',
    stimulus:
      'Sends one body to two queues of one last segment, subscribes to each, and compares the ids of the queues’ feeds, of the consumers’, and of what is in them.',
    clauses: ['browse.atom.ids-own'],
    needs: ['browse.ids-unique', 'queues.several-segments', 'consume.feed'],
    async run(trial: Trial) {
      const above = [trial.freshName(), trial.freshName()]
      const queues = await Promise.all(above.map((name) => trial.createQueue(`${name}/same`)))
      const { body } = await trial.send(queues[0]!)
      const message = await trial.send(queues[1]!, body)
      for (const queue of queues) await untilPending(trial, queue, [message])
      const consumers = await Promise.all(queues.map((queue) => trial.subscribe(queue)))
      const feeds = await Promise.all([
        ...queues.map((queue) => trial.browse(queue)),
        ...consumers.map(({ uri }) => trial.readFeed(uri, 'consume.feed')),
      ])
      const listings =
        trial.profile.features.subtree && !trial.isBroken('browse.subtree')
          ? await Promise.all(above.map((name) => listedCategory(trial, name)))
          : []
      expectDifferent(trial, 'feeds', [...feeds, ...listings])
      // What consumers hold is another check's question.
      const listed = feeds.slice(0, queues.length).flatMap(({ entries }) => entries.slice(0, 1))
      expectDifferent(trial, 'messages', listed)
      expectDifferent(
        trial,
        'queues',
        listings.flatMap(({ entries }) => entries),
      )
    },
  },
  {
    id: 'browse.ids-stable',
    stimulus:
      'Reads a queue’s feed and the root listing, sends and creates more, acknowledges one, and reads again; reads a feed with a message of bytes that are no text twice, where such is taken.',
    clauses: ['browse.atom.ids-stable'],
    needs: ['browse.queue', 'browse.root', 'consume.delivers', 'ack.succeeds'],
    readsRoot: true,
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages = await trial.sendInOrder(queue, 3)
      await untilPending(trial, queue, messages)
      const readBoth = () => Promise.all([trial.browse(queue), readRoot(trial)])
      const [before, rootBefore] = await readBoth()
      const ids = await idsByBody(trial, before.entries)
      const consumer = await trial.subscribe(queue, { prefetch: 1 })
      const [held] = await consumer.receiveCount(1)
      // An acknowledgement is one more change, and no more is asked of it.
      if (!trial.isBroken('consume.message-uri')) await consumer.ack(held!)
      await consumer.endIfActive()
      await Promise.all([trial.send(queue), trial.createQueue()])
      const [after, rootAfter] = await readBoth()
      const again = await idsByBody(trial, after.entries)
      const changed = [...ids].filter(([body, id]) => again.has(body) && again.get(body) !== id)
      const left = new Set(after.entries.map(({ id }) => id))
      const gone = before.entries.filter(({ id }) => !left.has(id))
      trial.expect(
        gone.length <= 1,
        'the ids of all messages but the acknowledged one as before',
        () => `${gone.map(({ id }) => id).join(', ')} gone`,
      )
      trial.expect(
        changed.length === 0,
        'the ids of the messages as before',
        () => `${again.get(changed[0]![0])}, and before ${changed[0]![1]}`,
      )
      const listed = [rootBefore, rootAfter].map(
        (root) => root?.entries.find((entry) => standsFor(trial, entry, queue))?.id,
      )
      const kept = listed.includes(undefined) || listed[0] === listed[1]
      trial.expect(kept, `the id ${listed[0]} of the queue’s entry as before`, `${listed[1]}`)
      trial.expect(after.id === before.id, `the id ${before.id} of the queue’s feed as before`, `${after.id}`)
      const same = rootAfter?.id === rootBefore?.id
      trial.expect(same, `the id ${rootBefore?.id} of the root as before`, `${rootAfter?.id}`)
      const other = await trial.createQueue()
      if ((await unlessBlocked(() => unlessNotApplicable(() => trial.send(other, BYTES)))) === undefined)
        return
      const idsOf = async () => (await trial.browse(other)).entries.map(({ id }) => id).join()
      const first = await trial.eventually(async () => (await idsOf()) || undefined)
      const second = await idsOf()
      trial.expect(
        first === undefined || first === second,
        `the id ${first} of a message of bytes as before`,
        second,
      )
    },
  },
]

/** A category as soon as it lists something: the creation of a queue in it may show late. */
async function listedCategory(trial: Trial, name: string): Promise<Feed> {
  let feed: Feed | undefined
  await withRetries(trial, async () => {
    feed = await readCategory(trial, name)
    return once(feed.entries.length > 0)
  })
  return feed!
}
