import { answered } from '../../client/answered.js'
import { succeeded } from '../../client/exchange.js'
import type { CheckRecord } from '../../trial/check.js'
import { labels, texts } from '../../trial/labels.js'
import { type Handed, NextConsumer } from '../../trial/next-message.js'
import { expectPending, pendingBodies } from '../../trial/pending.js'
import { deleteForGood } from '../../trial/queues.js'
import { judgeTakers, nextMessageTaker, subscriptionTaker } from '../../trial/takers.js'
import type { QueueHandle, Sent, Trial } from '../../trial/trial.js'
import { once, settled, whileMoreCome } from '../../trial/waiting.js'

/** Several consumers of one-at-a-time delivery: who has a message has it alone, and an ack is final. */
export const ONE_AT_A_TIME_TOGETHER: readonly CheckRecord[] = [
  {
    id: 'one-at-a-time.exclusive',
    title: 'Each message is given to exactly one of several consumers, also when they ask at the same time.',
    stimulus:
      'Two consumers of one queue ask at the same time, twice, before they acknowledge, until all of eight messages have come.',
    clauses: ['one-at-a-time.exclusive', 'consume.exactly-one'],
    needs: ['one-at-a-time.acknowledges'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumers = await Promise.all([1, 2].map(() => new NextConsumer(trial).join(queue)))
      const messages = await trial.sendMany(queue, 8)
      const hands = new Map<Sent, NextConsumer>()
      const note = (consumer: NextConsumer, handed: Handed | undefined) => {
        if (handed === undefined) return
        const holder = hands.get(handed.message) ?? consumer
        const seen = () => `${labels(messages, [handed.message.text])} with both`
        trial.expect(holder === consumer, 'each message with one consumer', seen)
        hands.set(handed.message, consumer)
      }
      await whileMoreCome(
        trial,
        () => hands.size,
        async () => {
          const looks = consumers.flatMap((consumer) => [consumer, consumer])
          const handed = await Promise.all(looks.map((consumer) => consumer.look(messages)))
          for (const [i, each] of handed.entries()) note(looks[i]!, each)
          // Each consumer asked twice and may have been shown the one message it holds by either answer.
          await Promise.all([0, 1].map((i) => ackFirst(looks[2 * i]!, [handed[2 * i], handed[2 * i + 1]])))
          return once(hands.size === messages.length)
        },
      )
      const lacking = messages.filter((message) => !hands.has(message))
      trial.expect(
        lacking.length === 0,
        'every message with one of the consumers',
        () => `without ${labels(messages, texts(lacking))}`,
      )
    },
  },
  {
    id: 'one-at-a-time.held',
    stimulus:
      'A consumer takes a message and keeps it while it subscribes to another queue; another, whose long id differs in the case of its last letter where ids may be so, subscribes and asks.',
    clauses: ['one-at-a-time.exclusive'],
    needs: ['one-at-a-time.delivers'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const alike = trial.freshGuid().padEnd(48, 'x')
      const holder = await (await namedIfTaken(trial, `${alike}a`, queue)).join(queue)
      const sent = await trial.send(queue)
      await holder.take([sent])
      await holder.join(await trial.createQueue())
      const own = await trial.createQueue()
      const other = await (await namedIfTaken(trial, `${alike}A`, queue)).join(queue, own)
      const wrong = await trial.never(() => other.look([sent]))
      trial.expect(wrong === undefined, 'nothing for the other consumer', 'the message that the first has')
      await other.take([await trial.send(own)])
    },
  },
  {
    id: 'one-at-a-time.ack-final',
    stimulus:
      'A consumer takes a message and acknowledges it; it and another ask until a later message has come; then the first unsubscribes, and the other asks on.',
    clauses: ['one-at-a-time.ack.final'],
    needs: ['one-at-a-time.acknowledges', 'one-at-a-time.unsubscribes'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await new NextConsumer(trial).join(queue)
      const done = await trial.send(queue)
      await consumer.ack(await consumer.take([done]))
      await settled(trial)
      const other = await new NextConsumer(trial).join(queue)
      const later = await trial.send(queue)
      const judge = async (by: NextConsumer): Promise<Handed | undefined> => {
        const handed = await by.look([done, later])
        trial.expect(handed?.message !== done, 'only the later message', 'the one that was acknowledged')
        return handed
      }
      const came = await trial.eventually(async () => (await judge(consumer)) ?? (await judge(other)))
      trial.precondition(came !== undefined, 'one-at-a-time.delivers', 'the later message did not come')
      // At the same time, since a target may let those wait for whom it has nothing.
      await trial.never(async () => {
        await Promise.all([judge(consumer), judge(other)])
        return undefined
      })
      await consumer.part(queue)
      await trial.never(async () => {
        await judge(other)
        return undefined
      })
    },
  },
  {
    id: 'one-at-a-time.ack-only',
    title: "An acknowledgement leaves every other consumer's message alone.",
    stimulus:
      'Two consumers hold a message each, of queues of their own, and two others of one queue; one acknowledges; the message of the other must still be pending, and be acknowledged after it.',
    clauses: ['one-at-a-time.ack'],
    needs: ['one-at-a-time.acknowledges', 'browse.queue'],
    async run(trial: Trial) {
      const queues = await Promise.all([trial.createQueue(), trial.createQueue()])
      const consumers = await Promise.all(queues.map((queue) => new NextConsumer(trial).join(queue)))
      const messages = await Promise.all(queues.map((queue) => trial.send(queue)))
      const handed = await Promise.all(consumers.map((consumer, i) => consumer.take([messages[i]!])))
      await judgeAckLeaves(trial, () => consumers[0]!.ack(handed[0]!), queues[1]!, consumers[1]!, handed[1]!)

      const queue = await trial.createQueue()
      const holder = await new NextConsumer(trial).join(queue)
      const first = await holder.take([await trial.send(queue)])
      const other = await new NextConsumer(trial).join(queue)
      const more = await trial.sendMany(queue, 2)
      // A target may have set both aside for the first consumer; then the other has nothing to lose.
      const second = await trial.eventually(() => other.look(more))
      if (second !== undefined) await judgeAckLeaves(trial, () => holder.ack(first), queue, other, second)
    },
  },
  {
    id: 'one-at-a-time.unsubscribing-loses-nothing',
    title: 'A message that its consumer has not acknowledged stays pending when the consumer unsubscribes.',
    stimulus: "A consumer is given a message and unsubscribes; then the queue's own feed is read.",
    clauses: ['browse.pending.held', 'one-at-a-time.unsubscribe'],
    grade: 'optional',
    feature: 'one-at-a-time',
    needs: ['one-at-a-time.unsubscribes', 'browse.held'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await new NextConsumer(trial).join(queue)
      const message = await trial.send(queue)
      await consumer.take([message])
      await consumer.part(queue)
      // Whether the consumer keeps it or it goes to another is left open.
      await expectPending(trial, queue, [message], 'the message in the feed of its queue once')
    },
  },
  {
    id: 'one-at-a-time.queue-deleted',
    title: 'A consumer of two queues is given the messages of one when the other is deleted.',
    stimulus:
      'A consumer subscribes to two queues, of which one is deleted, and asks for a message of the other.',
    clauses: ['one-at-a-time.next'],
    needs: ['one-at-a-time.delivers', 'queues.delete-unreadable'],
    async run(trial: Trial) {
      const [queue, other] = await Promise.all([trial.createQueue(), trial.createQueue()])
      const consumer = await new NextConsumer(trial).join(queue, other)
      await deleteForGood(trial, queue)
      const message = await trial.send(other)
      const came = await trial.eventually(() => consumer.look([message]))
      trial.expect(came !== undefined, 'the message of the queue that is still there', 'it did not come')
    },
  },
  {
    id: 'one-at-a-time.beside-subscription',
    title: 'A message is with one consumer only, be it one of one-at-a-time delivery or a subscription.',
    stimulus: 'A subscription and a consumer of one-at-a-time delivery take eight messages at the same time.',
    clauses: ['consume.exactly-one', 'one-at-a-time.exclusive'],
    grade: 'optional',
    feature: 'one-at-a-time',
    needs: ['one-at-a-time.acknowledges', 'ack.leaves-feed'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const takers = [await nextMessageTaker(trial, queue), await subscriptionTaker(trial, queue)]
      await judgeTakers(trial, takers, await trial.sendMany(queue, 8))
    },
  },
]

