import type { Exchange } from '../../client/exchange.js'
import type { Entry, Feed } from '../../client/feed.js'
import { isChild, readCategory } from '../../client/listings.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectPending, needContents, pendingBodies } from '../../trial/pending.js'
import { repeated } from '../../trial/reading.js'
import { sendAsMany, sendManyWithGuids } from '../../trial/sending.js'
import type { QueueHandle, Sent, Trial } from '../../trial/trial.js'
import { withRetries } from '../../trial/waiting.js'

/** As many as most pages have not, and then as many as a usual one has not: each only where those before fit on one page. */
const BATCHES = [25, 40, 40] as const
/** More messages than these are too many for filling a page. */
const MOST_TO_FILL = 40
/** Milliseconds: a longer reading of a feed shows that more in it would take too long. */
const READ_QUICKLY = 1000
/** The same for the contents of 25 messages, where they are linked. */
const CONTENTS_QUICKLY = 300

/** What stands on pages of the target's own size. */
export const BROWSE_PAGES: readonly CheckRecord[] = [
  {
    id: 'browse.many-messages',
    title: 'The feed of a queue with many messages has one entry for each of them.',
    stimulus:
      'Sends 25 messages, and 80 more, and with guids 160 more, as far as the queue takes them, where the feed can be read within a second, as many as fill its last page, and one more; reads it, all its pages.',
    clauses: ['browse.queue.entries'],
    needs: ['send.post', 'browse.queue'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages = await sendAsMany(trial, queue, 25)
      const before = trial.now()
      const { pages } = await trial.browse(queue)
      const between = trial.now()
      await pendingBodies(trial, queue, messages)
      const [feed, contents] = [between - before, trial.now() - between]
      // More than a usual page has; but where pages are small and slow, or each content is read by itself, it would take too long
      // to see so many.
      const rounds = feed < READ_QUICKLY && contents - feed < CONTENTS_QUICKLY ? 2 : 0
      for (let round = 0; round < rounds; round++) messages.push(...(await sendAsMany(trial, queue, 40)))
      if (rounds > 0 && trial.profile.features.guid && !trial.isBroken('dedup.send'))
        for (let round = 0; round < 4; round++) messages.push(...(await sendManyWithGuids(trial, queue, 40)))
      const { pages: all } = rounds > 0 ? await trial.browse(queue) : { pages }
      const onOne = all.length > 1 ? entriesOn(all[0]!) : messages.length
      const toFill = (onOne - (messages.length % onOne)) % onOne
      if (toFill <= MOST_TO_FILL) messages.push(...(await sendAsMany(trial, queue, toFill)))
      await expectPending(
        trial,
        queue,
        messages,
        `one entry in the feed for each of ${messages.length} messages`,
      )
      if (all.length === 1 || toFill > MOST_TO_FILL) return
      messages.push(...(await sendAsMany(trial, queue, 1)))
      await expectPending(trial, queue, messages, 'an entry for the message that is alone on the last page')
    },
  },
  {
    id: 'browse.subtree-of-many',
    title: 'The listing of a subtree of many queues has one entry for each of them, on whatever page.',
    stimulus:
      'Creates 25 queues below one category, and 80 more where they fit on one page, and reads all pages of its listing.',
    clauses: ['browse.subtree.queues'],
    needs: ['browse.subtree'],
    async run(trial: Trial) {
      const category = trial.freshName()
      const queues: QueueHandle[] = []
      const list = () => readCategory(trial, category)
      let feed: Feed | undefined = await untilPaged(
        trial,
        (count) => Promise.all(Array.from({ length: count }, () => createBelow(trial, category, queues))),
        list,
      )
      let counts: number[] = []
      await trial.eventually(async () => {
        const { entries } = feed ?? (await list())
        feed = undefined
        counts = entriesFor(trial, entries, queues)
        return counts.every((count) => count === 1) || undefined
      })
      const none = counts.filter((count) => count === 0)
      trial.expect(
        counts.every((count) => count === 1),
        `one entry for each of ${queues.length} queues on all pages together`,
        `${none.length} have none, and ${counts.filter((count) => count > 1).length} more than one`,
      )
    },
  },
  {
    id: 'browse.paging-steady-by-default',
    title: 'What is there throughout a reading of pages of the target’s own size is on one of them.',
    stimulus:
      'Sends messages until their feed has a second page, has one acknowledged when the first page was read and another sent, and reads on.',
    clauses: ['browse.paging.steady'],
    needs: ['browse.many-messages', 'consume.delivers', 'ack.succeeds'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages: Sent[] = []
      const { pages, sizes, entries } = await untilPaged(
        trial,
        async (count) => messages.push(...(await sendAsMany(trial, queue, count))),
        () => trial.browse(queue),
      )
      if (pages.length === 1) return trial.observed('The feed has one page.')
      await needContents(trial)
      const first = await trial.bodies(entries.slice(0, sizes[0]))
      const consumer = await trial.subscribe(queue)
      const [entry] = await consumer.receiveCount(1)
      const [acknowledged] = await trial.bodies([entry!])
      await consumer.ack(entry!)
      await consumer.endIfActive()
      await sendAsMany(trial, queue, 1)
      const later = await trial.bodies((await trial.readFeed(pages[1]!.url, 'browse.queue')).entries)
      const seen = [...first, ...later]
      const missing = messages.filter(({ text }) => text !== acknowledged && !seen.includes(text))
      trial.expect(
        missing.length === 0 && repeated(seen).length === 0,
        'each message that was there throughout on one page',
        `${missing.length} on none, and ${repeated(seen).length} on two`,
      )
    },
  },
]

/** How many entries a page has, or one where it has none. */
function entriesOn({ body }: Exchange): number {
  return Math.max(1, (String(body).match(/<(?:[\w-]+:)?entry[\s>]/g) ?? []).length)
}

/**
 * Makes more of what a feed lists until it has a second page, as far as such a feed can be read quickly.
 *
 * @returns the feed as it was read last
 */
async function untilPaged(
  trial: Trial,
  make: (count: number) => Promise<unknown>,
  read: () => Promise<Feed>,
): Promise<Feed> {
  let feed: Feed
  for (const count of BATCHES) {
    await make(count)
    const before = trial.now()
    // On a target whose effects take their time to show, there may be nothing yet.
    feed = (await withRetries(trial, read))!
    if (feed.pages.length > 1 || trial.now() - before > READ_QUICKLY) break
  }
  return feed!
}

/** How many entries of a listing stand for each of the queues below it. */
function entriesFor(trial: Trial, entries: readonly Entry[], queues: readonly QueueHandle[]): number[] {
  const byLink = new Map<string, Entry[]>()
  for (const entry of entries) {
    for (const href of new Set(entry.links.map((link) => link.href)))
      byLink.set(href, [...(byLink.get(href) ?? []), entry])
  }
  // An entry that links to the address of its queue is found at once; any other by all that it may be known by.
  return queues.map((queue) => {
    const linked = byLink.get(queue.uri)?.length
    return linked ?? entries.filter((entry) => isChild(trial, entry, queue)).length
  })
}

async function createBelow(trial: Trial, category: string, queues: QueueHandle[]): Promise<void> {
  const [name] = trial.freshName().split('/').slice(-1)
  queues.push(await trial.createQueue(`${category}/${name}`))
}
