/**
 * How much a clause binds a server.
 *
 * - `stated`: the document says it; every implementation must do it.
 * - `optional`: the document offers it; a target that claims the clause's feature must do it as said.
 * - `chosen`: the document is silent, and this is what the reference does; other targets are observed.
 *
 * @example
 * ```ts
 * const binding: Grade[] = ['stated', 'optional']
 * ```
 */
export type Grade = 'stated' | 'optional' | 'chosen'

/**
 * The parts of the interface that a target may leave out; a profile claims the ones it has.
 *
 * @example
 * ```ts
 * FEATURES.includes('wildcards')    // true
 * ```
 */
export const FEATURES = [
  'subtree',
  'dotted-names',
  'guid',
  'wildcards',
  'selector',
  'single-path',
  'one-at-a-time',
  'batch',
  'ack-in-post',
  'auth',
] as const

/**
 * One of {@link FEATURES}.
 *
 * @example
 * ```ts
 * const feature: Feature = 'selector'
 * ```
 */
export type Feature = (typeof FEATURES)[number]

/**
 * The topics that checks are filed under, in the order in which reports show them.
 *
 * @example
 * ```ts
 * TOPICS[0]    // 'queues'
 * ```
 */
export const TOPICS = [
  'queues',
  'browse',
  'send',
  'dedup',
  'subscribe',
  'consume',
  'prefetch',
  'ack',
  'lease',
  'auth',
  'single-path',
  'one-at-a-time',
  'batch',
  'ack-in-post',
  'http',
] as const

/**
 * One of {@link TOPICS}.
 *
 * @example
 * ```ts
 * const topic: Topic = 'lease'
 * ```
 */
export type Topic = (typeof TOPICS)[number]

/** Topics of clauses that describe the interface as a whole; no check is filed under them. */
export const REMARK_TOPICS = ['purpose', 'states', 'events', 'errors', 'limits', 'versioning'] as const

/** The sections of the document, in its order. */
export const SECTIONS = ['1', '2', '3', '4.1', '4.2', '5', '6', '7', '8', '9'] as const

/**
 * A section of the interface, by its number: `1`, `4.2`.
 *
 * @example
 * ```ts
 * const section: Section = '4.2'
 * ```
 */
export type Section = (typeof SECTIONS)[number]

/**
 * One obligation, or one remark, of the interface.
 *
 * @example
 * ```ts
 * const clause: Clause | undefined = findClause('send.step-2.status')
 * clause?.section    // '4.1'
 * ```
 */
export interface Clause {
  /** `topic.words`, as in `send.two-step.repeat`. It never changes, and says nothing about position. */
  readonly id: string
  /** The section of the document that says it, or that is silent about it. */
  readonly section: Section
  readonly grade: Grade
  /** The obligation, as one sentence in our words. */
  readonly text: string
  /** The feature a target must claim to be judged by this clause; every `optional` clause has one. */
  readonly feature?: Feature
  /** Why nobody outside a server can check it; only on a clause that no check can prove. */
  readonly unchecked?: string
}

/** A clause's sentence; one that nobody can check has the reason, too. */
type Sentence = string | Required<Pick<Clause, 'text' | 'unchecked'>>

type Said<Id extends string> = Readonly<Record<Id, Sentence>>

/** Clauses of one section and grade, and of one feature where they have any: to each id its sentence. */
export function clauses<Id extends string>(
  section: Section,
  grade: Grade,
  ...of: readonly [said: Said<Id>] | readonly [feature: Feature, said: Said<Id>]
): (Clause & { readonly id: Id })[] {
  const said = of.length === 1 ? of[0] : of[1]
  const feature = of.length === 1 ? {} : { feature: of[0] }
  return Object.entries<Sentence>(said).map(([id, words]) => ({
    ...{ id: id as Id, section, grade, ...feature },
    ...(typeof words === 'string' ? { text: words } : words),
  }))
}
