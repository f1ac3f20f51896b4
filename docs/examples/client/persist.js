import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Asks until there is an answer that decides something. A client that gets none cannot tell a request that was lost
 * from an answer that was, so it may ask again only what may be repeated; in this interface, that is nearly everything.
 *
 * @param {string | URL} url
 * @param {RequestInit} request
 * @param {{ attempts?: number, pause?: number, timeout?: number, signal?: AbortSignal }} [options] in milliseconds:
 *   `pause` before the second attempt, doubled for each further one; `timeout` for one whole answer
 * @returns {Promise<{ status: number, headers: Headers, body: Buffer }>}
 * @throws the last failure, or the signal's reason
 */
export async function persist(
  url,
  request = {},
  { attempts = 8, pause = 50, timeout = 30_000, signal } = {},
) {
  for (let attempt = 1; ; attempt++) {
    try {
      const limits = [AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]
      const answer = await fetch(url, { ...request, signal: AbortSignal.any(limits) })
      // Read here, since an answer may break off in the middle of its body.
      const body = Buffer.from(await answer.arrayBuffer())
      const passing = answer.status >= 500 || answer.status === 408 || answer.status === 429
      if (!passing) return { status: answer.status, headers: answer.headers, body }
      throw new Error(`${request.method ?? 'GET'} ${url} was answered with ${answer.status}`)
    } catch (error) {
      if (signal?.aborted || attempt === attempts) throw error
      await sleep(pause * 2 ** (attempt - 1), undefined, { signal })
    }
  }
}

/** The address in an answer's `Location`, which may be relative. */
export function created(url, { status, headers, body }) {
  if (status === 201) return new URL(headers.get('location'), url)
  throw new Error(`POST ${url} was answered with ${status}: ${body}`)
}
