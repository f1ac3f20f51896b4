/** Longer takes reading a listing page by page on a slow target: milliseconds. */
const SLOW = 2000
/** For what the length of listings takes one check, beside the time that it has: milliseconds. */
const PATIENCE = 60_000

export interface LongListingOptions {
  /** Called when reading a listing has taken long. */
  readonly onSlowRoot?: (() => void) | undefined
  /** Runs what does not count as a check's own time. */
  readonly idle: <T>(wait: () => Promise<T>) => Promise<T>
}

/** Reads the pages of the root listing: that it is long is the work of all checks, and for a while no burden of this one. */
export class LongListing {
  readonly #options: LongListingOptions
  #patience = PATIENCE

  constructor(options: LongListingOptions) {
    this.#options = options
  }

  /**
   * Begins a reading.
   *
   * @returns what reads each of its pages
   */
  begin(): <T>(readPage: () => Promise<T>) => Promise<T> {
    const began = performance.now()
    return async (readPage) => {
      const since = performance.now()
      if (since - began < SLOW) return readPage()
      this.#options.onSlowRoot?.()
      if (this.#patience <= 0) return readPage()
      try {
        return await this.#options.idle(readPage)
      } finally {
        this.#patience -= performance.now() - since
      }
    }
  }
}
