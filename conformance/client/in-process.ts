import { Buffer } from './bytes.js'
import { type Cut, cutOff } from './cut.js'
import { noAnswerWithin } from './exchange.js'
import { Measure } from './measure.js'
import { onStop } from './stops.js'
import { type Outgoing, type TracedExchange, type Transport, USER_AGENT } from './transport.js'

/**
 * Answers a request in this process, as the `fetch` of a handler does.
 *
 * @example
 * ```ts
 * const nothing: Fetch = async () => new Response(null, { status: 404 })
 * ```
 */
export type Fetch = (request: Request) => Promise<Response>

/** Asks a handler in this process. */
export class InProcess implements Transport {
  readonly isInProcess = true
  readonly measure = new Measure()
  readonly #fetch: Fetch

  /** @param now monotonic milliseconds, for the times of the exchanges */
  constructor(
    fetch: Fetch,
    readonly now: () => number = () => performance.now(),
  ) {
    this.#fetch = fetch
  }

  async send(outgoing: Outgoing): Promise<TracedExchange> {
    const { method, url, headers, body, timeout, signal, cut } = outgoing
    outgoing.onSent?.()
    const sentAt = this.now()
    if (cut !== undefined) {
      await this.#leave(outgoing, cut)
      return cutOff(outgoing, cut, { sentAt, receivedAt: this.now() })
    }
    const client = new AbortController()
    const forget = onStop(signal, () => client.abort(new Error('the run was stopped')))
    const timer = setTimeout(() => client.abort(new Error(noAnswerWithin(timeout))), timeout)
    const asked = { method, url, requestHeaders: headers, requestBody: body, connected: true }
    try {
      const answer = await this.#fetch(requestOf(outgoing, client.signal))
      return {
        ...asked,
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: Buffer.from(await answer.arrayBuffer()),
        error: undefined,
        ...{ sentAt, receivedAt: this.now() },
      }
    } catch (error) {
      const { message } = error as Error
      const none = { status: 0, headers: {}, body: Buffer.alloc(0), error: message }
      return { ...asked, ...none, sentAt, receivedAt: this.now() }
    } finally {
      clearTimeout(timer)
      forget()
    }
  }

  /** A handler never sees a request that is not whole; one that is whole it answers, whether anybody reads that or not. */
  async #leave(outgoing: Outgoing, cut: Cut): Promise<void> {
    if (cut === 'head' || cut === 'body') return
    const client = new AbortController()
    const answering = this.#fetch(requestOf(outgoing, client.signal))
    if (cut === 'sent') client.abort(new Error('the client went away'))
    await answering.then(
      ({ body }) => body?.cancel(),
      () => {},
    )
  }

  keepNone(): void {}

  allow(): void {}

  close(): void {}
}

function requestOf({ method, url, headers, body }: Outgoing, signal: AbortSignal): Request {
  const sent = body.length > 0 ? { body: new Uint8Array(body) } : {}
  return new Request(url, { method, headers: { 'User-Agent': USER_AGENT, ...headers }, ...sent, signal })
}
