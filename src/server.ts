import { assemble } from './assemble.js'
import type { Broker } from './broker/broker.js'
import { DEFAULT_LIMITS, given } from './broker/limits.js'
import { checkServerOptions } from './check-options.js'
import type { ServerExtras } from './control/extras.js'
import { lastingHeap } from './heap.js'
import { DEFAULT_EDGE_LIMITS } from './http/limits.js'
import { createHttpServer } from './http/node/server.js'
import type { ServerOptions } from './options.js'

/**
 * A server that runs.
 *
 * @example
 * ```ts
 * const server: RunningServer = await startServer({ queues: ['orders'] })
 * await fetch(`${server.url}/queues/orders`)
 * await server.stop()
 * ```
 */
export interface RunningServer extends ServerExtras, AsyncDisposable {
  /** `{base_url}` at this machine, without a trailing slash; `publicUrl` is for the links alone. */
  readonly url: string
  readonly host: string
  readonly port: number
  /** What is served; to give commands without HTTP. */
  readonly broker: Broker
  /**
   * Stops, whatever waits or is open: parked waits are answered, connections closed. Again: the same stop. State, messages and
   * journal can be read behind it; a send, an advance or whatever else would do something is refused with `shutting-down`.
   *
   * @throws FailedExpectation, when it has stopped, where the server is `strict` and something was not right
   */
  stop(): Promise<void>
}

/**
 * Starts a server in memory.
 *
 * @throws Refusal when one of `queues` is not a queue name
 * @throws Problem when an option is none, or there is no such option, or `seed` is none; the message says where
 * @throws Error when `basePath`, `publicUrl` or one of `allowOrigins` is none, or the address cannot be had (`EADDRINUSE`, …)
 *
 * @example
 * ```ts
 * const server = await startServer({ control: true, clock: 'manual', queues: ['orders'] })
 * server.url.startsWith('http://127.0.0.1:')    // true
 * await server.stop()
 * ```
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  checkServerOptions(options)
  const { basePath = '' } = options
  const heap = lastingHeap()
  const { front, broker, extras, close, strictly } = assemble(
    { ...options, limits: limitsThatFit(options, heap) },
    heap / PARTS_REMEMBERED,
  )
  const http = createHttpServer({
    ...front,
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    onClosing: close,
  })
  const { host, port } = await http.listen()
  const authority = host.includes(':') ? `[${host}]` : host
  let stopped: Promise<void> | undefined
  const stop = () => {
    if (stopped === undefined) {
      const left = strictly()
      stopped = http.close().then(left)
    }
    return stopped
  }
  return {
    url: `http://${authority}:${port}${basePath}`,
    host,
    port,
    broker,
    ...extras,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** The part of a small heap that one connection has, in bytes. */
const HEAP_OF_CONNECTION = 16 * 1024

/** The part of a small heap that the journal of a mock broker has, and what it remembers of messages: each one of so many. */
const PARTS_REMEMBERED = 16

/** The defaults of what may be kept, or less where Node has a small heap: the rest is for what requests take. */
function limitsThatFit(
  { limits = {}, control, journal, strict }: ServerOptions,
  heap: number,
): NonNullable<ServerOptions['limits']> {
  // What a mock broker remembers of clients and messages takes as much again; the rest is for answers, and for what no longer
  // counts and is not collected yet.
  const kept = (control || journal || strict ? 3 / 16 : 3 / 8) * heap
  const { maxConnections, maxInFlight, maxUnsent, maxPageBytes } = DEFAULT_EDGE_LIMITS
  return {
    maxMemory: Math.min(DEFAULT_LIMITS.maxMemory, Math.floor(kept)),
    maxInFlight: Math.min(maxInFlight, Math.floor(heap / 5)),
    maxUnsent: Math.min(maxUnsent, Math.floor(heap / 5)),
    maxPageBytes: Math.min(maxPageBytes, Math.floor(heap / 32)),
    maxConnections: Math.min(maxConnections, Math.ceil(heap / HEAP_OF_CONNECTION)),
    ...given(limits),
  }
}
