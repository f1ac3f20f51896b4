import { answered } from '../client/answered.js'
import { type Exchange, succeeded } from '../client/exchange.js'
import { untilTaken } from '../client/tolerances/until-answered.js'
import { expectSuccess } from './expectations.js'
import { IGNORED, REPEATED } from './sending.js'
import type { QueueHandle, Sent, Trial } from './trial.js'

/** A message in a form that can be sent again and again, and is to be one message then. */
export interface Repeatable {
  readonly message: Sent
  /** The guid that it is sent with, where it is. */
  readonly guid?: string
  /** Sends it, whatever comes. */
  post(): Promise<Exchange>
  /** What a further sending is answered with, in the words of a report. */
  readonly repeated: string
  /** The check of a sending in this way. */
  readonly check: 'send.post' | 'dedup.send'
}

/** One way to send repeatably: makes a message for a queue, which is not sent yet; `around` puts text before it. */
export type MakeRepeatable = (trial: Trial, queue: QueueHandle, around?: string) => Promise<Repeatable>

/** In two steps: step 2 is repeated at its address. */
export const inTwoSteps: MakeRepeatable = async (trial, queue, around) => {
  const message = { ...trial.freshMessage(around), address: await trial.newAddress(queue) }
  return {
    message,
    post: () => trial.post(message.address, message.body),
    repeated: REPEATED,
    check: 'send.post',
  }
}

/** In one request: the guid is repeated. */
export const withAGuid: MakeRepeatable = async (trial, queue, around) => {
  const message = trial.freshMessage(around)
  const guid = trial.freshGuid()
  return {
    message,
    guid,
    post: () => trial.postWithGuid(queue, guid, message.body),
    repeated: IGNORED,
    check: 'dedup.send',
  }
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
