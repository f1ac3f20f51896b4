import type { Feature } from '../requirements/clause.js'

export { FEATURES, type Feature } from '../requirements/clause.js'

/** Header names to values. */
type Headers = Readonly<Record<string, string>>

/**
 * What a target is, what it claims, and how it is spoken to where the document leaves that free.
 *
 * @example
 * ```ts
 * const profile: Profile = parseProfile({ subscription: { leaseSeconds: 5 } })
 * profile.subscription.leaseSeconds    // 5
 * ```
 */
export interface Profile {
  readonly name: string
  readonly features: Readonly<Record<Feature, boolean>>
  /** Sent with every request of the owner. */
  readonly headers: Headers
  /** Header sets of parties without permission; `{}` is nobody. */
  readonly unauthorized: readonly Headers[]
  readonly createQueue: { readonly headers: Headers; readonly body: string }
  /** What the name of a queue may be; null where no limit is known. */
  readonly queueNames: {
    /** Whether slashes or dots part the segments of a name. */
    readonly form: 'path' | 'dotted'
    /** What a segment is made of, as the inside of a character class: `a-z0-9-`. */
    readonly characters: string | null
    /** Characters of a whole name, the prefix included. */
    readonly maxLength: number | null
    readonly maxSegments: number | null
    /** What every name begins with. */
    readonly prefix: string
  }
  /** How a message is made of a text, and what is left of it when it arrives. */
  readonly message: {
    readonly headers: Headers
    /** `{text}` stands for the text, escaped as the `Content-Type` needs it. */
    readonly body: string
    /** `same`: byte for byte; `contains`: something that holds the text. */
    readonly arrives: 'same' | 'contains'
    readonly maxBytes: number | null
  }
  readonly guid: { readonly form: 'text' | 'uuid'; readonly maxLength: number | null }
  readonly subscription: {
    readonly headers: Headers
    /** `prefetch` and `timeout` are null where a client cannot choose them; `selector` where there is none. */
    readonly parameters: {
      readonly destination: string
      readonly prefetch: string | null
      readonly selector: string | null
      readonly timeout: string | null
    }
    /** What joins several destinations in one field; null where the field is repeated. */
    readonly separator: string | null
    /** How a destination is written: `{path}`, `{dotted}` or `{address}` within any text. */
    readonly destination: string
    readonly fixed: Readonly<Record<string, string>>
    /** How the length of a lease is written: `{s}`, `{ms}` or `{min}` within any text. */
    readonly timeoutFormat: string
    readonly leaseSeconds: number
    /** The longest lease that the target grants. */
    readonly maxLeaseSeconds: number
    /** The largest prefetch that the target grants; its own where a client cannot choose it. */
    readonly maxPrefetch: number
    /** What begins a lease anew; empty where it is counted from creation. */
    readonly renewedBy: readonly ('read' | 'ack')[]
    /** A destination over the queues one segment below `{prefix}` or `{dottedPrefix}`. */
    readonly wildcard: string
    readonly selector: {
      readonly expression: string
      readonly matching: Headers
      readonly other: Headers
    }
  }
  /** `link[rel=X]`, `id` or `content`. */
  readonly messageUri: string
  /** `header:NAME`, `location` or `entry`. */
  readonly oneAtATime: { readonly messageId: string }
  readonly settleSeconds: number
  /** The pace to keep; null where none is known. */
  readonly requestsPerSecond: number | null
  readonly clock?: {
    readonly advance: {
      readonly method: string
      readonly path: string
      readonly body: string
      readonly headers: Headers
    }
  }
  /**
   * Paths of the fields that are `"unknown"` in the profile's JSON: what stands in them here is a default that nobody
   * vouches for.
   */
  readonly unknown: readonly string[]
}

/**
 * Why nothing can be said of a feature: nobody knows whether the target has it. Undefined where the profile says so or not.
 */
export function unknownFeature(
  { unknown }: Pick<Profile, 'unknown'>,
  feature: Feature | null | undefined,
): string | undefined {
  const isUnknown = unknown.includes('features') || unknown.includes(`features.${feature}`)
  return feature && isUnknown ? `the profile's features.${feature} is unknown: fill it in` : undefined
}

/**
 * The profile in the form that a file has: `"unknown"` where nothing was found.
 *
 * @throws nothing; what it gives is read back by `parseProfile`
 *
 * @example
 * ```ts
 * JSON.stringify(profileJson(DEFAULT_PROFILE), null, 2)
 * ```
 */
export function profileJson(profile: Profile): Record<string, unknown> {
  const { unknown, ...rest } = structuredClone(profile) as Profile & Record<string, unknown>
  for (const path of unknown) {
    const names = path.split('.')
    const last = names.pop()!
    const parent = valueAt(rest, names)
    if (typeof parent === 'object' && parent !== null) (parent as Record<string, unknown>)[last] = 'unknown'
  }
  return rest
}

/** What stands at a place of a profile, as `['subscription', 'wildcard']`; undefined where there is none. */
export function valueAt(profile: object, names: readonly string[]): unknown {
  return names.reduce<unknown>((object, name) => (object as Record<string, unknown>)?.[name], profile)
}
