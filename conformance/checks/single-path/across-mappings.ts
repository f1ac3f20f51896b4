import type { Check } from '../../trial/check.js'
import { expectDelivered } from '../../trial/deliveries.js'
import { labels, texts } from '../../trial/labels.js'
import { LockConsumer } from '../../trial/locking.js'
import { NextConsumer } from '../../trial/next-message.js'
import { readBodies } from '../../trial/reading.js'
import { SinglePath } from '../../trial/single-path-queue.js'
import type { QueueHandle, Sent, Trial } from '../../trial/trial.js'
import { found, once, whileMoreCome } from '../../trial/waiting.js'

/** Mappings beside one another: whatever mapping sent a message or took it, exactly one consumer has it. */
export const ACROSS: readonly Check[] = [
  {
    id: 'single-path.to-primary',
    title: 'A message sent by the single path can be consumed by a subscription, and acknowledged there.',
    stimulus: 'Posts a message to the single path of a queue, and reads it by a subscription.',
    clauses: ['consume.any-mapping'],
    grade: 'chosen',
    feature: 'single-path',
    needs: ['single-path.delivers', 'ack.leaves-feed'],
    async run(trial: Trial) {
      const path = await SinglePath.fresh(trial)
      const sent = await path.send()
      const consumer = await trial.subscribe(path.queue)
      await expectDelivered(trial, [consumer], [sent], 'the message with the subscription')
      const [entry] = await consumer.receive([sent])
      await consumer.ack(entry!)
      const again = await trial.never(async () => found(await path.look([sent])))
      trial.expect(again === undefined, 'the acknowledged message gone from the single path', 'it came')
    },
  },
  {
    id: 'single-path.from-primary',
    title: 'A message sent in two steps can be taken by the single path, once.',
    stimulus: 'Sends two messages in two steps and takes them by the single path.',
    clauses: ['consume.any-mapping'],
    grade: 'chosen',
    feature: 'single-path',
    needs: ['single-path.another', 'send.post'],
    async run(trial: Trial) {
      const path = await SinglePath.fresh(trial)
      const messages = await trial.sendInOrder(path.queue, 2)
      const had: Sent[] = []
      await trial.eventually(async () => {
        had.push(...(await path.look(messages)))
        return once(new Set(had).size === messages.length)
      })
      trial.choose('mappings', new Set(had).size === messages.length ? 'one queue' : 'queues of their own')
      const seen = () => labels(messages, texts(had))
      trial.expect(
        texts(had).toSorted().join() === texts(messages).toSorted().join(),
        'both, once each',
        seen,
      )
    },
  },
  {
    id: 'single-path.beside-subscription',
    title: 'What a subscription holds is not given by the single path, nor the other way round.',
    stimulus:
      'A subscription holds two messages; a GET of the single path asks; it takes a third; another subscription reads.',
    clauses: ['consume.exactly-one', 'single-path.exactly-one'],
    grade: 'optional',
    feature: 'single-path',
    needs: ['single-path.delivers', 'consume.delivers'],
    async run(trial: Trial) {
      const path = await SinglePath.fresh(trial)
      const held = await trial.sendInOrder(path.queue, 2)
      const holder = await trial.subscribe(path.queue, { prefetch: 2 })
      await holder.receive(held)
      const wrong = await trial.never(async () => found(await path.look(held)))
      trial.expect(wrong === undefined, 'no message that the subscription holds by a GET', 'one came')
      const other = await SinglePath.fresh(trial)
      const taken = await other.take([await other.send()])
      const reader = await trial.subscribe(other.queue)
      const twice = await trial.never(async () =>
        once((await readBodies(trial, reader)).includes(taken.text)),
      )
      trial.expect(twice === undefined, 'no message that a GET has taken with a subscription', 'it came')
    },
  },
  {
    id: 'single-path.beside-all',
    title: 'A message is with one consumer only, whatever mapping it is taken by, also at the same time.',
    stimulus:
      'Consumers of every mapping that the target claims take twelve messages of one queue, all at the same time.',
    clauses: ['consume.exactly-one', 'single-path.exactly-one'],
    grade: 'optional',
    feature: 'single-path',
    needs: ['single-path.another', 'ack.leaves-feed', 'one-at-a-time.acknowledges', 'batch.acknowledges'],
    async run(trial: Trial) {
      const path = await SinglePath.fresh(trial)
      const takers: Taker[] = [(messages) => path.look(messages), await subscription(trial, path.queue)]
      const { features } = trial.profile
      if (features['one-at-a-time']) takers.push(await oneAtATime(trial, path.queue))
      if (features.batch) takers.push(await batch(trial, path.queue))
      await judgeTakers(trial, takers, await trial.sendMany(path.queue, 12))
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
      const takers = [await oneAtATime(trial, queue), await subscription(trial, queue)]
      await judgeTakers(trial, takers, await trial.sendMany(queue, 8))
    },
  },
  {
    id: 'batch.beside-subscription',
    title: 'A message is with one consumer only, be it one of the batch mapping or a subscription.',
    stimulus: 'A subscription and a consumer of the batch mapping take eight messages at the same time.',
    clauses: ['consume.exactly-one', 'batch.exclusive'],
    grade: 'optional',
    feature: 'batch',
    needs: ['batch.acknowledges', 'ack.leaves-feed'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const takers = [await batch(trial, queue), await subscription(trial, queue)]
      await judgeTakers(trial, takers, await trial.sendMany(queue, 8))
    },
  },
  {
    id: 'batch.beside-one-at-a-time',
    title: 'A message is with one consumer only, be it locked in a batch or the next message of another.',
    stimulus: 'Consumers of both mappings take eight messages of one queue at the same time.',
    clauses: ['batch.exclusive', 'one-at-a-time.exclusive'],
    grade: 'optional',
    feature: 'batch',
    needs: ['batch.acknowledges', 'one-at-a-time.acknowledges'],
    async run(trial: Trial) {
      if (!trial.profile.features['one-at-a-time']) {
        return trial.observed('The target does not claim one-at-a-time delivery.')
      }
      const queue = await trial.createQueue()
      const takers = [await batch(trial, queue), await oneAtATime(trial, queue)]
      await judgeTakers(trial, takers, await trial.sendMany(queue, 8))
    },
  },
]

