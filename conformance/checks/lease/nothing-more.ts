import type { CheckRecord } from '../../trial/check.js'
import { expectDelivered, expectKept, expectNothingLacking, expectWithheld } from '../../trial/deliveries.js'
import { texts } from '../../trial/labels.js'
import {
  elapseUntil,
  holdForAShortLease,
  successorAfter,
  takeOver,
  whileActive,
} from '../../trial/lease-time.js'
import type { Consumer, QueueHandle, Sent, Trial } from '../../trial/trial.js'
import { once, whileMoreCome } from '../../trial/waiting.js'

/** Parts of a lease after which others do something, again and again. */
const STIRRED_EVERY = 0.3
/** Readings of a visitor, which acknowledges what is in its way. */
const VISITS = 6

/** What neither lengthens a lease nor ends it a second time. */
export const LEASE_NOTHING_MORE: readonly CheckRecord[] = [
  {
    id: 'lease.deleted-gives-nothing-more',
    title: 'A request to a deleted subscription takes nothing from the consumer that has its messages now.',
    stimulus:
      'A consumer holds two messages and is deleted; when another has them, and a third has subscribed, the first is read and deleted again.',
    clauses: ['lease.ended-gives-nothing-more'],
    needs: ['lease.deletion-hands-over', 'consume.own-view'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages = await trial.sendMany(queue, 2)
      const ended = await trial.subscribe(queue)
      await ended.receive(messages)
      await ended.end()
      const holder = await trial.subscribe(queue)
      await expectDelivered(trial, [holder], messages, 'both messages with the second consumer')
      await judgeNothingMore(trial, queue, ended, holder, messages)
    },
  },
  {
    id: 'lease.expired-gives-nothing-more',
    title:
      'A request to a subscription whose lease has ended takes nothing from the consumer that has its messages now.',
    stimulus:
      'A consumer holds two messages until its lease ends; when another has them, and a third has subscribed, the first is read and deleted.',
    clauses: ['lease.ended-gives-nothing-more'],
    needs: ['lease.expiry-hands-over', 'consume.own-view'],
    passesTime: true,
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const { holder: ended, messages, end } = await holdForAShortLease(trial, queue, 2)
      const successor = await successorAfter(trial, queue, end)
      const lacking = await takeOver(trial, successor, messages, end)
      trial.precondition(
        lacking.length === 0,
        'lease.expiry-hands-over',
        'messages that were not handed over',
      )
      await whileActive(trial, successor.consumer, () =>
        judgeNothingMore(trial, queue, ended, successor.consumer, messages),
      )
    },
  },
  {
    id: 'lease.others-renew-nothing',
    stimulus:
      'A consumer holds as many messages as it may and falls silent; again and again others send to its queue, browse it, subscribe to it, read and acknowledge, until the messages come to them.',
    clauses: ['lease.expiry.despite-others'],
    needs: ['lease.expiry-hands-over', 'ack.leaves-feed', 'subscribe.delete'],
    passesTime: true,
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const { maxPrefetch, parameters } = trial.profile.subscription
      // A full one leaves to others what is sent then, so that they have something to acknowledge.
      const full = parameters.prefetch === null || maxPrefetch < 2 ? {} : { prefetch: 2 }
      const { holder, messages, end } = await holdForAShortLease(trial, queue, 2, full)
      const last = end + trial.timing.leaseGrace
      const step = STIRRED_EVERY * holder.lease
      const seen = new Set<string>()
      const lacking = () => messages.filter(({ text }) => !seen.has(text))
      for (let next = trial.now() + step; lacking().length > 0; next += step) {
        const isLast = trial.surelyNow() > last
        await elapseUntil(trial, next)
        await trial.send(queue)
        await trial.browse(queue)
        for (const text of await visit(trial, queue, messages, isLast)) seen.add(text)
        if (isLast) break
      }
      const expected =
        'both messages with another consumer when the lease has ended, whatever others did meanwhile'
      expectNothingLacking(trial, messages, lacking(), expected)
    },
  },
]

/**
 * A consumer that comes, takes whatever waits, and goes; what it is given of `messages` it leaves. The last one stays until they
 * have all come or nothing more comes: a target may need a moment to give a new consumer anything.
 */
async function visit(
  trial: Trial,
  queue: QueueHandle,
  messages: readonly Sent[],
  isLast: boolean,
): Promise<ReadonlySet<string>> {
  const visitor = await trial.subscribe(queue)
  const came = new Set<string>()
  const take = async () => {
    const entries = await visitor.read()
    const bodies = await trial.bodies(entries)
    for (const body of bodies) came.add(body)
    for (const [i, entry] of entries.entries()) {
      if (!texts(messages).includes(bodies[i]!)) await visitor.tryAck(entry)
    }
    return once(texts(messages).every((text) => came.has(text)))
  }
  if (isLast) await whileActive(trial, visitor, () => whileMoreCome(trial, () => came.size, take))
  else await takeAtOnce(take, came)
  await visitor.endIfActive()
  return came
}

/** Takes until a reading brings nothing new. */
async function takeAtOnce(take: () => Promise<true | undefined>, came: ReadonlySet<string>): Promise<void> {
  for (let turn = 0; turn < VISITS; turn++) {
    const before = came.size
    if ((await take()) || came.size === before) return
  }
}

/** Asks a subscription that has ended for everything, and judges that its messages stay where they are now. */
async function judgeNothingMore(
  trial: Trial,
  queue: QueueHandle,
  ended: Consumer,
  holder: Consumer,
  messages: readonly Sent[],
): Promise<void> {
  const later = await trial.subscribe(queue)
  for (const method of ['GET', 'DELETE', 'GET']) await trial.target.request(method, ended.uri)
  await expectWithheld(trial, later, messages, 'nothing of what another holds with a third consumer')
  await expectKept(trial, holder, messages, 'both messages with the consumer that has them')
  await later.endIfActive()
}
