import { assemble } from './assemble.js'
import type { Broker } from './broker/broker.js'
import { checkHandlerOptions } from './check-options.js'
import type { ServerExtras } from './control/extras.js'
import { createFetch } from './http/fetch.js'
import type { HandlerOptions } from './options.js'

/**
 * A whole server without a socket, in the terms of the Fetch standard.
 *
 * @example
 * ```ts
 * const handler: ServerHandler = createHandler({ queues: ['orders'] })
 * const feed = await handler.fetch(new Request('http://localhost/queues/orders'))
 * feed.status    // 200
 * ```
 */
export interface ServerHandler extends ServerExtras {
  /**
   * Answers a request, whose host is `localhost`, another loopback name or one of `allowHosts`. It needs no `this`.
   *
   * A client that goes away aborts its signal: what it waits for is given up, and a request whose body is still on its way is
   * not carried out.
   *
   * @returns the answer; a refusal is one too, and says why as a problem document
   * @throws the signal's reason where it is aborted before the answer is there
   * @throws TypeError where a fault breaks the connection; of a truncated answer, the body throws it
   * @throws what the request's own body throws where it breaks off, so that nothing happens
   */
  fetch(this: void, request: globalThis.Request): Promise<globalThis.Response>
  /** What is served; to give commands without HTTP. */
  readonly broker: Broker
  /**
   * Ends it: waits are answered, streams end, and what is asked from now on is refused with 503. State, messages and journal can
   * be read behind it; a send, an advance or whatever else would do something is refused with `shutting-down`.
   *
   * @throws FailedExpectation where the server is `strict` and something was not right
   */
  close(): void
}

/**
 * Makes a whole server that listens nowhere: a test, a web page or another runtime asks it by its `fetch`. It needs nothing
 * but what browsers have too. `startServer` puts a port before the same thing.
 *
 * @throws Refusal when one of `queues` is not a queue name
 * @throws Problem when an option is none, or there is no such option, or `seed` is none; the message says where
 * @throws Error when `basePath`, `publicUrl` or one of `allowOrigins` is none
 *
 * @example
 * ```ts
 * const { fetch: ask, close } = createHandler({ queues: ['orders'] })
 * const sent = await ask(new Request('http://localhost/queues/orders?guid=1', { method: 'POST', body: 'a hat' }))
 * sent.status    // 200
 * close()
 * ```
 */
export function createHandler(options: HandlerOptions = {}): ServerHandler {
  checkHandlerOptions(options)
  const { front, broker, extras, close, strictly } = assemble(options)
  const { fetch, close: refuse } = createFetch(front)
  return {
    fetch,
    broker,
    ...extras,
    close() {
      const left = strictly()
      refuse()
      close()
      left()
    },
  }
}
