import type { HttpClient } from './http-client.js'
import type { Profile } from './profile.js'

/** Nothing takes a connection at the target's address; the message is one sentence. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** How long the first answer may take: milliseconds. */
const FIRST_ANSWER = 5000
const IN_TURN = 4

/** What was found out before the checks. */
export interface Contact {
  /** A high quantile of the time from request to answer: milliseconds. */
  readonly latency: number
  /** Whether it answered at all. */
  readonly answers: boolean
}

/**
 * Asks for the root listing: once, some times in turn, and then as often at once as checks will, and
 * takes the slowest answer but the first, which also had to connect.
 *
 * @throws {Unreachable} where no connection can be made
 */
export async function makeContact(
  baseUrl: string,
  profile: Profile,
  client: HttpClient,
  jobs: number,
  signal?: AbortSignal,
): Promise<Contact> {
  const ask = () =>
    client.send({
      method: 'GET',
      url: `${baseUrl}/queues`,
      headers: profile.headers,
      body: Buffer.alloc(0),
      timeout: FIRST_ANSWER,
      signal,
    })
  const first = await ask()
  if (!first.connected && !signal?.aborted)
    throw new Unreachable(`nothing answers at ${baseUrl}: ${first.error}`)
  if (first.status === 0) return { latency: 0, answers: false }
  const samples = []
  for (let turn = 0; turn < IN_TURN; turn++) samples.push(await ask())
  samples.push(...(await Promise.all(Array.from({ length: jobs }, ask))))
  return { latency: Math.max(...samples.map(({ sentAt, receivedAt }) => receivedAt - sentAt)), answers: true }
}
