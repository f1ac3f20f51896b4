import { answered } from '../client/answered.js'
import { Buffer } from '../client/bytes.js'
import { type Exchange, succeeded } from '../client/exchange.js'
import { untilTaken } from '../client/tolerances/until-answered.js'
import { expectSuccess } from './expectations.js'
import { expectAsSent, expectOneEntry, expectPending, pendingBodies, untilPending } from './pending.js'
import { IGNORED, REPEATED } from './sending.js'
import { judgeOtherWays, takeAll } from './takers.js'
import type { QueueHandle, Sent, Trial } from './trial.js'
import { once, settled, unlessNotApplicable } from './waiting.js'

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
