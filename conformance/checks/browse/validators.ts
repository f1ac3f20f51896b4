import { isChild, standsFor } from '../../client/listings.js'
import type { CheckRecord } from '../../trial/check.js'
import { consumeAndAcknowledge, untilPending } from '../../trial/pending.js'
import { deleteQueue } from '../../trial/queues.js'
import type { QueueHandle, Trial } from '../../trial/trial.js'
import {
  type BeforeChange,
  expectOtherValidator,
  hasValidator,
  judgeValidators,
} from '../../trial/validators.js'
import { unlessBlocked } from '../../trial/waiting.js'

/** A listing, and how an entry of it is known as that of a queue. */
interface Listing {
  readonly uri: string
  readonly check: 'browse.root' | 'browse.subtree'
  readonly isOf: typeof isChild
}

/** The pages of a listing, and that of them which lists a queue. */
async function readPages(trial: Trial, { uri, check, isOf }: Listing, queue: QueueHandle) {
  const { entries, pages, sizes } = await trial.readFeed(uri, check)
  let left = entries.findIndex((entry) => isOf(trial, entry, queue))
  if (left < 0) return { pages, page: undefined }
  const at = sizes.findIndex((size) => {
    left -= size
    return left < 0
  })
  return { pages, page: pages[at] }
}

/**
 * Expects no page of a listing to be taken for the one before a queue was created, before it was deleted, or before another came for it.
 *
 * @param paths of queues that are created, in their order
 */
async function expectOtherListings(
  trial: Trial,
  beforeChange: BeforeChange,
  listing: Listing,
  [path, newer, other]: readonly [string, string, string],
): Promise<void> {
  const here: QueueHandle = { path, uri: trial.target.queueUri(path) }
  const before = await readPages(trial, listing, here)
  const first = before.pages[0]!
  if (!hasValidator(first)) return trial.observed('Its listings have no ETag, and no Last-Modified.')
  await beforeChange(first)
  const queue = await trial.createQueue(path)
  const pageOf = (each: QueueHandle) =>
    trial.eventually(async () => (await readPages(trial, listing, each)).page)
  const shown = await pageOf(queue)
  if (shown === undefined) return trial.observed('The listing shows what is above the queue only.')
  const known = before.pages.find(({ url }) => url === shown.url)
  if (known !== undefined) await expectOtherValidator(trial, known, 'after a queue was created')
  // The one that goes is not the last that came, by which a listing may be known.
  await pageOf(await trial.createQueue(newer))
  const withBoth = (await pageOf(queue)) ?? shown
  await beforeChange(withBoth)
  await deleteQueue(trial, queue)
  const isGone = async () => (await readPages(trial, listing, queue)).page === undefined || undefined
  const gone = await trial.eventually(isGone)
  trial.precondition(gone === true, 'queues.delete-unlisted', `${path} still listed`)
  await expectOtherValidator(trial, withBoth, 'after a queue was deleted')
  await pageOf(await trial.createQueue(other))
  await expectOtherValidator(trial, withBoth, 'after one queue has come for another')
}

/** So often one message comes for another. */
const ROUNDS = 3

/** Expects no feed of a queue to be taken for the one before it changed. */
async function judgeQueue(trial: Trial, beforeChange: BeforeChange): Promise<void> {
  const queue = await trial.createQueue()
  const read = () => trial.target.request('GET', queue.uri)
  const empty = await read()
  if (!hasValidator(empty)) return trial.observed('Its feeds have no ETag, and no Last-Modified.')
  await beforeChange(empty)
  const first = await trial.send(queue)
  await untilPending(trial, queue, [first])
  const withOne = await read()
  await expectOtherValidator(trial, empty, 'after a message was sent')
  await beforeChange(withOne)
  const second = await trial.send(queue)
  await untilPending(trial, queue, [first, second])
  const { pages } = await trial.browse(queue)
  if (pages.length > 1)
    return trial.observed('Two messages stand on several pages, of which one may be unchanged.')
  const withTwo = await read()
  await expectOtherValidator(trial, withOne, 'after a second message was sent')
  await beforeChange(withTwo)
  await consumeAndAcknowledge(trial, queue, first, [second])
  const withTheOther = await read()
  await expectOtherValidator(trial, withTwo, 'after a message was acknowledged')
  await expectOtherValidator(trial, withOne, 'after one message has come for another')
  // A validator of the second may change just then.
  let [left, shown] = [second, withTheOther]
  for (let round = 1; round < ROUNDS; round++) {
    await beforeChange(shown)
    const next = await trial.send(queue)
    await untilPending(trial, queue, [left, next])
    await consumeAndAcknowledge(trial, queue, left, [next])
    await expectOtherValidator(trial, shown, 'after one message has come for another')
    left = next
    shown = await read()
  }
  await beforeChange(shown)
  await consumeAndAcknowledge(trial, queue, left)
  await expectOtherValidator(trial, shown, 'after the last message was acknowledged')
}

/** What a queue's feed and a listing say of itself to those who have an older one of it. */
export const BROWSE_VALIDATORS: readonly CheckRecord[] = [
  {
    id: 'browse.validator',
    stimulus:
      "Keeps the ETag and the Last-Modified of a queue's feed when it is empty, has one message, and two, and asks with each when the feed is another, three times of as many.",
    clauses: ['browse.validator'],
    needs: ['browse.acknowledged-gone', 'send.post'],
    run: (trial: Trial) => judgeValidators(trial, (beforeChange) => judgeQueue(trial, beforeChange)),
  },
  {
    id: 'browse.root-validator',
    title:
      'The root listing is not answered as unchanged, to a client that has the one before, when a queue was created or deleted.',
    stimulus:
      'Keeps the validators of the root listing, creates a queue, asks with them for the page that lists it, creates another, deletes the first, asks again, and once more when a third has come.',
    clauses: ['browse.listing-validator'],
    needs: ['browse.root', 'queues.delete-unlisted'],
    readsRoot: true,
    run(trial: Trial) {
      const root: Listing = { uri: trial.target.at('/queues'), check: 'browse.root', isOf: standsFor }
      return judgeValidators(trial, (beforeChange) =>
        expectOtherListings(trial, beforeChange, root, [
          trial.freshName(),
          trial.freshName(),
          trial.freshName(),
        ]),
      )
    },
  },
  {
    id: 'browse.subtree-validator',
    title:
      'The listing of a subtree is not answered as unchanged, to a client that has the one before, when a queue was created or deleted.',
    stimulus:
      'Creates the queue a/b, keeps the validators of the listing of a, creates a/c, asks with it, creates a/d, deletes a/c, asks again, and once more when a/e has come.',
    clauses: ['browse.listing-validator'],
    grade: 'optional',
    feature: 'subtree',
    needs: ['browse.subtree', 'queues.delete-unlisted'],
    run: (trial: Trial) =>
      judgeValidators(trial, async (beforeChange) => {
        const a = trial.freshName()
        const queue = await trial.createQueue(`${a}/b`)
        const listing: Listing = { uri: trial.target.queueUri(a), check: 'browse.subtree', isOf: isChild }
        // Until it shows there may be no such listing.
        await trial.eventually(
          async () => (await unlessBlocked(() => readPages(trial, listing, queue)))?.page,
        )
        await expectOtherListings(trial, beforeChange, listing, [`${a}/c`, `${a}/d`, `${a}/e`])
      }),
  },
]