/** A consumer of this id, or of any where such a one is refused. */
async function namedIfTaken(trial: Trial, id: string, { path }: QueueHandle): Promise<NextConsumer> {
  if (trial.profile.guid.form === 'uuid') return new NextConsumer(trial)
  const consumer = new NextConsumer(trial, id)
  return succeeded(await consumer.subscribe(path)) ? consumer : new NextConsumer(trial)
}

/** Judges that the acknowledgement of one consumer leaves another with its message, which it can acknowledge. */
async function judgeAckLeaves(
  trial: Trial,
  acknowledge: () => Promise<void>,
  queue: QueueHandle,
  other: NextConsumer,
  handed: Handed,
): Promise<void> {
  const pending = async () => pendingBodies(trial, queue, [handed.message])
  const before = (await pending()).includes(handed.message.text)
  await acknowledge()
  const lost = await trial.never(async () => once(before && !(await pending()).includes(handed.message.text)))
  trial.expect(lost === undefined, 'the message of the other consumer still pending', 'it is gone')
  const answer = await other.tryAck(handed)
  trial.expect(succeeded(answer), 'success for the ack of the other consumer', answered(answer))
}

async function ackFirst(consumer: NextConsumer, handed: readonly (Handed | undefined)[]): Promise<void> {
  const first = handed.find((each) => each !== undefined)
  if (first !== undefined) await consumer.ack(first)
}
