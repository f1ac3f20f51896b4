import { type Exchange, succeeded } from '../exchange.js'

/** Who asks, and how long what must come is waited for. */
interface Waiting {
  /** Asks until something is found; undefined where nothing was in all that time. */
  eventually<T>(probe: () => Promise<T | undefined>): Promise<T | undefined>
}

/**
 * Whether a client that follows the document repeats a send after such an answer: the server says, or nobody knows, that it is not
 * done. Who has gone away by its own will repeats nothing.
 */
export function isRepeatable({ status, error = '' }: Pick<Exchange, 'status' | 'error'>): boolean {
  return status === 0 ? !error.startsWith('the client') : status === 408 || status === 429 || status >= 500
}

/**
 * Repeats a request of a send while its answers ask for that: however often it is repeated, it is one.
 *
 * @param isAgain whether what came asks for that
 * @returns what came last
 */
export async function untilAnswered<T>(
  waiting: Waiting,
  ask: () => Promise<T>,
  isAgain: (came: T) => boolean,
): Promise<T> {
  let came!: T
  await waiting.eventually(async () => {
    came = await ask()
    return isAgain(came) ? undefined : true
  })
  return came
}

/**
 * The same of a message that is posted. The document's client repeats it until 200: after another success it is repeated once.
 *
 * @returns the last answer, or the success before it
 */
export async function untilTaken(waiting: Waiting, post: () => Promise<Exchange>): Promise<Exchange> {
  const taken = await untilAnswered(waiting, post, isRepeatable)
  if (!succeeded(taken) || taken.status === 200) return taken
  const again = await post()
  return succeeded(again) ? again : taken
}
