import type { Selector } from '../selector/selector.js'
import type { Destination } from './names.js'

/**
 * What a new subscription is asked for.
 *
 * @example
 * ```ts
 * const request: SubscribeRequest = { destinations: ['orders/*'], prefetch: 5, timeout: 30_000 }
 * ```
 */
export interface SubscribeRequest {
  /** Queue names or wildcards, dotted or with slashes; one or more. */
  readonly destinations: readonly string[]
  /** Messages it may hold unacknowledged. */
  readonly prefetch?: number | undefined
  /** Length of the lease in milliseconds. */
  readonly timeout?: number | undefined
  readonly selector?: string | undefined
  /** Who makes it; the broker only keeps it. */
  readonly owner?: string | undefined
}

/**
 * Whose lease it is: a subscription of the primary mapping, which is handed messages as they arrive; a consumer of the
 * mappings one at a time and in batches, or a session of the single path, which are handed messages when they ask.
 */
export type LeaseKind = 'subscription' | 'consumer' | 'session'

/** How a lease ended. */
export type Ending = 'deleted' | 'expired'

/** What a lease is. */
export interface SubscriptionTerms {
  readonly kind: LeaseKind
  /** Those to begin with; a consumer of the alternative mappings may change them later. */
  readonly destinations: readonly Destination[]
  /** How many unacknowledged messages a subscription may hold; none for the other kinds, which hold what they ask for. */
  readonly prefetch?: number | undefined
  readonly selector?: Selector | undefined
  /** Length of the lease in milliseconds. */
  readonly timeout: number
  /** Who made it, as the layer above names principals; undefined where nobody is asked. */
  readonly owner?: string | undefined
}
