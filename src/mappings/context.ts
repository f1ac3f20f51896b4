import type { Broker } from '../broker/broker.js'
import type { EdgeLimits } from '../http/limits.js'
import type { Links } from '../http/links.js'

/** What every mapping speaks to, and how it addresses things: all mappings of a server share one of these. */
export interface MappingContext {
  readonly broker: Broker
  readonly links: Links
  readonly limits: Readonly<EdgeLimits>
  /** The words with which paths of this server begin: no consumer may be named so. */
  readonly reserved: ReadonlySet<string>
}
