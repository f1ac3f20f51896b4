import { answered } from '../client/answered.js'
import { Buffer } from '../client/bytes.js'
import { type Exchange, refused, succeeded } from '../client/exchange.js'
import { untilTaken } from '../client/tolerances/until-answered.js'
import { statusOf } from './answers.js'
import { expectSuccess } from './expectations.js'
import { needActive } from './lease-time.js'
import {
  consumeAndAcknowledge,
  expectAsSent,
  expectNotDelivered,
  expectOneEntry,
  expectPending,
  pendingBodies,
  times,
  untilPending,
} from './pending.js'
import { deleteForGood } from './queues.js'
import { IGNORED, REPEATED } from './sending.js'
import { judgeOtherWays, takeAll } from './takers.js'
import type { QueueHandle, Sent, Trial } from './trial.js'
import { inRounds, once, settled, unlessNotApplicable } from './waiting.js'

/** A message in a form that can be sent again and again, and is to be one message then. */
export interface Repeatable {
  readonly message: Sent
  /** The guid that it is sent with, where it is. */
  readonly guid?: string
  /** Sends it, whatever comes. */
  post(): Promise<Exchange>
  /** Sends another in its place, or the same as another type: to its address, or with its guid. */
  instead(body: Uint8Array, headers?: Record<string, string>): Promise<Exchange>
  /** What a further sending is answered with, in the words of a report. */
  readonly repeated: string
  /** The check of a sending in this way. */
  readonly check: 'send.post' | 'dedup.send'
}

/** What a message that is sent repeatably is like, where it is not any short one. */
export interface MessageShape {
  /** Text before what makes the message its own. */
  readonly around?: string
  /** The whole body. */
  readonly body?: Buffer
}

/** One way to send repeatably: makes a message for a queue, which is not sent yet. */
export type MakeRepeatable = (trial: Trial, queue: QueueHandle, shape?: MessageShape) => Promise<Repeatable>

/** In two steps: step 2 is repeated at its address. */
export const inTwoSteps: MakeRepeatable = async (trial, queue, shape) => {
  const message = { ...messageOf(trial, shape), address: await trial.newAddress(queue) }
  return {
    message,
    post: () => trial.post(message.address, message.body),
    instead: (body, headers) => trial.post(message.address, body, headers),
    repeated: REPEATED,
    check: 'send.post',
  }
}

/** In one request: the guid is repeated. */
export const withAGuid: MakeRepeatable = async (trial, queue, shape) => {
  const message = messageOf(trial, shape)
  const guid = trial.freshGuid()
  return {
    message,
    guid,
    post: () => trial.postWithGuid(queue, guid, message.body),
    instead: (body, headers) => trial.postWithGuid(queue, guid, body, headers),
    repeated: IGNORED,
    check: 'dedup.send',
  }
}

function messageOf(trial: Trial, { around, body }: MessageShape = {}): Sent {
  const message = trial.freshMessage(around)
  return body === undefined ? message : { ...message, body }
}

/** Sends once more: expects success, since a client that lost the answer goes on until it gets one. */
export async function repeat(trial: Trial, { post, repeated }: Repeatable): Promise<void> {
  await expectSuccess(trial, repeated, post)
}

/**
 * Expects success for a sending in a case that is the question. Where a message in no such case is not taken either, that is what
 * the check is blocked by.
 */
export async function expectTaken(
  trial: Trial,
  expected: string,
  sending: Repeatable,
  plain: () => Promise<Repeatable>,
): Promise<void> {
  try {
    await expectSuccess(trial, expected, sending.post)
  } catch (error) {
    const other = await plain()
    const answer = await untilTaken(trial, other.post)
    trial.precondition(succeeded(answer), other.check, answered(answer))
    throw error
  }
}

/** Judges that ten sendings of one message at once, first ones among them, are one message; several times over. */
export async function judgeFirstAtOnce(trial: Trial, make: MakeRepeatable, expected: string): Promise<void> {
  const queue = await trial.createQueue()
  const messages: Sent[] = []
  await inRounds(async () => {
    const sending = await make(trial, queue)
    messages.push(sending.message)
    const posts = await Promise.all(Array.from({ length: 10 }, sending.post))
    // While one is under way another may be turned away: the client repeats it, and then gets its 200.
    if (posts.some((each) => !succeeded(each))) await repeat(trial, sending)
  })
  await expectPending(trial, queue, messages, expected)
}

