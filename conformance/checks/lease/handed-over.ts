import { prefetchUpTo } from '../../client/subscription-request.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectDelivered, expectNothingLacking } from '../../trial/deliveries.js'
import { drain } from '../../trial/drain.js'
import { elapsePastEnd, latestExpiry, takeOver } from '../../trial/lease-time.js'
import { expectPending } from '../../trial/pending.js'
import { queuesBelowOne } from '../../trial/queues.js'
import { missing } from '../../trial/reading.js'
import { sendAsMany, sendWithOwnGuid } from '../../trial/sending.js'
import { wildcard } from '../../trial/subscription-form.js'
import { termsAsked } from '../../trial/terms-asked.js'
import type { QueueHandle, Sent, Trial } from '../../trial/trial.js'

/** How many messages one consumer holds at least, and how many where it may hold them and the queue takes them. */
const MANY = 8
const MOST = 40

const AS_MANY = `${MOST} messages, or as many as a consumer may hold and the queue takes, but no fewer than ${MANY}`

const ALL = 'all the messages that the deleted consumer held'

/** Messages that change hands are messages like any other: however they came, and where they are then. */
export const LEASE_HANDED_OVER: readonly CheckRecord[] = [
  {
    id: 'lease.deletion-of-several-queues',
    title: 'Deleting a subscription gives up its messages of all its queues.',
    stimulus:
      'A consumer of three queues reads a message of each and is deleted; another subscribes to all three.',
    clauses: ['lease.delete.hands-over', 'lease.delete.all'],
    needs: ['lease.deletion-hands-over', 'subscribe.several-destinations'],
    async run(trial: Trial) {
      const queues = await Promise.all([1, 2, 3].map(() => trial.createQueue()))
      const messages = await Promise.all(queues.map((queue) => trial.send(queue)))
      await handOver(trial, queues, queues, messages)
    },
  },
  {
    id: 'lease.deletion-over-wildcard',
    title: 'Deleting a subscription gives up what came to it by a wildcard.',
    stimulus:
      'A consumer of a wildcard reads a message of each of two queues and is deleted; another subscribes to both.',
    clauses: ['lease.delete.hands-over', 'lease.delete.all'],
    grade: 'optional',
    feature: 'wildcards',
    needs: ['lease.deletion-of-several-queues', 'subscribe.wildcard'],
    async run(trial: Trial) {
      const { prefix, queues } = await queuesBelowOne(trial, ['one', 'two'])
      const messages = await Promise.all(queues.map((queue) => trial.send(queue)))
      await handOver(trial, [wildcard(trial, prefix)], queues, messages)
    },
  },
  {
    id: 'lease.deletion-of-guid-sends',
    title: 'Deleting a subscription gives up messages that were sent with a guid.',
    stimulus: 'A consumer reads a message that was sent with a guid, and is deleted; another subscribes.',
    clauses: ['lease.delete.hands-over', 'lease.delete.all'],
    grade: 'optional',
    feature: 'guid',
    needs: ['lease.deletion-hands-over', 'dedup.send'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const message = trial.freshMessage()
      await sendWithOwnGuid(trial, queue, message)
      await handOver(trial, [queue], [queue], [message])
    },
  },
  {
    id: 'lease.deletion-of-many',
    title: 'Deleting a subscription gives up all its messages, however many.',
    stimulus: `Sends ${AS_MANY}. A consumer reads them and is deleted; another subscribes and reads.`,
    clauses: ['lease.delete.all'],
    needs: ['lease.deletion-hands-over', 'prefetch.fills'],
    async run(trial: Trial) {
      const { queue, messages, holder, subscribe } = await holdMany(trial, 'long')
      await holder.end()
      const lacking = await missing(trial, [await subscribe('long')], messages)
      await expectAll(trial, queue, messages, lacking)
    },
  },
  {
    id: 'lease.expiry-of-many',
    title: 'When a lease ends, all its messages go to another consumer, however many.',
    stimulus: `Sends ${AS_MANY}. A consumer reads them and falls silent; another subscribes after its lease and reads.`,
    clauses: ['lease.expiry.all'],
    needs: ['lease.expiry-hands-over', 'prefetch.fills'],
    passesTime: true,
    async run(trial: Trial) {
      const { queue, messages, holder, subscribe } = await holdMany(trial, 'short')
      const end = latestExpiry(trial, holder)
      await elapsePastEnd(trial, end)
      const again = () => subscribe('long')
      const lacking = await takeOver(trial, { consumer: await again(), again }, messages, end)
      await expectAll(trial, queue, messages, lacking)
    },
  },
  {
    id: 'lease.handed-over-is-pending',
    title: 'A message that changed hands is still listed in its queue’s feed, once.',
    stimulus:
      'A consumer reads two messages and is deleted; when another has them, the queue’s own feed is read.',
    clauses: ['browse.pending.held'],
    needs: ['lease.deletion-hands-over', 'browse.held'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages = await trial.sendMany(queue, 2)
      await passOn(trial, queue, messages)
      await expectPending(trial, queue, messages, 'one entry in the feed for each of the two messages')
    },
  },
  {
    id: 'lease.handed-over-makes-room',
    title: 'The acknowledgement of a message that changed hands makes room for another.',
    stimulus:
      'A consumer reads two messages and is deleted; another with a prefetch of 2 acknowledges both, and two more are sent.',
    clauses: ['prefetch.refill', 'lease.delete.again-ackable'],
    needs: ['lease.deletion-hands-over', 'prefetch.refill'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages = await trial.sendMany(queue, 2)
      const successor = await passOn(trial, queue, messages, 2)
      for (const entry of await successor.receive(messages)) await successor.ack(entry)
      const later = await trial.sendMany(queue, 2)
      const held = await trial.eventually(async () => {
        const bodies = await trial.bodies(await successor.read())
        return later.every(({ text }) => bodies.includes(text)) || undefined
      })
      trial.expect(held === true, 'both later messages at the same time', 'they did not come')
    },
  },
]

