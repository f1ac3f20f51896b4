import { type Exchange, succeeded } from '../client/exchange.js'
import type { Trial } from './trial.js'

/** Answers to a send after which a client that follows the document repeats it. */
export function isRepeatable({ status }: Pick<Exchange, 'status'>): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500
}

/**
 * Repeats a send, which makes one message however often it is repeated, while its answers ask for that. The document's client
 * repeats it until 200: after another success it is repeated once.
 *
 * @returns the last answer, or the success before it
 */
export async function untilTaken(
  trial: Pick<Trial, 'eventually'>,
  send: () => Promise<Exchange>,
): Promise<Exchange> {
  let answer: Exchange | undefined
  await trial.eventually(async () => {
    answer = await send()
    return isRepeatable(answer) ? undefined : answer
  })
  const taken = answer!
  if (!succeeded(taken) || taken.status === 200) return taken
  const again = await send()
  return succeeded(again) ? again : taken
}
