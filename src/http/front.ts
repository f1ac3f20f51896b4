import type { Cors } from './cors.js'
import type { Reply, Request } from './exchange.js'
import type { HeadPolicy } from './head.js'
import { createHostCheck } from './host-check.js'
import { DEFAULT_EDGE_LIMITS, type EdgeLimits } from './limits.js'
import { basePathOf } from './links.js'
import type { LiveRequest } from './live-request.js'
import type { Scheduler } from './scheduler.js'

/** What whoever brings requests to a server is told: `node:http` is one such front, `fetch` another. */
export interface FrontOptions {
  /** Answers a request that the front has accepted; usually a router's `handle`. What it throws becomes a problem. */
  readonly handle: (request: Request) => Reply | Promise<Reply>
  /**
   * Asked before the body of a request is read; what it throws refuses the request. `handle` is then given the request
   * without its body and with its `refusal`.
   */
  readonly admit?: (request: Request) => void
  /** What pages of other sites may do; nothing when left out. */
  readonly cors?: Cors
  /** See `basePathOf`. Requests outside it get 404. */
  readonly basePath?: string
  readonly limits?: Partial<EdgeLimits>
  /** Says in which turn what is done; of the front's own unless given. */
  readonly scheduler?: Scheduler
  /** Host names that are answered beside the loopback names. */
  readonly allowHosts?: readonly string[]
  /** Is told of what must never happen: a handler that threw neither a refusal nor a problem. */
  readonly onDefect?: (defect: unknown) => void
}

/**
 * What a front measures heads against.
 *
 * @param host that it listens on
 * @throws Error when the base path is none
 */
export function policyOf({ basePath = '', limits, allowHosts = [] }: FrontOptions, host: string): HeadPolicy {
  return {
    basePath: basePathOf(basePath),
    limits: { ...DEFAULT_EDGE_LIMITS, ...limits },
    checkHost: createHostCheck(host, allowHosts),
  }
}

/** Asks whether the head alone refuses a request; its body is then not waited for. */
export function admits(options: FrontOptions, request: LiveRequest): boolean {
  try {
    options.admit?.(request)
    return true
  } catch (error) {
    request.refusal = error
    return false
  }
}
