import type { Feature } from '../requirements/clause.js'

export { FEATURES, type Feature } from '../requirements/clause.js'

/** What a target is, what it claims, and how it is spoken to where the document leaves that free. */
export interface Profile {
  readonly name: string
  readonly features: Readonly<Record<Feature, boolean>>
  /** Sent with every request of the owner. */
  readonly headers: Readonly<Record<string, string>>
  /** Header sets of parties without permission; `{}` is nobody. */
  readonly unauthorized: readonly Readonly<Record<string, string>>[]
  readonly createQueue: { readonly headers: Readonly<Record<string, string>>; readonly body: string }
  readonly subscription: {
    /** `timeout` is null where a client cannot choose the lease; `selector` likewise where there is none. */
    readonly parameters: {
      readonly destination: string
      readonly prefetch: string
      readonly selector: string | null
      readonly timeout: string | null
    }
    readonly fixed: Readonly<Record<string, string>>
    readonly timeoutUnit: 's' | 'ms' | 'min'
    readonly leaseSeconds: number
    /** What begins a lease anew; empty where it is counted from creation. */
    readonly renewedBy: readonly ('read' | 'ack')[]
    /** `{prefix}/*`: a wildcard over the queues one segment below a prefix. */
    readonly wildcard: string
    readonly selector: {
      readonly expression: string
      readonly matching: Readonly<Record<string, string>>
      readonly other: Readonly<Record<string, string>>
    }
  }
  /** `link[rel=X]`, `id` or `content`. */
  readonly messageUri: string
  /** `header:NAME`, `location` or `entry`. */
  readonly oneAtATime: { readonly messageId: string }
  readonly settleSeconds: number
  readonly clock?: {
    readonly advance: {
      readonly method: string
      readonly path: string
      readonly body: string
      readonly headers: Readonly<Record<string, string>>
    }
  }
}
