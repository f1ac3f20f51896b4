import type { Exchange } from '../../client/exchange.js'
import { prefetchUpTo } from '../../client/subscription-request.js'
import { countDifferent } from '../../trial/addresses.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectDone, expectFeed, expectFeedWith200 } from '../../trial/expectations.js'
import { labels, quote, texts } from '../../trial/labels.js'
import { elapseUntil, needActive } from '../../trial/lease-time.js'
import {
  expectPending,
  needContents,
  pendingBodies,
  sameTexts,
  sentOnce,
  settledBodies,
  times,
  untilPending,
} from '../../trial/pending.js'
import { countUpTo, needRoom } from '../../trial/reading.js'
import { sendAsMany, sendManyWithGuids, sendTo } from '../../trial/sending.js'
import type { Consumer, QueueHandle, Sent, Trial } from '../../trial/trial.js'
import { isTwoStepBroken } from '../../trial/ways-round.js'

/** Milliseconds for a feed of 25 messages. One of four times as many, read a few times, is then no burden. */
const READ_QUICKLY = 1000
/** The same for the contents of those, where they are linked. */
const CONTENTS_QUICKLY = 300
/** Milliseconds for which a message is held before its queue's feed is read again. */
const HELD_ON = 2000

/** Sends three messages. What the steps do wrong the feed may only tell: those are other checks' questions. */
async function sendStepByStep(trial: Trial, queue: QueueHandle): Promise<Sent[]> {
  const addresses = await Promise.all([1, 2, 3].map(() => trial.newAddress(queue)))
  const different = countDifferent(addresses)
  trial.precondition(different === 3, 'send.own-address', `${different} addresses for three times step 1`)
  const before = (await trial.browse(queue)).entries.length
  trial.precondition(before === 0, 'send.address-makes-no-message', `${before} after three times step 1`)
  return Promise.all(addresses.map((address) => sendTo(trial, address)))
}

/** How many entries a page has, or one where it has none. */
function entriesOn({ body }: Exchange): number {
  return Math.max(1, (String(body).match(/<(?:[\w-]+:)?entry[\s>]/g) ?? []).length)
}

