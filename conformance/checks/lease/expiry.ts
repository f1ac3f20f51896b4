import { answered } from '../../client/answered.js'
import { succeeded } from '../../client/exchange.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectNothingLacking } from '../../trial/deliveries.js'
import { labels, texts } from '../../trial/labels.js'
import {
  type EarlyLease,
  earliestExpiry,
  elapsePast,
  elapsePastEnd,
  elapseUntil,
  exceptForASecond,
  holdForAShortLease,
  latestExpiry,
  needActive,
  successorAfter,
  takeOver,
  whileActive,
  withBriefLeases,
} from '../../trial/lease-time.js'
import { pendingBodies } from '../../trial/pending.js'
import { readBodies, repeated } from '../../trial/reading.js'
import { expectNoPages, furtherPages, subscribeToSeveralPages } from '../../trial/several-pages.js'
import type { Consumer, QueueHandle, Sent, Trial } from '../../trial/trial.js'
import { once } from '../../trial/waiting.js'

/** The end of a subscription by time. */
export const LEASE: readonly CheckRecord[] = [
  {
    id: 'lease.expiry-hands-over',
    title: 'When a lease ends, all its messages go to a consumer that subscribes afterwards.',
    stimulus:
      'A consumer reads three messages and falls silent; another subscribes after its lease and reads.',
    clauses: [
      'lease.expiry.hands-over',
      'lease.expiry.all',
      'lease.expiry.ends',
      'lease.expires',
      'lease.reassign',
    ],
    needs: ['consume.repeat'],
    passesTime: true,
    async run(trial: Trial) {
      const { messages, lacking } = await withBriefLeases(trial, passToLater(trial), nothingLacks)
      expectNothingLacking(trial, messages, lacking, 'all three messages with the second consumer')
    },
  },
  {
    id: 'lease.expiry-hands-over-to-waiting',
    title:
      'When a lease ends, its messages go to a consumer that waits already, without a request to the ended one.',
    stimulus:
      'A consumer reads three messages and falls silent; another, which subscribed before the lease ends, reads.',
    clauses: ['lease.expiry.hands-over', 'lease.expiry.all', 'lease.expiry.no-request'],
    needs: ['consume.repeat'],
    passesTime: true,
    run: handOverToWaiting,
  },
  {
    id: 'lease.expiry-in-silence',
    stimulus:
      'A consumer reads three messages and falls silent; another, which subscribed before the lease ends, reads. No other check asks the target for anything meanwhile.',
    clauses: ['lease.expiry.in-silence'],
    needs: ['lease.expiry-hands-over-to-waiting'],
    passesTime: true,
    runsAlone: true,
    run: handOverInSilence,
  },
  {
    id: 'lease.expiry-of-unread',
    title: 'The lease of a consumer that has never read ends, too, and with it what it may have been given.',
    stimulus:
      'A consumer subscribes and never reads; messages are sent; another subscribes after its lease and reads.',
    clauses: ['lease.expiry.ends', 'lease.expiry.hands-over', 'lease.from-creation'],
    needs: ['consume.repeat'],
    passesTime: true,
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const silent = await trial.subscribe(queue, { lease: 'short' })
      const end = latestExpiry(trial, silent)
      const messages = await trial.sendMany(queue, 4)
      const lacking = await takeOver(trial, await successorAfter(trial, queue, end), messages, end)
      expectNothingLacking(trial, messages, lacking, 'all four messages with the second consumer')
    },
  },
  {
    id: 'lease.ended-receives-nothing',
    title: 'A subscription whose lease has ended receives nothing more.',
    stimulus:
      'A consumer falls silent; another subscribes after its lease, and all messages sent then must come to it.',
    clauses: ['lease.expiry.ends', 'lease.expires', 'consume.delivered'],
    needs: ['consume.repeat'],
    passesTime: true,
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const silent = await trial.subscribe(queue, { lease: 'short' })
      await silent.read()
      const end = latestExpiry(trial, silent)
      const successor = await successorAfter(trial, queue, end)
      const messages = await trial.sendMany(queue, 4)
      const lacking = await takeOver(trial, successor, messages, end)
      expectNothingLacking(trial, messages, lacking, 'all four messages with the consumer that is left')
    },
  },
  {
    id: 'lease.ended-unreadable',
    stimulus:
      'Reads a feed of twelve messages, or as many as there may be, lets the lease end without any request, and asks for the feed again, and for its further pages, where it has such.',
    clauses: ['lease.expiry.unreadable', 'lease.expiry.ends', 'lease.expires'],
    needs: ['consume.feed'],
    passesTime: true,
    async run(trial: Trial) {
      const consumer = await subscribeToSeveralPages(trial, { lease: 'short' })
      const further = await furtherPages(trial, consumer)
      await elapsePastEnd(trial, latestExpiry(trial, consumer))
      let answer = await consumer.get()
      if (answer.status < 300) {
        // The target may end leases late, and this reading may have renewed it: once more, with all its grace.
        await elapsePast(trial, latestExpiry(trial, consumer) + trial.timing.leaseGrace)
        answer = await consumer.get()
      }
      trial.expect(answer.status >= 300, 'a refusal, such as 404 or 410', answered(answer))
      trial.choose('ended-subscription', String(answer.status))
      await expectNoPages(trial, further)
    },
  },
  {
    id: 'lease.active-until-end',
    stimulus:
      'Subscribes and reads the feed for the first time when three quarters of the lease have passed.',
    clauses: ['lease.active', 'lease.from-creation'],
    needs: ['consume.feed'],
    passesTime: true,
    run: (trial: Trial) => exceptForASecond(trial, (lease) => expectActive(trial, lease)),
  },
  {
    id: 'lease.not-early',
    stimulus:
      'A consumer reads three messages and falls silent; another reads when most of the lease has passed.',
    clauses: ['lease.expiry.not-early', 'lease.active'],
    needs: ['consume.own-view'],
    passesTime: true,
    run: (trial: Trial) => exceptForASecond(trial, (lease) => expectNoneEarly(trial, lease)),
  },
  {
    id: 'lease.expiry-loses-nothing',
    title: 'The end of a lease leaves the messages pending in their queue.',
    stimulus:
      "A consumer reads three messages and falls silent; nobody else is there; the queue's feed is read after its lease.",
    clauses: ['lease.expiry.all', 'browse.pending.held'],
    needs: ['consume.repeat', 'browse.queue'],
    passesTime: true,
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const { messages, end } = await holdForAShortLease(trial, queue, 3)
      await elapsePastEnd(trial, end)
      let lacking: string[] = []
      await trial.eventually(async () => {
        const listed = await pendingBodies(trial, queue, messages)
        lacking = texts(messages).filter((text) => !listed.includes(text))
        return once(lacking.length === 0)
      })
      trial.expect(
        lacking.length === 0,
        'all three messages in the feed of the queue',
        () => `${labels(messages, lacking)} not there`,
      )
    },
  },
  {
    id: 'lease.expiry-spares-neighbours',
    title: "The end of one consumer's lease leaves another consumer's messages alone.",
    stimulus:
      'A full consumer falls silent; another holds a message of its own, and reads until it has those of the first, too.',
    clauses: ['lease.expiry.hands-over', 'consume.entries', 'consume.repeat'],
    needs: ['lease.expiry-hands-over-to-waiting', 'prefetch.full-does-not-starve'],
    passesTime: true,
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const { holder, messages, end } = await holdForAShortLease(trial, queue, 2, { prefetch: 2 })
      // The holder has no room for it, so it waits for the other.
      const own = await trial.send(queue)
      const other = await waitBeside(trial, queue, holder)
      let bodies: string[] = []
      await whileActive(trial, other, () =>
        trial.eventually(async () => {
          bodies = await readBodies(trial, other)
          return once(bodies.includes(own.text))
        }),
      )
      trial.precondition(
        bodies.includes(own.text),
        'consume.delivers',
        'the message of the second consumer did not come',
      )
      if (texts(messages).some((text) => bodies.includes(text))) needActive(trial, holder)
      const lacking = await takeOver(trial, { consumer: other }, messages, end, (bodies) => {
        trial.expect(
          bodies.includes(own.text),
          "the consumer's own message in every reading",
          'it left the feed',
        )
        trial.expect(repeated(bodies).length === 0, 'one entry for each message', 'two for one message')
      })
      expectNothingLacking(
        trial,
        messages,
        lacking,
        'the messages of the first consumer with the second, too',
      )
    },
  },
]

