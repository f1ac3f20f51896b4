import { labels, texts } from './labels.js'
import { LockConsumer } from './locking.js'
import { NextConsumer } from './next-message.js'
import type { QueueHandle, Sent, Trial } from './trial.js'
import { noneLacking, whileMoreCome } from './waiting.js'

/** Takes once what its consumer is given of `messages`, and acknowledges that, whatever comes of it. */
export type Taker = (messages: readonly Sent[]) => Promise<readonly Sent[]>

/** Takes by a subscription. */
export async function subscriptionTaker(trial: Trial, queue: QueueHandle): Promise<Taker> {
  const consumer = await trial.subscribe(queue, { prefetch: 2 })
  return async (messages) => {
    const entries = await consumer.read()
    const bodies = await trial.bodies(entries)
    await Promise.all(entries.map((entry) => consumer.tryAck(entry)))
    return messages.filter(({ text }) => bodies.includes(text))
  }
}

/** Takes by one-at-a-time delivery. */
export async function nextMessageTaker(trial: Trial, queue: QueueHandle): Promise<Taker> {
  const consumer = await new NextConsumer(trial).join(queue)
  return async (messages) => {
    const handed = await consumer.look(messages)
    if (handed === undefined) return []
    await consumer.tryAck(handed)
    return [handed.message]
  }
}

/** Takes by lock calls. */
export async function batchTaker(trial: Trial, queue: QueueHandle): Promise<Taker> {
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
export async function judgeTakers(
  trial: Trial,
  takers: readonly Taker[],
  messages: readonly Sent[],
): Promise<void> {
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
    return noneLacking(
      trial,
      messages.filter((message) => !hands.has(message)),
    )
  }
  await whileMoreCome(trial, () => hands.size, round)
  const lacking = messages.filter((message) => !hands.has(message))
  const expected = 'every message with one of the consumers'
  trial.expect(lacking.length === 0, expected, () => `without ${labels(messages, texts(lacking))}`)
  await round()
}
