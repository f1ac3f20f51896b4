import { type Exchange, succeeded } from '../client/exchange.js'
import type { Trial } from './trial.js'

/** Answers to a send after which a client that follows the document repeats it. */
export function isRepeatable({ status }: Pick<Exchange, 'status'>): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500
}

/** Repeats a request of a send while its answers ask for that. @returns the last one */
export async function untilAnswered(
  trial: Pick<Trial, 'eventually'>,
  ask: () => Promise<Exchange>,
): Promise<Exchange> {
  let answer: Exchange | undefined
  await trial.eventually(async () => {
    answer = await ask()
    return isRepeatable(answer) ? undefined : answer
  })
  return answer!
}

/**
 * The same of a message that is posted, which is one however often it is repeated. The document's client repeats it until 200: after
 * another success it is repeated once.
 *
 * @returns the last answer, or the success before it
 */
export async function untilTaken(
  trial: Pick<Trial, 'eventually'>,
  post: () => Promise<Exchange>,
): Promise<Exchange> {
  const taken = await untilAnswered(trial, post)
  if (!succeeded(taken) || taken.status === 200) return taken
  const again = await post()
  return succeeded(again) ? again : taken
}