async function expectActive(trial: Trial, lease: EarlyLease): Promise<void> {
  const consumer = await trial.subscribe(await trial.createQueue(), { lease })
  await elapseUntil(trial, lateIn(trial, consumer, 0.75))
  const answer = await consumer.get()
  if (!succeeded(answer)) needActive(trial, consumer)
  trial.expect(succeeded(answer), '200 before the lease has ended', answered(answer))
}

async function expectNoneEarly(trial: Trial, lease: EarlyLease): Promise<void> {
  const queue = await trial.createQueue()
  const { holder, messages } = await holdForAShortLease(trial, queue, 3, { lease })
  const other = await waitBeside(trial, queue, holder)
  const entries = await whileActive(trial, other, () => other.read())
  const readAt = trial.now()
  const bodies = await trial.bodies(entries)
  const early = texts(messages).filter((text) => bodies.includes(text))
  if (early.length > 0 && readAt > earliestExpiry(holder)) needActive(trial, holder)
  trial.expect(
    early.length === 0,
    'none of the messages that the first consumer holds for its lease',
    () => `${labels(messages, early)} after ${Math.round(readAt - holder.createdAt)} of ${holder.lease} ms`,
  )
}

/** The messages of a consumer that fell silent, and those of them that did not come to the next. */
interface Passed {
  readonly messages: readonly Sent[]
  readonly lacking: readonly Sent[]
}