/** Bodies that a server may take for none, or keep elsewhere than others. */
const ODD_BODIES: readonly (readonly [what: string, body: Buffer])[] = [
  ['no byte', Buffer.alloc(0)],
  ['the character 0', Buffer.from('0')],
  ['100 KiB', Buffer.alloc(102_400, 'message ')],
]

/** Judges that messages of odd bodies, as far as they are taken, are sent again and again and are one message each. */
export async function judgeOddBodies(trial: Trial, make: MakeRepeatable): Promise<void> {
  const taken = await Promise.all(
    ODD_BODIES.map(async ([what, body]) => {
      const queue = await trial.createQueue()
      const { post, repeated } = await make(trial, queue, { body })
      if (!succeeded(await post())) return false
      for (let turn = 0; turn < 2; turn++) await expectSuccess(trial, repeated, post)
      await expectOneEntry(trial, queue, `${what}, sent three times, in the queue once`, 'three sends')
      return true
    }),
  )
  if (!taken.includes(true)) trial.observed('The target takes no such bodies.')
}

/**
 * Judges that a message that was accepted stays the only one, whatever is sent in its place: another, one that is longer, shorter or
 * empty, or the same as another type. How that is answered is another question. With a guid it stays as it was, too: what comes later
 * is ignored. What another message does at an address that is used, the document does not say.
 */
export async function judgeInstead(trial: Trial, make: MakeRepeatable): Promise<void> {
  const queue = await trial.createQueue()
  const others: readonly ((message: Sent) => readonly [Uint8Array, Record<string, string>?])[] = [
    () => [trial.freshMessage('no ').body],
    () => [trial.freshMessage('no, but a message that is longer than the first one was ').body],
    () => [trial.freshMessage().body],
    () => [Buffer.alloc(0)],
    ({ body }) => [body, { 'Content-Type': 'application/octet-stream' }],
  ]
  const sent = await Promise.all(
    others.map(async (other) => {
      const sending = await make(trial, queue, { around: 'ok ' })
      const taken = await untilTaken(trial, sending.post)
      trial.precondition(succeeded(taken), sending.check, answered(taken))
      return { sending, other: other(sending.message) }
    }),
  )
  const messages = sent.map(({ sending }) => sending.message)
  await untilPending(trial, queue, messages)
  for (const { sending, other } of sent) await unlessNotApplicable(() => sending.instead(...other))
  if (sent.every(({ sending }) => sending.guid !== undefined))
    return expectAsSent(trial, queue, messages, 'each message as it was accepted, and once')
  await settled(trial)
  const shown = await pendingBodies(trial, queue, messages)
  const left = sent.map(({ sending: { message }, other: [body] }) =>
    shown.includes(message.text) ? message : { ...message, body: Buffer.from(body), text: `${body}` },
  )
  await expectPending(trial, queue, left, 'one message of each address')
}

/** Judges that a message that was acknowledged does not come back by a repeat when its queue was deleted and made again. */
export async function judgeOutlivesQueue(trial: Trial, make: MakeRepeatable, point: string): Promise<void> {
  const { queue, sending } = await sendFirst(trial, make)
  await consumeAndAcknowledge(trial, queue, sending.message)
  // Another one, since what is refused without its queue may be remembered for that.
  const other = await make(trial, queue)
  await repeat(trial, other)
  await consumeAndAcknowledge(trial, queue, other.message)
  await deleteForGood(trial, queue)
  let meanwhile: Exchange | undefined
  const isFinal = await trial.eventually(async () => {
    meanwhile = await other.post()
    return once(succeeded(meanwhile) || refused(meanwhile))
  })
  trial.expect(
    isFinal === true,
    'success or a refusal for a repeat whose queue is gone, at which a client stops',
    () => answered(meanwhile!),
  )
  const again = await trial.createQueue(queue.path)
  const answer = await sending.post()
  trial.choose(point, statusOf(answer))
  const proof = await trial.send(again)
  await expectPending(trial, again, [proof], 'no message by a repeat whose message was acknowledged before')
}

