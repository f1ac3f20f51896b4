/** How long those who were woken wait for room for their answers, in milliseconds; then the oldest answers make room. */
const MOST_PATIENCE = 1000

/** How often it is seen whether there is room, in milliseconds. */
const EVERY = 5

/**
 * Those of one server who were woken, and wait for their turn. Thousands may wait for one change, each may have a long page
 * to read, and others have requests too: so one goes on in each turn of the event loop, and none while more answers are on
 * their way than their readers take. In real time also at a manual clock, since the readers are real.
 */
export class Turns {
  /** Whether there is room for the answer of one more; the edge tells it. */
  hasRoom: () => boolean = () => true
  #waiting: (() => void)[] = []
  /** How many of them have gone on. */
  #gone = 0
  /** Whether somebody has gone on in this turn of the event loop, or the next one is awaited. */
  #taken = false
  /** Since when there is no room. */
  #fullSince: number | undefined
  #page: { readonly key: string; readonly bytes: Uint8Array } | undefined

  /** Whether somebody who was woken has not gone on yet. */
  get busy(): boolean {
    return this.#waiting.length > 0
  }

  /** Goes on at once, or in one of the next turns. */
  take(go: () => void): void {
    if (this.#taken) {
      this.#waiting.push(go)
      return
    }
    this.#taken = true
    setImmediate(this.#next)
    go()
  }

  /**
   * A page that many who were woken read: it is made once for all of them, and takes memory once.
   *
   * @param key the same for the same bytes
   */
  share(key: string, make: () => string): string | Uint8Array {
    if (this.#page?.key === key) return this.#page.bytes
    if (!this.busy) return make()
    this.#page = { key, bytes: Buffer.from(make()) }
    return this.#page.bytes
  }

  readonly #next = () => {
    const go = this.#waiting[this.#gone]
    if (go === undefined) {
      this.#taken = false
      this.#page = undefined
      return
    }
    if (this.hasRoom()) this.#fullSince = undefined
    else {
      this.#fullSince ??= performance.now()
      if (performance.now() - this.#fullSince < MOST_PATIENCE) {
        setTimeout(this.#next, EVERY)
        return
      }
    }
    setImmediate(this.#next)
    if (++this.#gone === this.#waiting.length) {
      this.#waiting = []
      this.#gone = 0
    }
    go()
  }
}
