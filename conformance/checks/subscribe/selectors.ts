import type { CheckRecord } from '../../trial/check.js'
import { expectDelivered, expectWithheld } from '../../trial/deliveries.js'
import { labels } from '../../trial/labels.js'
import { sendByAPath } from '../../trial/of-every-kind.js'
import { pendingBodies } from '../../trial/pending.js'
import { deleteForGood, queuesBelowOne } from '../../trial/queues.js'
import { missing } from '../../trial/reading.js'
import { sendMatching, sendOther, sendWithGuidIfTaken, sendWithOwnGuid } from '../../trial/sending.js'
import { expression, wildcard } from '../../trial/subscription-form.js'
import type { QueueHandle, Trial } from '../../trial/trial.js'
import { unlessBlocked } from '../../trial/waiting.js'

/** Subscriptions with a selector, in the target's own language, which its profile gives one sentence of. */
export const SUBSCRIBE_SELECTORS: readonly CheckRecord[] = [
  {
    id: 'subscribe.selector',
    stimulus: 'Sends matching and other messages before and after subscribing with a selector.',
    clauses: ['subscribe.selector'],
    needs: ['consume.delivers'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      await sendOther(trial, queue)
      const before = await sendMatching(trial, queue)
      const consumer = await trial.subscribe(queue, { selector: expression(trial) })
      const after = await sendMatching(trial, queue)
      // Where no consumer is given what waited for it, a selector shows in what comes later.
      const messages = trial.isBroken('consume.delivers') ? [after] : [before, after]
      const expected = 'the matching messages, 1 sent before the subscription and 2 after it'
      await expectDelivered(trial, [consumer], messages, expected)
    },
  },
  {
    id: 'subscribe.selector-only-matching',
    stimulus:
      'Sends messages that do not match before and after subscribing with a selector, then one that matches, and acknowledges that.',
    clauses: ['subscribe.selector.only'],
    needs: ['subscribe.selector'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const others = [await sendOther(trial, queue)]
      const consumer = await trial.subscribe(queue, { selector: expression(trial) })
      others.push(await sendOther(trial, queue))
      const [entry] = await consumer.receive([await sendMatching(trial, queue)])
      await expectWithheld(trial, consumer, others, 'only the message that matches')
      await consumer.tryAck(entry!)
      others.push(await sendOther(trial, queue))
      await expectWithheld(trial, consumer, others, 'no message that does not match after an ack')
    },
  },
  {
    id: 'subscribe.selector-with-guid',
    title: 'A selector counts for messages that are sent with a guid, too.',
    stimulus: 'Sends, each with a guid, a message that does not match a selector and one that does.',
    clauses: ['subscribe.selector', 'subscribe.selector.only'],
    needs: ['subscribe.selector-only-matching'],
    async run(trial: Trial) {
      if (!trial.profile.features.guid) return trial.observed('The target has no sends with a guid.')
      const queue = await trial.createQueue()
      const consumer = await trial.subscribe(queue, { selector: expression(trial) })
      const { matching, other } = trial.profile.subscription.selector
      const send = async (headers: Readonly<Record<string, string>>) => {
        const message = trial.freshMessage()
        await sendWithOwnGuid(trial, queue, message, { ...headers })
        return message
      }
      const unwanted = await send(other)
      const wanted = await send(matching)
      const lacking = await missing(trial, [consumer], [wanted])
      trial.precondition(lacking.length === 0, 'dedup.send', 'no message that matches')
      await expectWithheld(trial, consumer, [unwanted], 'only the message that matches')
    },
  },
  {
    id: 'subscribe.selector-of-several',
    title: 'A selector counts for every queue of a subscription.',
    stimulus:
      'Subscribes with a selector to three queues, sends to each a message that does not match and one that does, and reads, also the queues.',
    clauses: ['subscribe.selector', 'subscribe.selector.only', 'subscribe.selector.rest'],
    needs: ['subscribe.selector-only-matching', 'subscribe.several-destinations'],
    async run(trial: Trial) {
      const queues = await Promise.all([1, 2, 3].map(() => trial.createQueue()))
      await expectOnlyMatching(trial, queues, queues)
    },
  },
  {
    id: 'subscribe.selector-over-wildcard',
    title: 'A selector counts for every queue that a wildcard covers.',
    stimulus:
      'Subscribes with a selector and a wildcard over two queues, makes a third, sends to each a message that does not match and one that does, and reads, also the queues.',
    clauses: ['subscribe.selector', 'subscribe.selector.only', 'subscribe.selector.rest'],
    needs: ['subscribe.selector-only-matching'],
    async run(trial: Trial) {
      if (!trial.profile.features.wildcards) return trial.observed('The target has no wildcards.')
      const { prefix, queues } = await queuesBelowOne(trial, ['one', 'two'])
      await expectOnlyMatching(trial, [wildcard(trial, prefix)], queues, `${prefix}/later`)
    },
  },
  {
    id: 'subscribe.selector-of-every-kind',
    title: 'A selector counts for every message, however it came to its queue.',
    stimulus:
      'Messages that do not match wait in a queue that was made again, sent in every way that the target claims; two consumers, one after the other, hold them and are deleted; one with a selector reads, when one that matches has come.',
    clauses: ['subscribe.selector.only', 'subscribe.selector'],
    needs: [
      'subscribe.selector-only-matching',
      'lease.deletion-hands-over-to-waiting',
      'queues.created-after-delete',
    ],
    async run(trial: Trial) {
      const first = await trial.createQueue()
      await deleteForGood(trial, first)
      // Its address need not be the one before: a queue that is made again is another.
      const queue = await trial.createQueue(first.path)
      const headers = { ...trial.profile.subscription.selector.other }
      const others = [
        await sendByAPath(trial, queue, headers),
        await sendWithGuidIfTaken(trial, queue, headers),
      ]
      for (let holder = 0; holder < 2; holder++) {
        const consumer = await trial.subscribe(queue)
        await consumer.receive(others)
        await consumer.end()
      }
      const choosy = await trial.subscribe(queue, { selector: expression(trial) })
      await expectDelivered(trial, [choosy], [await sendMatching(trial, queue)], 'the message that matches')
      await expectWithheld(trial, choosy, others, 'only the message that matches')
    },
  },
  {
    id: 'subscribe.selector-leaves-the-rest',
    title: 'What a selector passes over reaches a consumer that takes it.',
    stimulus:
      'Messages that do not match are sent before a consumer with a selector subscribes, while it is alone, and beside another without one; the first reads, then the other.',
    clauses: ['subscribe.selector.rest', 'subscribe.selector.only'],
    needs: ['subscribe.selector'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const others = [await sendOther(trial, queue)]
      const choosy = await trial.subscribe(queue, { selector: expression(trial) })
      await choosy.receive([await sendMatching(trial, queue)])
      others.push(await sendOther(trial, queue))
      const taker = await trial.subscribe(queue)
      // One for each, where they take turns.
      others.push(...(await Promise.all([sendOther(trial, queue), sendOther(trial, queue)])))
      // Before the other has read: what it has is out of anybody's reach.
      await expectWithheld(trial, choosy, others, 'only the message that matches, beside a consumer of all')
      await expectDelivered(
        trial,
        [taker],
        others,
        'all four messages that do not match with the consumer without a selector',
      )
    },
  },
  {
    id: 'subscribe.selector-redelivery',
    title: 'A message given up by one consumer goes to another only where its selector matches.',
    stimulus:
      'A consumer holds a matching message and another; it is deleted beside a consumer with a selector; then one without a selector subscribes.',
    clauses: ['subscribe.selector.only', 'subscribe.selector.rest', 'lease.reassign'],
    needs: ['subscribe.selector-only-matching', 'lease.deletion-hands-over-to-waiting'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const [matching, other] = await Promise.all([sendMatching(trial, queue), sendOther(trial, queue)])
      const holder = await trial.subscribe(queue)
      await holder.receive([matching, other])
      const choosy = await trial.subscribe(queue, { selector: expression(trial) })
      await holder.end()
      await expectDelivered(trial, [choosy], [matching], 'the matching message with the selector')
      await expectWithheld(trial, choosy, [other], 'only the message that matches')
      const taker = await trial.subscribe(queue)
      await expectDelivered(trial, [taker], [other], 'the other message with the consumer without a selector')
    },
  },
]

