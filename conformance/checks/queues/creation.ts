import { answered } from '../../client/answered.js'
import { type Exchange, succeeded } from '../../client/exchange.js'
import { standsFor } from '../../client/listings.js'
import { sleep } from '../../client/stops.js'
import { countDifferent, createdAt } from '../../trial/addresses.js'
import type { CheckRecord } from '../../trial/check.js'
import { quote } from '../../trial/labels.js'
import { expectPending, pendingBodies, untilPending } from '../../trial/pending.js'
import { createTaken } from '../../trial/queues.js'
import { amissIn, countIn } from '../../trial/shifting.js'
import type { QueueHandle, Sent, Trial } from '../../trial/trial.js'
import { inRounds } from '../../trial/waiting.js'

/** Names that are one where characters are lost, taken for others, or cut off. */
const LOOK_ALIKES: readonly (readonly string[])[] = [
  ['7', '007'],
  ['a', ...[..."-_~!@$,;=:' +(?#&%"].map((sign) => `a${sign}b`)],
  ['a-', 'a'],
  // What is nothing in some languages.
  ['x', '0/x'],
  // Some servers have addresses of their own below that of a queue.
  ['a', ...['new', 'edit', 'messages', 'entries', 'subscriptions'].map((name) => `a/${name}`)],
  ['aAb', 'a%41b'],
  // Neither has a character that ASCII or Latin-1 has.
  ['漢字', '仮名'],
  ...[80, 150, 250].map((length) => [`${'x'.repeat(length)}1`, `${'x'.repeat(length)}2`]),
  ['a/b/c/d/e/f/1', 'a/b/c/d/e/f/2'],
]

/** Of so many of these lists the queues are there at once. */
const LISTS_AT_ONCE = 3

/** How many create one queue at once. */
const CREATORS = 5
/** They come within the time that a creation takes, or this: milliseconds. */
const LONGEST_CREATION = 500

/** Judges that queues of one category are each its own. @returns false where at most one such name is taken: what may be in one is left open */
async function judgeApart(trial: Trial, names: readonly string[]): Promise<boolean> {
  const category = trial.freshName()
  const queues = await createTaken(
    trial,
    names.map((name) => `${category}/${name}`),
  )
  if (queues.length < 2) return false
  const paths = queues.map(({ path }) => path).join(', ')
  trial.expect(
    countDifferent(queues.map(({ uri }) => uri)) === queues.length,
    `${queues.length} addresses for ${queues.length} queues`,
    () => `${queues.map(({ uri }) => uri).join(', ')} for ${paths}`,
  )
  const sent = await Promise.all(queues.map((queue) => trial.send(queue)))
  await Promise.all(
    queues.map(async (queue, at) => {
      const expected = `its own message alone in ${queue.path}, of ${paths}`
      // The feed of a queue may list those below it, too.
      const below = queues.filter(({ path }) => path.startsWith(`${queue.path}/`)).length
      if (below === 0) return expectPending(trial, queue, [sent[at]!], expected)
      await untilPending(trial, queue, [sent[at]!])
      const shown = await pendingBodies(trial, queue, [sent[at]!])
      const others = sent.filter(({ text }, other) => other !== at && shown.includes(text))
      const isAlone = others.length === 0 && shown.length <= 1 + below
      trial.expect(isAlone, expected, () => `${shown.map(quote).join(', ')} in the feed of ${queue.uri}`)
    }),
  )
  await Promise.all(queues.map(({ uri }) => trial.target.request('DELETE', uri)))
  return true
}

