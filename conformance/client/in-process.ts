import type { Outgoing, TracedExchange } from './http-client.js'

/**
 * Answers a request in this process, as the `fetch` of a handler does.
 *
 * @example
 * ```ts
 * const nothing: Fetch = async () => new Response(null, { status: 404 })
 * ```
 */
export type Fetch = (request: Request) => Promise<Response>

/** Asks a handler in this process. Whatever goes wrong is in the exchange, as it is of a target behind a socket. */
export async function askInProcess(
  fetch: Fetch,
  { method, url, headers, body, timeout }: Outgoing,
  now: () => number,
  onStop: (stop: () => void) => () => void,
): Promise<TracedExchange> {
  const sentAt = now()
  const client = new AbortController()
  const stopping = onStop(() => client.abort(new Error('the run was stopped')))
  const timer = setTimeout(() => client.abort(new Error(`no answer within ${timeout} ms`)), timeout)
  const asked = { method, url, requestHeaders: headers, requestBody: body, connected: true }
  try {
    const sent = body.length > 0 ? { body: new Uint8Array(body) } : {}
    const answer = await fetch(new Request(url, { method, headers, ...sent, signal: client.signal }))
    return {
      ...asked,
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: Buffer.from(await answer.arrayBuffer()),
      error: undefined,
      sentAt,
      receivedAt: now(),
    }
  } catch (error) {
    const { message } = error as Error
    return {
      ...asked,
      status: 0,
      headers: {},
      body: Buffer.alloc(0),
      error: message,
      sentAt,
      receivedAt: now(),
    }
  } finally {
    clearTimeout(timer)
    stopping()
  }
}
