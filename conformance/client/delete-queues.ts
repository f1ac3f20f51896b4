import { Buffer } from './bytes.js'
import type { HttpClient } from './http-client.js'
import type { Profile } from './profile.js'

/** Deleting takes no longer than this: milliseconds. What is left then is left. */
const TIME = 10_000
const ANSWER = 3000
/** A target that refuses so many in a row does not let the kit delete. */
const MOST_REFUSALS = 20

/** Deletes queues that were created through a client, as far as the target lets it; default: all. Never rejects. */
export async function deleteQueues(
  client: HttpClient,
  profile: Profile,
  atOnce: number,
  signal: AbortSignal | undefined,
  queues: readonly string[] = [...client.created],
): Promise<void> {
  for (const each of queues) client.created.delete(each)
  await deleteAll(client, profile, queues, atOnce, signal)
}

/** Deletes what is at these addresses, as far as the target lets it. Never rejects. @returns how many it says it will not delete */
export async function deleteAll(
  client: HttpClient,
  profile: Profile,
  addresses: readonly string[],
  atOnce: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const left = [...addresses]
  const end = performance.now() + TIME
  let refusals = 0
  let kept = 0
  const work = async () => {
    while (left.length > 0 && refusals < MOST_REFUSALS && performance.now() < end && !signal?.aborted) {
      const url = left.pop()!
      const timeout = Math.max(1, Math.min(ANSWER, end - performance.now()))
      const { status } = await client.send({
        method: 'DELETE',
        url,
        headers: profile.headers,
        body: Buffer.alloc(0),
        timeout,
        signal,
      })
      // One that a check has deleted is not there any more.
      const refused = status === 0 || status >= 500 || status === 401 || status === 403 || status === 405
      refusals = refused ? refusals + 1 : 0
      if (status === 409) kept += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return kept
}
