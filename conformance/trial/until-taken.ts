import type { Exchange } from '../client/exchange.js'
import type { Trial } from './trial.js'

/** Answers to a send after which a client that follows the document repeats it. */
export function isRepeatable({ status }: Pick<Exchange, 'status'>): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500
}

/** Repeats a send, which makes one message however often it is repeated, while its answers ask for that. @returns the last one */
export async function untilTaken(
  trial: Pick<Trial, 'eventually'>,
  send: () => Promise<Exchange>,
): Promise<Exchange> {
  let answer: Exchange | undefined
  await trial.eventually(async () => {
    answer = await send()
    return isRepeatable(answer) ? undefined : answer
  })
  return answer!
}