/** Has a consumer read `messages` and go, and another have them. Blocked by `lease.deletion-hands-over` where it has not. */
async function passOn(trial: Trial, queue: QueueHandle, messages: readonly Sent[], prefetch = 10) {
  const holder = await trial.subscribe(queue)
  await holder.receive(messages)
  await holder.end()
  const successor = await trial.subscribe(queue, { prefetch })
  const lacking = await missing(trial, [successor], messages)
  trial.precondition(lacking.length === 0, 'lease.deletion-hands-over', 'messages that did not change hands')
  return successor
}

/** A consumer with as many messages as it was given of those that wait, and the way to subscribe one that may hold as many. */
async function holdMany(trial: Trial, lease: 'long' | 'short') {
  const queue = await trial.createQueue()
  const count = howMany(trial, lease)
  const messages = [...(await trial.sendMany(queue, MANY)), ...(await sendAsMany(trial, queue, count - MANY))]
  const prefetch = prefetchUpTo(trial.profile, count)
  const subscribe = (lease: 'long' | 'short') => trial.subscribe(queue, { prefetch, lease })
  const holder = await subscribe(lease)
  // All that one reading shows: the target may grant fewer than it was asked for without a word.
  await holder.receiveCount(MANY)
  return { queue, messages, holder, subscribe }
}

/** How many messages are sent for a consumer to hold. Half of its lease must be enough where each is on a page of its own. */
function howMany(trial: Trial, lease: 'long' | 'short'): number {
  const room = prefetchUpTo(trial.profile, MOST)
  const inTime = Math.floor(termsAsked(trial, { prefetch: room, lease }).lease / (2 * trial.timing.latency))
  return Math.max(MANY, Math.min(MOST, room, inTime))
}

/** Expects all of `messages` with others. One that the target lets hold fewer than it was asked for leaves some, which the next makes room for. */
async function expectAll(
  trial: Trial,
  queue: QueueHandle,
  messages: readonly Sent[],
  lacking: readonly Sent[],
): Promise<void> {
  if (lacking.length === 0) return
  const drained = await drain(trial, [await trial.subscribe(queue)], lacking)
  const expected = `all ${messages.length} messages with consumers that came later`
  expectNothingLacking(trial, messages, drained.missing, expected)
}

/** Has a consumer read `messages` and go, and expects them with the next one. */
async function handOver(
  trial: Trial,
  destinations: readonly (QueueHandle | string)[],
  queues: readonly QueueHandle[],
  messages: readonly Sent[],
): Promise<void> {
  const holder = await trial.subscribe(destinations)
  await holder.receive(messages)
  await holder.end()
  await expectDelivered(trial, [await trial.subscribe(queues)], messages, ALL)
}
