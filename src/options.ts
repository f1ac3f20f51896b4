import type { Credential } from './auth/principals-file.js'
import type { Broker, BrokerOptions } from './broker/broker.js'
import type { BrokerLimits } from './broker/limits.js'
import type { ExtraOptions } from './control/extras.js'
import type { EdgeLimits } from './http/limits.js'

/**
 * What a server without a socket is made with; everything has a default.
 *
 * @example
 * ```ts
 * const options: HandlerOptions = { basePath: '/mq', queues: ['orders'], clock: 'manual' }
 * ```
 */
export interface HandlerOptions extends Pick<BrokerOptions, 'autoCreate'>, ExtraOptions {
  /** Path prefix of the whole interface: `/mq`. */
  basePath?: string
  /** `{base_url}` as clients know it, where that differs, behind a proxy say; links are then absolute URIs below it. */
  publicUrl?: string
  /** Whether links are whole also without a `publicUrl`: they then begin with the host that the request is for. */
  absoluteLinks?: boolean
  /** Origins, such as `http://localhost:3000`, whose pages may do what else no page of another site may. */
  allowOrigins?: readonly string[]
  /** Host names that are answered beside the loopback names, and beside the `host` of a server that listens on one. */
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
 * What a server is started with; everything has a default.
 *
 * @example
 * ```ts
 * const options: ServerOptions = { port: 0, basePath: '/mq', queues: ['orders'], limits: { maxQueues: 100 } }
 * ```
 */
export interface ServerOptions extends HandlerOptions {
  /** Port to listen on; 0, the default, takes a free one. */
  port?: number
  /** Address to listen on; 127.0.0.1 unless given. */
  host?: string
}
