import { type Authenticate, createAuthenticate } from './auth/authenticate.js'
import { authenticated, guardRoutes } from './auth/guard.js'
import { type Broker, createBroker } from './broker/broker.js'
import { Ids } from './broker/ids.js'
import { given } from './broker/limits.js'
import { Control } from './control/control.js'
import { chooseClock, extrasOf, type ServerExtras } from './control/extras.js'
import { withLayers } from './control/layers.js'
import { controlRoutes } from './control/routes.js'
import { createCors } from './http/cors.js'
import type { FrontOptions } from './http/front.js'
import { DEFAULT_EDGE_LIMITS } from './http/limits.js'
import { createAbsoluteLinks, createLinks } from './http/links.js'
import { createOriginCheck, parseOrigin } from './http/origin.js'
import { createRouter } from './http/router.js'
import { Scheduler } from './http/scheduler.js'
import { mappingRoutes } from './mappings/routes.js'
import type { HandlerOptions } from './options.js'

/** A server without a front, which is what brings requests to it. */
export interface Assembly {
  readonly front: FrontOptions
  readonly broker: Broker
  readonly extras: ServerExtras
  /** Wakes whatever waits, so that it is answered now. */
  readonly close: () => void
  /** What was not right until now, where the server is strict. @returns throws it */
  readonly strictly: () => () => void
}

/**
 * Puts the parts of a server together; see `createHandler` for what it throws.
 *
 * @param room how many bytes the journal may take unless it is told otherwise, and as many again what is remembered of messages;
 *   their own limits where these are less
 */
export function assemble(options: HandlerOptions, room = Number.POSITIVE_INFINITY): Assembly {
  const { basePath = '', publicUrl, principals } = options
  const origins = new Set((options.allowOrigins ?? []).map(parseOrigin))
  const limits = given(options.limits ?? {})
  const clock = chooseClock(options.clock, options.broker)
  const broker = options.broker ?? createBroker({ limits, clock, autoCreate: options.autoCreate ?? false })
  const links = createLinks(publicUrl === undefined ? { basePath } : { basePath, publicUrl })
  const authenticate = principals === undefined ? undefined : createAuthenticate(principals)
  const scheduler = new Scheduler()
  const control = new Control(broker, {
    scheduler,
    journal:
      options.journal ?? (options.control || (options.strict !== undefined && options.strict !== false)),
    room,
    strict: options.strict,
    dialect: options.dialect,
    nameOf: ({ headers }) => nameOf(authenticate, headers.authorization),
    beginning: { queues: options.queues ?? [], seed: options.seed },
  })
  control.begin()
  const context = {
    broker,
    scheduler,
    links,
    limits: { ...DEFAULT_EDGE_LIMITS, ...limits },
    seed: new Ids().uuid(),
    ...(options.absoluteLinks && publicUrl === undefined ? { linksFor: createAbsoluteLinks(basePath) } : {}),
  }
  const routes = [...mappingRoutes(context), ...(options.control ? controlRoutes(control) : [])]
  const router = createRouter(
    authenticate === undefined ? routes : guardRoutes(routes, broker),
    createOriginCheck(origins, publicUrl),
  )
  const { admit, handle } = authenticate === undefined ? router : authenticated(authenticate, router)
  return {
    front: {
      admit,
      handle: withLayers(control, (request) => {
        // What was refused by its head was not read whole, and goes no further than to those who look on.
        if (request.refusal !== undefined) throw request.refusal
        return handle(request)
      }),
      ...(origins.size > 0 ? { cors: createCors(origins) } : {}),
      basePath,
      limits,
      scheduler,
      // Whoever follows a link made of the public URL may come with its host.
      allowHosts: [
        ...(options.allowHosts ?? []),
        ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
      ],
    },
    broker,
    extras: extrasOf(control, withLayers(control, router.handle)),
    close() {
      broker.close()
      control.close()
    },
    strictly: () => control.strictly(),
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
