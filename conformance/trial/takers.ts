import { postUris } from '../client/ack-in-post.js'
import { labels, texts } from './labels.js'
import { LockConsumer } from './locking.js'
import { NextConsumer } from './next-message.js'
import { SinglePath } from './single-path-queue.js'
import type { QueueHandle, Sent, Trial } from './trial.js'
import { noneLacking, once, unlessBlocked, whileMoreCome } from './waiting.js'

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

/** Takes by GETs of the single path, without a session. */
async function singlePathTaker(trial: Trial, queue: QueueHandle): Promise<Taker> {
  const path = new SinglePath(trial, queue.path)
  return (messages) => path.look(messages)
}

/** Takes by a subscription, and acknowledges in a POST to it. */
async function ackInPostTaker(trial: Trial, queue: QueueHandle): Promise<Taker> {
  const consumer = await trial.subscribe(queue, { prefetch: 2 })
  return async (messages) => {
    const entries = await consumer.read()
    const bodies = await trial.bodies(entries)
    const uris = entries.flatMap(({ messageUri }) => messageUri ?? [])
    if (uris.length > 0) await postUris(trial, consumer.uri, uris)
    return messages.filter(({ text }) => bodies.includes(text))
  }
}

/** Makes a taker of a queue's messages. */
export type MakeTaker = (trial: Trial, queue: QueueHandle) => Promise<Taker>

/** The ways beside reading and deleting in which the target claims to give messages and take acknowledgements. */
function otherWays({ profile: { features } }: Trial): readonly (readonly [way: string, make: MakeTaker])[] {
  return [
    ...(features['single-path'] ? [['the single path', singlePathTaker] as const] : []),
    ...(features['one-at-a-time'] ? [['one-at-a-time delivery', nextMessageTaker] as const] : []),
    ...(features.batch ? [['lock calls', batchTaker] as const] : []),
    ...(features['ack-in-post'] ? [['acknowledgements in a POST', ackInPostTaker] as const] : []),
  ]
}

/**
 * Judges each way in which a target gives messages beside reading and deleting. The document does not say that all ways lead to one
 * queue: one that does not give what was sent in two steps is passed over, and so is a target that has no other.
 *
 * @param judge whether the way gave what it needs to be judged
 */
export async function judgeOtherWays(
  trial: Trial,
  judge: (way: string, make: MakeTaker) => Promise<boolean>,
): Promise<void> {
  const ways = otherWays(trial)
  if (ways.length === 0)
    trial.notApplicable('messages are read and deleted in no other way, as the profile says')
  const judged = await Promise.all(ways.map(([way, make]) => unlessBlocked(() => judge(way, make))))
  if (!judged.includes(true)) trial.observed('The other ways do not give what is sent in two steps.')
}

/** Takes until it has had all of `messages`. @returns whether it had */
export async function takeAll(trial: Trial, take: Taker, messages: readonly Sent[]): Promise<boolean> {
  const taken = new Set<Sent>()
  const all = await trial.eventually(async () => {
    for (const message of await take(messages)) taken.add(message)
    return once(taken.size === messages.length)
  })
  return all === true
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
