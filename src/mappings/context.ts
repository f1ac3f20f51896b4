import type { Broker } from '../broker/broker.js'
import type { Reply, Request } from '../http/exchange.js'
import type { EdgeLimits } from '../http/limits.js'
import type { Links } from '../http/links.js'
import type { Scheduler } from '../http/scheduler.js'

/** What every mapping speaks to, and how it addresses things: all mappings of a server share one of these. */
export interface MappingContext {
  readonly broker: Broker
  readonly links: Links
  /** Where links are made for the host that a request is for; `links` then stands for the paths alone. */
  readonly linksFor?: (request: Request) => Links
  /** Keeps the ids of this server's categories apart from those of every other's. */
  readonly seed?: string
  readonly limits: Readonly<EdgeLimits>
  /** Says when those who were woken go on. */
  readonly scheduler: Scheduler
  /** When the server began; milliseconds since the epoch. */
  readonly startedAt: number
  /** The words with which paths of this server begin: no consumer may be named so. */
  readonly reserved: ReadonlySet<string>
}

/**
 * What a mapping does for a request, or finds at its address.
 *
 * @param params what the `:name`s and the `**` of its route's pattern stand for
 */
export type Act<T = Reply> = (context: MappingContext, request: Request, ...params: string[]) => T

/** The links of an answer to this request. */
export function linksOf({ links, linksFor }: MappingContext, request: Request): Links {
  return linksFor === undefined ? links : linksFor(request)
}
