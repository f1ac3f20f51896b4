/** Markup of all documents of a run, in tags, attributes and the like: to parse it takes about 8 s of processor. */
const MAX_MARKUP_OF_RUN = 1_500_000
/** More than a page of a thousand entries has: several such trees at once take hundreds of megabytes. */
const LONG_MARKUP = 32_000
/** How many times the markup of so long a document counts. */
const WEIGHT_OF_LONG = 5
/** More than an entry of a listing has. Of one that was there before, so much does not count again. */
const MARKUP_OF_ENTRY = 100
/** A document with less is read even when the limit is reached. */
const LITTLE_MARKUP = 500
/** An id counts by its end: a target may write one of megabytes. */
const MAX_ID = 200

/**
 * How much markup is parsed in a run. A feed of a queue or a consumer has only what the run has sent, and all of it
 * counts. A listing has the queues of others, too, and is read again and again: what was in it before does not count.
 */
export class MarkupLimit {
  #parsed = 0
  /** Of the ids of listed entries, as numbers: two that have the same are taken for one. */
  readonly #listed = new Set<number>()

  /** Whether more was to be parsed than any run needs. */
  get isReached(): boolean {
    return this.#parsed > MAX_MARKUP_OF_RUN
  }

  /**
   * Counts a document before it is parsed.
   *
   * @returns a sentence that says why it is not to be parsed
   */
  count(pieces: number): string | undefined {
    this.#parsed += weightOf(pieces)
    if (!this.isReached || pieces <= LITTLE_MARKUP) return undefined
    return `the documents of the run have more than ${MAX_MARKUP_OF_RUN} pieces of markup`
  }

  /** Takes off the count what a page of a listing has of entries that were listed before. */
  takeOffKnown(pieces: number, ids: readonly string[]): void {
    let known = 0
    for (const id of ids) {
      const number = numberOf(id)
      if (this.#listed.has(number)) known += 1
      else this.#listed.add(number)
    }
    const share = Math.min(1, (known * MARKUP_OF_ENTRY) / pieces)
    this.#parsed -= share * weightOf(pieces)
  }
}

function weightOf(pieces: number): number {
  return pieces > LONG_MARKUP ? pieces * WEIGHT_OF_LONG : pieces
}

function numberOf(id: string): number {
  let number = 0
  for (let at = Math.max(0, id.length - MAX_ID); at < id.length; at++)
    number = (Math.imul(number, 31) + id.charCodeAt(at)) | 0
  return number
}