/** Judges that a message that a consumer holds is sent again without becoming a second one. */
export async function judgeWhileHeld(trial: Trial, make: MakeRepeatable): Promise<void> {
  const { queue, sending } = await sendFirst(trial, make)
  const { message } = sending
  const consumer = await trial.subscribe(queue)
  const [entry] = await consumer.receive([message])
  const other = await trial.subscribe(queue)
  await repeat(trial, sending)
  const moved = (await trial.bodies(await other.read())).includes(message.text)
  const tells = !trial.isBroken('consume.own-view') && !trial.isBroken('consume.exactly-one')
  trial.expect(
    !moved || !tells,
    'the message with the consumer that holds it',
    'it went to another that came later',
  )
  const given = times(await trial.bodies(await consumer.read()), message.text)
  trial.expect(given < 2, 'the message once with the consumer that holds it', `${given} times`)
  await expectPending(trial, queue, [message], 'the message in the queue once')
  const ack = await consumer.tryAck(entry!)
  if (!succeeded(ack)) needActive(trial, consumer)
  // Where browsing takes what is held, it has just done so.
  const isHeld = succeeded(ack) || trial.isBroken('browse.leaves-held')
  trial.expect(isHeld, '200 for the ack of its consumer after the repeat', answered(ack))
  await Promise.all([consumer.endIfActive(), other.endIfActive()])
}

/** Judges that a message that has gone from one consumer to the next is sent again without becoming a second one. */
export async function judgeHandedOver(trial: Trial, make: MakeRepeatable): Promise<void> {
  const { queue, sending } = await sendFirst(trial, make)
  for (let holder = 0; holder < 2; holder++) {
    const consumer = await trial.subscribe(queue)
    await consumer.receive([sending.message])
    await consumer.end()
  }
  await repeat(trial, sending)
  await expectPending(trial, queue, [sending.message], 'the message in the queue once')
}

/** Judges that a message that was acknowledged is sent again without coming back. */
export async function judgeAfterAck(trial: Trial, make: MakeRepeatable): Promise<void> {
  const { queue, sending } = await sendFirst(trial, make)
  await consumeAndAcknowledge(trial, queue, sending.message)
  for (let turn = 0; turn < 2; turn++) await repeat(trial, sending)
  const expected = 'no message sent again after it was acknowledged'
  await expectPending(trial, queue, [], expected)
  await expectNotDelivered(trial, queue, sending.message.text, expected)
}

/** Judges that a message that was taken in any other way than by its subscription's feed is sent again without coming back. */
export function judgeHoweverTaken(trial: Trial, make: MakeRepeatable): Promise<void> {
  return judgeOtherWays(trial, async (way, makeTaker) => {
    const { queue, sending } = await sendFirst(trial, make)
    const { message } = sending
    if (!(await takeAll(trial, await makeTaker(trial, queue), [message]))) return false
    const isGone = async () => once(!(await pendingBodies(trial, queue, [message])).includes(message.text))
    // Whether it is acknowledged by that is asked elsewhere.
    if (!(await trial.eventually(isGone))) return false
    await repeat(trial, sending)
    await expectPending(trial, queue, [], `no message again by a repeat after it was taken by ${way}`)
    return true
  })
}

/** Judges that a message is sent again after the length of a lease without becoming a second one. */
export async function judgeLate(trial: Trial, make: MakeRepeatable): Promise<void> {
  const { queue, sending } = await sendFirst(trial, make)
  await trial.elapse(1.2 * trial.timing.lease)
  await repeat(trial, sending)
  await expectPending(trial, queue, [sending.message], 'the message in the queue once')
}

/** Judges that the answer to a second sending alone says that it is one, by a header of the reference. */
export async function judgeReplayed(trial: Trial, make: MakeRepeatable, point: string): Promise<void> {
  const { post } = await make(trial, await trial.createQueue())
  const marks = [await post(), await post()].map(({ headers }) => headers['idempotent-replayed'] ?? 'none')
  trial.choose(point, marks.join(', then '))
  trial.expect(
    marks[0] === 'none' && marks[1] === 'true',
    'Idempotent-Replayed: true on the second answer alone',
    marks.join(', then '),
  )
}

async function sendFirst(
  trial: Trial,
  make: MakeRepeatable,
): Promise<{ queue: QueueHandle; sending: Repeatable }> {
  const queue = await trial.createQueue()
  const sending = await make(trial, queue)
  await repeat(trial, sending)
  return { queue, sending }
}
