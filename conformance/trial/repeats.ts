import { answered } from '../client/answered.js'
import { type Exchange, succeeded } from '../client/exchange.js'
import { untilTaken } from '../client/tolerances/until-answered.js'
import { withGuid } from './addresses.js'
import { expectSuccess } from './expectations.js'
import type { QueueHandle, Sent, Trial } from './trial.js'

/** A message in a form that can be sent again and again, and is to be one message then. */
export interface Repeatable {
  readonly message: Sent
  /** Where it is posted to. */
  readonly address: string
  /** Sends it, whatever comes. */
  post(): Promise<Exchange>
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
    address: message.address,
    post: () => trial.post(message.address, message.body),
    check: 'send.post',
  }
}

/** In one request: the guid is repeated. */
export const withAGuid: MakeRepeatable = async (trial, queue, around) => {
  const message = trial.freshMessage(around)
  const guid = trial.freshGuid()
  return {
    message,
    address: withGuid(queue.uri, guid),
    post: () => trial.postWithGuid(queue, guid, message.body),
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
