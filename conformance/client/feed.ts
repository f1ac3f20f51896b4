import type { Exchange } from './exchange.js'

/**
 * A whole feed: all its pages as one.
 *
 * @example
 * ```ts
 * const count = ({ entries }: Feed) => entries.length
 * ```
 */
export interface Feed {
  readonly uri: string
  readonly id: string
  readonly title: string
  readonly updated: string
  readonly links: readonly Link[]
  readonly entries: readonly Entry[]
  /** The exchanges of its pages, in order. */
  readonly pages: readonly Exchange[]
  /** How many entries each page has. */
  readonly sizes: readonly number[]
  /** Whether its elements are Atom's; those in another namespace, or in none, are read as if they were. */
  readonly isAtom: boolean
  /** What RFC 4287 forbids and these documents do, as sentences: no id, two titles, a date that is none, … */
  readonly problems: readonly string[]
}

/**
 * A link of an entry.
 *
 * @example
 * ```ts
 * const isEdit = ({ rel }: Link) => rel === 'edit'
 * ```
 */
export interface Link {
  readonly rel: string
  /** Absolute: resolved against `xml:base` and the document's address. */
  readonly href: string
  readonly type: string | undefined
}

/**
 * One entry of a feed, read with any prefix, order and foreign markup.
 *
 * @example
 * ```ts
 * const messageUris = (entries: readonly Entry[]) => entries.map(({ messageUri }) => messageUri)
 * ```
 */
export interface Entry {
  /** Its `atom:id`, or the empty string where it has none. */
  readonly id: string
  readonly title: string
  /** As written; the empty string where it has none. */
  readonly updated: string
  readonly links: readonly Link[]
  /** `term`s of its categories. */
  readonly categories: readonly string[]
  /** The message's address, where the profile's `messageUri` says it stands; undefined where there is none. */
  readonly messageUri: string | undefined
  /** Absolute address of a content that stands elsewhere (`src`); undefined where there is none, or it is inline. */
  readonly contentUri: string | undefined
  /**
   * The message's bytes: what `atom:content` says (text, base64, XML, or what its `src` answers); where the entry
   * has no content, what its links `edit-media`, `enclosure`, `edit` or `self`, its message URI or its link `alternate` answer: of
   * these what is known for a message that was sent, and else the first that is no page for people. Asked once.
   */
  body(): Promise<Buffer>
}