/** Browsing the messages of a queue: section 4.1, "Browse a queue's messages". */
export const BROWSE: readonly CheckRecord[] = [
  {
    id: 'browse.queue',
    title: "A queue's address answers a GET with 200 and a feed of one entry for each pending message.",
    stimulus: 'Reads the feed of a new queue, sends three messages, and reads it again.',
    clauses: [
      'browse.queue.status',
      'browse.queue.entries',
      'browse.queue.empty',
      'browse.atom',
      'browse.atom.well-formed',
    ],
    needs: ['queues.create'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const feed = await expectFeedWith200(
        trial,
        queue.uri,
        "200 with an Atom feed for GET of a queue's address",
      )
      const count = feed.entries.length
      trial.expect(count === 0, 'no entry in the feed of a new queue', `${count}`)
      const messages = isTwoStepBroken(trial)
        ? await trial.sendMany(queue, 3)
        : await sendStepByStep(trial, queue)
      const seen = await settledBodies(trial, queue, messages)
      const amiss = messages.find(({ text }) => times(seen, text) !== 1)
      if (amiss) {
        const sent = await sentOnce(trial, queue, amiss, (other) => trial.send(other))
        trial.precondition(
          sent,
          'send.post',
          `${quote(amiss.text)}, not sent once by what a consumer is given`,
        )
      }
      trial.expect(
        amiss === undefined && seen.length === messages.length,
        `one entry in the feed for each of ${messages.map(({ text }) => quote(text)).join(', ')}`,
        `entries for ${seen.map(quote).join(', ') || 'none'}`,
      )
    },
  },
  {
    id: 'browse.many-messages',
    title: 'The feed of a queue with many messages has one entry for each of them.',
    stimulus:
      'Sends 25 messages, and 80 more, and with guids 160 more, as far as the queue takes them, where the feed can be read within a second, and as many as fill its last page; reads it, all its pages.',
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
      const onOne = pages.length > 1 ? entriesOn(pages[0]!) : messages.length
      const toFill = (onOne - (messages.length % onOne)) % onOne
      if (toFill <= 25) messages.push(...(await sendAsMany(trial, queue, toFill)))
      const all = `one entry in the feed for each of ${messages.length} messages`
      await expectPending(trial, queue, messages, all)
    },
  },
  {
    id: 'browse.held',
    title: 'A message that a consumer holds is still listed in its queue’s feed, once.',
    stimulus: 'Sends three messages, has a consumer hold two of them, and reads the queue’s feed.',
    clauses: ['browse.pending.held', 'browse.queue.entries'],
    needs: ['browse.queue', 'consume.delivers'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages = await trial.sendMany(queue, 3)
      await untilPending(trial, queue, messages)
      const consumer = await trial.subscribe(queue, { prefetch: 2 })
      await consumer.receiveCount(2)
      await expectPending(trial, queue, messages, 'one entry in the feed for each message, held or not')
      await consumer.endIfActive()
    },
  },
  {
    id: 'browse.held-of-many',
    title: 'All the messages that consumers hold are listed in their queue’s feed, on whatever page.',
    stimulus:
      'Has three consumers hold as many of 24 messages as they may, up to eight each, and reads the queue’s feed.',
    clauses: ['browse.pending.held'],
    needs: ['browse.held', 'browse.many-messages', 'prefetch.fills'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages = await trial.sendMany(queue, 24)
      const prefetch = prefetchUpTo(trial.profile, 8)
      const consumers: Consumer[] = []
      for (let held = 0; held < messages.length && consumers.length < 3; held += prefetch) {
        const consumer = await trial.subscribe(queue, { prefetch })
        // How many it is given is the question of other checks.
        await countUpTo(trial, consumer, Math.min(prefetch, messages.length - held))
        consumers.push(consumer)
      }
      await expectPending(trial, queue, messages, 'one entry in the feed for each message, held or not')
      await Promise.all(consumers.map((consumer) => consumer.endIfActive()))
    },
  },
  {
    id: 'browse.held-on',
    title: 'A message is listed in its queue’s feed for as long as a consumer holds it.',
    stimulus:
      'Has a consumer hold two messages for two seconds, or for most of a shorter lease of the target’s own, and reads the queue’s feed.',
    clauses: ['browse.pending.held'],
    needs: ['browse.held'],
    passesTime: true,
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages = await trial.sendMany(queue, 2)
      const consumer = await trial.subscribe(queue)
      await consumer.receive(messages)
      await elapseUntil(trial, consumer.createdAt + Math.min(HELD_ON, 0.7 * consumer.lease))
      const bodies = await pendingBodies(trial, queue, messages)
      const lacking = messages.filter(({ text }) => !bodies.includes(text))
      // The end of a lease would have brought back what was hidden, and may have hidden what was shown.
      if (lacking.length > 0) needActive(trial, consumer)
      trial.expect(
        lacking.length === 0,
        `both messages in the feed ${Math.round(trial.now() - consumer.createdAt)} ms after their consumer subscribed`,
        () => `${labels(messages, texts(lacking))} not there`,
      )
      await consumer.endIfActive()
    },
  },
  {
    id: 'browse.acknowledged-gone',
    title: 'A message that was acknowledged is no longer listed in its queue’s feed, and the others are.',
    stimulus:
      'Sends three messages, has a consumer acknowledge one, and reads the queue’s feed before and after.',
    clauses: ['browse.pending.acknowledged', 'browse.queue.entries'],
    needs: ['browse.held', 'consume.delivers', 'ack.succeeds'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages = await trial.sendMany(queue, 3)
      await untilPending(trial, queue, messages)
      const consumer = await trial.subscribe(queue)
      const [entry] = await consumer.receive(messages)
      await consumer.ack(entry!)
      const left = messages.slice(1)
      const seen = await settledBodies(trial, queue, left)
      await consumer.endIfActive()
      trial.expect(
        !seen.includes(messages[0]!.text),
        'the acknowledged message gone from the feed of its queue',
        `${quote(messages[0]!.text)} still in the feed`,
      )
      const stay = 'the messages that were not acknowledged still in the feed'
      trial.expect(
        sameTexts(
          seen,
          left.map(({ text }) => text),
        ),
        stay,
        () => seen.map(quote).join(', ') || 'none',
      )
    },
  },
  {
    id: 'browse.takes-nothing',
    stimulus:
      'Sends three messages, reads the queue’s feed several times with all bodies, and then consumes.',
    clauses: ['browse.takes-nothing'],
    needs: ['browse.queue', 'consume.delivers'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages = await trial.sendMany(queue, 3)
      await untilPending(trial, queue, messages)
      await Promise.all([1, 2, 3].map(() => pendingBodies(trial, queue, messages)))
      const consumer = await trial.subscribe(queue)
      needRoom(trial, [consumer], messages.length)
      let bodies: string[] = []
      const all = await trial.eventually(async () => {
        bodies = await trial.bodies(await consumer.read())
        return messages.every(({ text }) => bodies.includes(text)) || undefined
      })
      await consumer.endIfActive()
      trial.expect(
        all === true,
        'every message that was browsed, with a consumer',
        () => `${bodies.map(quote).join(', ') || 'none'} of ${messages.length}`,
      )
    },
  },
  {
    id: 'browse.leaves-held',
    title: 'Browsing a queue leaves the messages with the consumer that holds them.',
    stimulus:
      'Has a consumer hold two messages and another wait, reads the queue’s feed, and reads the feeds of both.',
    clauses: ['browse.takes-nothing'],
    needs: ['browse.queue', 'consume.repeat', 'consume.own-view'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages = await trial.sendMany(queue, 2)
      const consumer = await trial.subscribe(queue)
      await consumer.receive(messages)
      // Without another consumer what was taken from the first may have come back to it by now.
      const other = await trial.subscribe(queue)
      await Promise.all([pendingBodies(trial, queue, messages), pendingBodies(trial, queue, messages)])
      const read = (who: Consumer) =>
        expectDone(trial, 'both consumers with their feeds as before', async () =>
          trial.bodies(await who.read()),
        )
      const moved = await read(other)
      const bodies = await read(consumer)
      await Promise.all([consumer.endIfActive(), other.endIfActive()])
      trial.expect(
        moved.length === 0,
        'none of them with a consumer that comes later',
        () => `${moved.map(quote).join(', ')}`,
      )
      trial.expect(
        sameTexts(
          bodies,
          messages.map(({ text }) => text),
        ),
        'the same messages as before in the consumer’s feed',
        `${bodies.map(quote).join(', ') || 'none'}`,
      )
    },
  },
  {
    id: 'browse.changes-nothing',
    stimulus: 'Sends four messages, reads the queue’s feed four times in turn and then four times at once.',
    clauses: ['browse.changes-nothing'],
    needs: ['send.post', 'browse.queue'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages = await trial.sendMany(queue, 4)
      await untilPending(trial, queue, messages)
      // An effect may show in one reading and not in the next until it has settled.
      if (trial.timing.settle > 0) await trial.elapse(trial.timing.settle)
      const readings: string[][] = []
      for (let turn = 0; turn < 4; turn++) readings.push(await pendingBodies(trial, queue, messages))
      readings.push(...(await Promise.all([1, 2, 3, 4].map(() => pendingBodies(trial, queue, messages)))))
      const wanted = messages.map(({ text }) => text)
      const other = readings.findIndex((bodies) => !sameTexts(bodies, wanted))
      trial.expect(
        other < 0,
        'the same four messages in each reading',
        () => `${readings[other]!.map(quote).join(', ') || 'none'} in reading ${other + 1}`,
      )
    },
  },
  {
    id: 'browse.markup',
    title: 'Bodies with markup characters and characters beyond ASCII come through a queue’s feed.',
    stimulus:
      'Sends texts with & < > " \' ]]>, entities, tags and other scripts, and reads them in the queue’s feed.',
    clauses: ['browse.atom.escaping', 'browse.atom.well-formed'],
    needs: ['send.post', 'browse.queue'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const odd = [
        `& < > " '`,
        ']]> <![CDATA[x]]>',
        '&amp; &lt; &#38;',
        '<entry><id>x</id></entry>',
        'é漢字🦊',
      ]
      const messages = await Promise.all(
        odd.map((text) => trial.send(queue, trial.freshMessage(`${text} `).body)),
      )
      await expectFeed(trial, queue.uri, 'a well-formed feed with such texts')
      await needContents(trial)
      await expectPending(trial, queue, messages, 'each text in the feed as it was sent')
    },
  },
]
