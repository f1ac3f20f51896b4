import { answered } from '../client/answered.js'
import { succeeded } from '../client/exchange.js'
import { untilTaken } from '../client/tolerances/until-answered.js'
import { expectSuccess } from './expectations.js'
import { settledBodies, times } from './pending.js'
import type { QueueHandle, Sent, Trial } from './trial.js'
import { unlessBlocked } from './waiting.js'

/** A message that was sent in two steps, or is about to be. */
export interface Addressed extends Sent {
  readonly address: string
}

/** Sends so many fresh messages, or as many of them as the queue takes: how many it may hold is left open. */
export async function sendAsMany(trial: Trial, queue: QueueHandle, count: number): Promise<Sent[]> {
  const sent = await Promise.all(Array.from({ length: count }, () => unlessBlocked(() => trial.send(queue))))
  return sent.filter((each) => each !== undefined)
}

/**
 * Sends a fresh message in two steps, whatever other way there is. Blocked by `send.address` or `send.post` where these steps do not
 * come to that.
 */
export async function sendInTwoSteps(trial: Trial, queue: QueueHandle): Promise<Addressed> {
  const message = { ...trial.freshMessage(), address: await trial.newAddress(queue) }
  await postTo(trial, message)
  return message
}

/** Posts a message to its address. Blocked by `send.post` where it never is answered with 200. */
export async function postTo(trial: Trial, { address, body }: Addressed): Promise<void> {
  const last = await untilTaken(trial, () => trial.post(address, body))
  trial.precondition(succeeded(last), 'send.post', answered(last))
}

/** What sends must come to, in the words of a report. */
const POSTED = '200 for a send with a guid'
export const REPEATED = '200 for a repeat of step 2, however far its message has come'
export const IGNORED = '200 for a send with a guid that was seen before'
/** Sends with a guid, and expects 200. */
export async function sendWith(
  trial: Trial,
  queue: QueueHandle,
  guid: string,
  message: Sent,
  expected = POSTED,
): Promise<void> {
  await expectSuccess(trial, expected, () => trial.postWithGuid(queue, guid, message.body))
}

/** As {@link sendAsMany}, each with a guid of its own in one request. */
export async function sendManyWithGuids(trial: Trial, queue: QueueHandle, count: number): Promise<Sent[]> {
  const sent = await Promise.all(
    Array.from({ length: count }, async () => {
      const message = trial.freshMessage()
      return unlessBlocked(async () => {
        const guid = trial.freshGuid()
        const answer = await untilTaken(trial, () => trial.postWithGuid(queue, guid, message.body))
        trial.precondition(succeeded(answer), 'dedup.send', answered(answer))
        return message
      })
    }),
  )
  return sent.filter((each) => each !== undefined)
}

/** A message that was sent with a guid, and shows in its queue. Blocked by `dedup.send` otherwise. */
export async function sentWith(trial: Trial, queue: QueueHandle, guid: string): Promise<Sent> {
  const message = trial.freshMessage()
  await sendWith(trial, queue, guid, message)
  const shown = times(await settledBodies(trial, queue, [message]), message.text)
  trial.precondition(shown > 0, 'dedup.send', `a feed of ${queue.uri} that lacks a message sent with a guid`)
  return message
}
