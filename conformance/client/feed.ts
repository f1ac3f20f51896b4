import type { Entry, Link } from './entry.js'
import type { Exchange } from './exchange.js'

/** A whole feed: all its pages as one. */
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
  /** Whether its elements are Atom's; those in no namespace are read as if they were. */
  readonly isAtom: boolean
  /** What RFC 4287 forbids and these documents do, as sentences: no id, two titles, a date that is none, … */
  readonly problems: readonly string[]
}
