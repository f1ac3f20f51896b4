import { answered } from '../client/answered.js'
import type { Exchange } from '../client/exchange.js'
import type { Trial } from './trial.js'

/** How long the waits of the checks may last: long beside any answer. Seconds. */
export const LONG_WAIT = 10

/** Milliseconds: where another answer takes longer, the target or the machine is busy. */
const SLOW = 1000

/** A request that prefers to wait for a message (RFC 7240), which the document does not know. */
export function waitFor(
  trial: Trial,
  method: string,
  uri: string,
  seconds = LONG_WAIT,
  timeout = (seconds + 5) * 1000,
): Promise<Exchange> {
  return trial.target.request(method, uri, { headers: { Prefer: `wait=${seconds}` }, timeout })
}

/** Gives a request that was sent, and waits now, the time to arrive. */
export async function parked(trial: Trial): Promise<void> {
  await trial.never(async () => undefined)
}

/**
 * The answer to a request that waited, after a message was sent.
 *
 * @param came whether the message is in it
 */
export function judgeWoken(trial: Trial, answer: Exchange, came: boolean): void {
  const applied = answer.headers['preference-applied'] ?? 'none'
  const isTold = /wait/.test(applied)
  // Without a word of it, the message may have been there when a slow target came to answer.
  if (!came || isTold) trial.choose('wait', came ? 'heeded' : 'not heeded')
  trial.expect(answer.status === 200, '200 for what was sent during the wait', answered(answer))
  trial.expect(came, 'the message that was sent during the wait', 'an answer without it')
  const waited = answer.receivedAt - answer.sentAt
  const isInTime = waited < LONG_WAIT * 1000 - 500
  const others = trial.target.exchanges.filter((each) => each !== answer)
  const slowest = Math.max(0, ...others.map(({ sentAt, receivedAt }) => receivedAt - sentAt))
  // Where any answer is late, so is one that was ended early.
  if (!isInTime && slowest > SLOW)
    trial.inconclusive(
      `other answers took up to ${Math.round(slowest)} ms, and this one ${Math.round(waited)}`,
    )
  trial.expect(isInTime, `an answer before ${LONG_WAIT} s`, `after ${Math.round(waited)} ms`)
  trial.expect(isTold, `Preference-Applied: wait=${LONG_WAIT}`, applied)
}