/** Takes once what its consumer is given of `messages`, and acknowledges that, whatever comes of it. */
type Taker = (messages: readonly Sent[]) => Promise<readonly Sent[]>

async function subscription(trial: Trial, queue: QueueHandle): Promise<Taker> {
  const consumer = await trial.subscribe(queue, { prefetch: 2 })
  return async (messages) => {
    const entries = await consumer.read()
    const bodies = await trial.bodies(entries)
    await Promise.all(entries.map((entry) => consumer.tryAck(entry)))
    return messages.filter(({ text }) => bodies.includes(text))
  }
}

async function oneAtATime(trial: Trial, queue: QueueHandle): Promise<Taker> {
  const consumer = await new NextConsumer(trial).join(queue)
  return async (messages) => {
    const handed = await consumer.look(messages)
    if (handed === undefined) return []
    await consumer.tryAck(handed)
    return [handed.message]
  }
}

async function batch(trial: Trial, queue: QueueHandle): Promise<Taker> {
  const consumer = await LockConsumer.of(trial, queue)
  return async (messages) => {
    const locked = await consumer.look(2, messages)
    await Promise.all(locked.map((each) => consumer.tryAck(each)))
    return locked.map(({ message }) => message)
  }
}

/**
 * Judges that each message comes to one of the takers and to no other, who all take at the same time, again and again.
 * One that comes to the same taker again, such as after an ack that did not count, is another question.
 */
async function judgeTakers(trial: Trial, takers: readonly Taker[], messages: readonly Sent[]): Promise<void> {
  const hands = new Map<Sent, number>()
  const round = async () => {
    const taken = await Promise.all(takers.map((take) => take(messages)))
    for (const [place, own] of taken.entries()) {
      for (const message of own) {
        const first = hands.get(message) ?? place
        const seen = () => `${labels(messages, [message.text])} with two`
        trial.expect(first === place, 'each message with one of the consumers', seen)
        hands.set(message, place)
      }
    }
    return once(hands.size === messages.length)
  }
  await whileMoreCome(trial, () => hands.size, round)
  const lacking = messages.filter((message) => !hands.has(message))
  const expected = 'every message with one of the consumers'
  trial.expect(lacking.length === 0, expected, () => `without ${labels(messages, texts(lacking))}`)
  await round()
}