/**
 * Expects of all that is sent to `queues`, before and after a subscription to `destinations`, what matches and no more, and that
 * the rest stays.
 *
 * @param later the path of a queue that is made after the subscription
 */
async function expectOnlyMatching(
  trial: Trial,
  destinations: readonly (QueueHandle | string)[],
  queues: readonly QueueHandle[],
  later?: string,
): Promise<void> {
  const before = await Promise.all(queues.map((queue) => sendOther(trial, queue)))
  const consumer = await trial.subscribe(destinations, { selector: expression(trial) })
  const all = later === undefined ? queues : [...queues, await trial.createQueue(later)]
  const after = await Promise.all(all.map((queue) => sendOther(trial, queue)))
  const matching = await Promise.all(all.map((queue) => sendMatching(trial, queue)))
  await expectDelivered(trial, [consumer], matching, 'the matching message of each queue')
  await expectWithheld(trial, consumer, [...before, ...after], 'only the messages that match')
  for (const [at, queue] of all.entries()) {
    const others = [before[at], after[at]].filter((each) => each !== undefined)
    const listed = await unlessBlocked(() => pendingBodies(trial, queue, [...others, matching[at]!]))
    const isThere = listed === undefined || others.every(({ text }) => listed.includes(text))
    trial.expect(isThere, 'what does not match still in its queue', () => labels(others, listed ?? []))
  }
}