/** Creating queues: section 4.1, "Create a queue". */
export const QUEUES: readonly CheckRecord[] = [
  {
    id: 'queues.takes-messages',
    title: 'The address given for a new queue takes messages.',
    stimulus:
      'Creates a queue, sends a message to the address in Location, and reads the feed at that address.',
    clauses: ['queues.create.posting'],
    // Not `browse.queue`, which sends messages for its own question, and so cannot be had where none is taken.
    needs: ['queues.create'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      let last: Exchange | undefined
      const taken = await trial.eventually(async () => {
        last = await trial.target.request('POST', queue.uri)
        return succeeded(last) || undefined
      })
      // Whether step 1 is taken there is another question where a send in one request is.
      const isTaken = taken === true || (await takesGuids(trial, queue))
      trial.expect(isTaken, '200 for posts at the address in Location of a new queue', () => answered(last!))
      // What becomes of a send is asked by other checks: here it only has to be in this queue.
      await untilPending(trial, queue, [await trial.send(queue)])
    },
  },
  {
    id: 'queues.names-apart',
    title: 'Queues whose names look alike are queues of their own, where such names are taken.',
    stimulus:
      'Creates queues whose names differ in a character that may be lost, also at the end of long and deep names, sends a message to each, and reads their feeds.',
    clauses: ['queues.create.unique', 'browse.queue.own'],
    needs: ['queues.own-address', 'queues.several-segments'],
    steps: 2 * LOOK_ALIKES.length,
    async run(trial: Trial) {
      let isJudged = false
      // All at once may be more than a target has room for.
      for (let at = 0; at < LOOK_ALIKES.length; at += LISTS_AT_ONCE) {
        const some = LOOK_ALIKES.slice(at, at + LISTS_AT_ONCE)
        const judged = await Promise.all(some.map((names) => judgeApart(trial, names)))
        isJudged ||= judged.includes(true)
      }
      if (!isJudged) trial.observed('The target takes no such names.')
    },
  },
  {
    id: 'queues.create-at-once',
    title: 'Creating one queue several times at once makes one queue.',
    stimulus:
      'Each of five clients creates one queue and sends a message to it as soon as it is answered, all at once and then each a moment after the one before, three times over; compares the addresses, and reads the feeds.',
    clauses: ['queues.create.again.one', 'queues.create.again.location'],
    needs: ['queues.create-again', 'send.post', 'browse.queue'],
    async run(trial: Trial) {
      const began = performance.now()
      await trial.createQueue()
      // So that one is done, and a message sent, while others are under way.
      const takes = Math.min(LONGEST_CREATION, performance.now() - began)
      let apart = 0
      await inRounds(async () => {
        const path = trial.freshName()
        const messages: Sent[] = []
        const createAndSend = async (_: unknown, turn: number) => {
          await sleep(turn * apart)
          const exchange = await trial.tryCreateQueue(path)
          const uri = createdAt(trial, exchange)
          // While the others are still under way.
          if (uri !== undefined) messages.push(await trial.send({ path, uri }))
          return { exchange, uri }
        }
        const all = await Promise.all(Array.from({ length: CREATORS }, createAndSend))
        // One that comes while another is under way may be turned away; the one that did it may not.
        const uris = all.map(({ uri }) => uri).filter((uri) => uri !== undefined)
        trial.expect(
          uris.length > 0,
          'success of one of several creations at once',
          answered(all[0]!.exchange),
        )
        trial.expect(
          countDifferent(uris) === 1,
          'one address from all creations of one queue',
          `${uris.join(', ')}`,
        )
        const queue = { path, uri: uris[0]! }
        await expectPending(trial, queue, messages, 'all that is sent to a queue created at once')
        apart = takes / CREATORS
      })
    },
  },
  {
    id: 'queues.listed-once',
    title: 'A queue that was created twice is listed once.',
    stimulus: 'Creates one queue twice, and counts its entries in the root listing.',
    clauses: ['queues.create.again.one', 'browse.root.once'],
    needs: ['queues.create-again', 'browse.root'],
    readsRoot: true,
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      await trial.tryCreateQueue(queue.path)
      const root = trial.target.at('/queues')
      const amiss = await amissIn(trial, async () => {
        const feed = await trial.readFeed(root, 'browse.root')
        const { count, isSure } = countIn(feed, (entry) => standsFor(trial, entry, queue))
        // Below a category, it need not be in the root at all.
        const isGood = count === 1 || (count === 0 && queue.path.includes('/'))
        return { feeds: [feed], amiss: isGood ? undefined : `${count}`, isSure }
      })
      trial.expect(amiss === undefined, 'one entry for the queue in the root listing', amiss ?? '')
    },
  },
]

/** Whether the address of a queue takes a message that is sent in one request. */
async function takesGuids(trial: Trial, queue: QueueHandle): Promise<boolean> {
  if (!trial.profile.features.guid) return false
  return succeeded(await trial.postWithGuid(queue, trial.freshGuid(), trial.freshMessage().body))
}
