import { randomUUID } from 'node:crypto'
import { type Authenticate, createAuthenticate } from './auth/authenticate.js'
import { authenticated, guardRoutes } from './auth/guard.js'
import type { Credential } from './auth/principals-file.js'
import { type Broker, type BrokerOptions, createBroker } from './broker/broker.js'
import { type BrokerLimits, DEFAULT_LIMITS } from './broker/limits.js'
import { checkOptions } from './check-options.js'
import { Control } from './control/control.js'
import { chooseClock, type ExtraOptions, extrasOf, type ServerExtras } from './control/extras.js'
import { withLayers } from './control/layers.js'
import { controlRoutes } from './control/routes.js'
import { lastingHeap } from './heap.js'
import { createCors } from './http/cors.js'
import { DEFAULT_EDGE_LIMITS, type EdgeLimits } from './http/limits.js'
import { createAbsoluteLinks, createLinks } from './http/links.js'
import { createOriginCheck, parseOrigin } from './http/origin.js'
import { createRouter, type Router } from './http/router.js'
import { createHttpServer } from './http/server.js'
import { Turns } from './http/turns.js'
import { mappingRoutes } from './mappings/routes.js'

/**
 * What a server is started with; everything has a default.
 *
 * @example
 * ```ts
 * const options: ServerOptions = { port: 0, basePath: '/mq', queues: ['orders'], limits: { maxQueues: 100 } }
 * ```
 */
export interface ServerOptions extends Pick<BrokerOptions, 'autoCreate'>, ExtraOptions {
  /** Port to listen on; 0, the default, takes a free one. */
  port?: number
  /** Address to listen on; 127.0.0.1 unless given. */
  host?: string
  /** Path prefix of the whole interface: `/mq`. */
  basePath?: string
  /** `{base_url}` as clients know it, where that differs, behind a proxy say; links are then absolute URIs below it. */
  publicUrl?: string
  /** Whether links are whole also without a `publicUrl`: they then begin with the host that the request is for. */
  absoluteLinks?: boolean
  /** Origins, such as `http://localhost:3000`, whose pages may do what else no page of another site may. */
  allowOrigins?: readonly string[]
  /** Host names that are answered beside the loopback names and `host`. */
  allowHosts?: readonly string[]
  /** Queues to begin with. */
  queues?: readonly string[]
  /** Limits that differ from the defaults. */
  limits?: Partial<BrokerLimits & EdgeLimits>
  /** Who may do what; everybody may do everything unless given. See `parsePrincipals`. */
  principals?: readonly Credential[]
  /** The broker to serve, where it is not one of the server's own making. */
  broker?: Broker
}

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
  /** Stops, whatever waits or is open: parked waits are answered, connections closed. Again: the same stop. */
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
  checkOptions(options)
  const { basePath = '', publicUrl, principals } = options
  const origins = new Set((options.allowOrigins ?? []).map(parseOrigin))
  const limits = given(options.limits ?? {})
  const clock = chooseClock(options.clock, options.broker)
  const broker =
    options.broker ??
    createBroker({
      limits: { maxMemory: memoryThatFits(), ...limits },
      clock,
      autoCreate: options.autoCreate ?? false,
    })
  const links = createLinks(publicUrl === undefined ? { basePath } : { basePath, publicUrl })
  const authenticate = principals === undefined ? undefined : createAuthenticate(principals)
  const turns = new Turns()
  const control = new Control(broker, {
    turns,
    journal: options.journal ?? options.control,
    nameOf: ({ headers }) => nameOf(authenticate, headers.authorization),
    beginning: { queues: options.queues ?? [], seed: options.seed },
  })
  control.begin()
  const context = {
    broker,
    turns,
    links,
    limits: { ...DEFAULT_EDGE_LIMITS, ...limits },
    seed: randomUUID(),
    ...(options.absoluteLinks && publicUrl === undefined ? { linksFor: createAbsoluteLinks(basePath) } : {}),
  }
  const routes = [...mappingRoutes(context), ...(options.control ? controlRoutes(control) : [])]
  const router = createRouter(
    authenticate === undefined ? routes : guardRoutes(routes, broker),
    createOriginCheck(origins, publicUrl),
  )
  const { admit, handle } = authenticate === undefined ? router : authenticated(authenticate, router)
  const room = Math.floor(lastingHeap() / 5)
  const http = createHttpServer({
    admit,
    turns,
    handle: withLayers(control, handleAdmitted(handle)),
    ...(origins.size > 0 ? { cors: createCors(origins) } : {}),
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    basePath,
    limits: {
      maxInFlight: Math.min(DEFAULT_EDGE_LIMITS.maxInFlight, room),
      maxUnsent: Math.min(DEFAULT_EDGE_LIMITS.maxUnsent, room),
      ...limits,
    },
    // Whoever follows a link made of the public URL may come with its host.
    allowHosts: [
      ...(options.allowHosts ?? []),
      ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
    ],
    onClosing: () => {
      broker.close()
      control.close()
    },
  })
  const { host, port } = await http.listen()
  const authority = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${authority}:${port}${basePath}`,
    host,
    port,
    broker,
    ...extrasOf(control, withLayers(control, router.handle)),
    stop: () => http.close(),
    [Symbol.asyncDispose]: () => http.close(),
  }
}

/** Who asks, for those who only want to know: somebody unknown has no name. */
function nameOf(
  authenticate: Authenticate | undefined,
  authorization: string | undefined,
): string | undefined {
  try {
    return authenticate?.(authorization).name
  } catch {
    return undefined
  }
}

/** What was refused by its head was not read whole, and goes no further than to those who look on. */
function handleAdmitted(handle: Router['handle']): Router['handle'] {
  return (request) => {
    if (request.refusal !== undefined) throw request.refusal
    return handle(request)
  }
}

/** Without the members that are undefined, which stand for the default and must not replace it. */
function given<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T
}

/** The default of what may be kept, or less where Node has a small heap: the rest is for what requests take. */
function memoryThatFits(): number {
  return Math.min(DEFAULT_LIMITS.maxMemory, Math.floor(lastingHeap() / 2))
}