type Pass = (lease: 'short' | 'brief') => Promise<Passed>

const nothingLacks = ({ lacking }: Passed) => lacking.length === 0

async function handOverToWaiting(trial: Trial): Promise<void> {
  expectWithWaiting(trial, await passToWaiting(trial)('short'))
}

async function handOverInSilence(trial: Trial): Promise<void> {
  expectWithWaiting(trial, await withBriefLeases(trial, passToWaiting(trial), nothingLacks))
}

function expectWithWaiting(trial: Trial, { messages, lacking }: Passed): void {
  expectNothingLacking(trial, messages, lacking, 'all three messages with the waiting consumer')
}

/** To a consumer that subscribes when the lease has ended. */
function passToLater(trial: Trial): Pass {
  return async (lease) => {
    const queue = await trial.createQueue()
    const { messages, end } = await holdForAShortLease(trial, queue, 3, { lease })
    return {
      messages,
      lacking: await takeOver(trial, await successorAfter(trial, queue, end), messages, end),
    }
  }
}

/** To a consumer that has subscribed before the lease ends. */
function passToWaiting(trial: Trial): Pass {
  return async (lease) => {
    const queue = await trial.createQueue()
    const { holder, messages, end } = await holdForAShortLease(trial, queue, 3, { lease })
    const waiting = await waitBeside(trial, queue, holder)
    needActive(trial, holder)
    return { messages, lacking: await takeOver(trial, { consumer: waiting }, messages, end) }
  }
}

/** When so great a part of a lease has passed, less what a held reading takes, that it may still end within it. */
function lateIn(trial: Trial, { createdAt, lease }: Consumer, part: number): number {
  return createdAt + part * lease - trial.timing.held
}

/** Subscribes to a queue when most of the holder's lease has passed: late, so that a lease of the target's own outlives it. */
async function waitBeside(trial: Trial, queue: QueueHandle, holder: Consumer): Promise<Consumer> {
  await elapseUntil(trial, lateIn(trial, holder, 0.7))
  return trial.subscribe(queue)
}
