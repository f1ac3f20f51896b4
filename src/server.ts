import { type Authenticate, createAuthenticate } from './auth/authenticate.js'
import { authenticated, guardRoutes } from './auth/guard.js'
import type { Credential } from './auth/principals-file.js'
import { type Broker, type BrokerOptions, createBroker } from './broker/broker.js'
import type { BrokerLimits } from './broker/limits.js'
import { checkOptions } from './check-options.js'
import { Control } from './control/control.js'
import { chooseClock, type ExtraOptions, extrasOf, type ServerExtras } from './control/extras.js'
import { withLayers } from './control/layers.js'
import { controlRoutes } from './control/routes.js'
import { DEFAULT_EDGE_LIMITS, type EdgeLimits } from './http/limits.js'
import { createLinks } from './http/links.js'
import { createRouter } from './http/router.js'
import { createHttpServer } from './http/server.js'
import { mappingRoutes } from './mappings/routes.js'

/** What a server is started with; everything has a default. */
export interface ServerOptions extends Pick<BrokerOptions, 'autoCreate'>, ExtraOptions {
  /** Port to listen on; 0, the default, takes a free one. */
  port?: number
  /** Address to listen on; 127.0.0.1 unless given. */
  host?: string
  /** Path prefix of the whole interface: `/mq`. */
  basePath?: string
  /** `{base_url}` as clients know it, where that differs, behind a proxy say; links are then absolute URIs below it. */
  publicUrl?: string
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

/** A server that runs. */
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
 * @throws Error when `basePath` or `publicUrl` is none, or the address cannot be had (`EADDRINUSE`, …)
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  checkOptions(options)
  const { basePath = '', publicUrl } = options
  const limits = given(options.limits ?? {})
  const clock = chooseClock(options.clock, options.broker)
  const broker = options.broker ?? createBroker({ limits, clock, autoCreate: options.autoCreate ?? false })
  const links = createLinks(publicUrl === undefined ? { basePath } : { basePath, publicUrl })
  const { principals } = options
  const authenticate = principals === undefined ? undefined : createAuthenticate(principals)
  const control = new Control(broker, {
    journal: options.journal ?? options.control,
    nameOf: ({ headers }) => nameOf(authenticate, headers.authorization),
    beginning: { queues: options.queues ?? [], seed: options.seed },
  })
  control.begin()
  const routes = [
    ...mappingRoutes({ broker, links, limits: { ...DEFAULT_EDGE_LIMITS, ...limits } }),
    ...(options.control ? controlRoutes(control, publicUrl) : []),
  ]
  const router = createRouter(authenticate === undefined ? routes : guardRoutes(routes, broker))
  const http = createHttpServer({
    handle: withLayers(
      control,
      authenticate === undefined ? router.handle : authenticated(authenticate, router.handle),
    ),
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    basePath,
    limits,
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
    ...extrasOf(control),
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

/** Without the members that are undefined, which stand for the default and must not replace it. */
function given<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T
}
