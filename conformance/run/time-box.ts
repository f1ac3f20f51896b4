/** Ends a check that has been active for too long. Time in which it only waits, by its own wish, does not count. */
export class TimeBox {
  #left: number
  #since: number | undefined
  #pauses = 0
  #timer: NodeJS.Timeout | undefined
  readonly #onOverrun: () => void

  /** @param limit milliseconds of activity */
  constructor(limit: number, onOverrun: () => void) {
    this.#left = limit
    this.#onOverrun = onOverrun
    this.#run()
  }

  /** Waits within one check may overlap: time counts again when all of them are over. */
  async pauseFor<T>(wait: () => Promise<T>): Promise<T> {
    if (this.#pauses++ === 0) this.#stop()
    try {
      return await wait()
    } finally {
      if (--this.#pauses === 0) this.#run()
    }
  }

  close(): void {
    this.#pauses = Number.POSITIVE_INFINITY
    this.#stop()
  }

  #run(): void {
    this.#since = performance.now()
    this.#timer = setTimeout(this.#onOverrun, Math.max(0, this.#left))
  }

  #stop(): void {
    clearTimeout(this.#timer)
    if (this.#since !== undefined) this.#left -= performance.now() - this.#since
    this.#since = undefined
  }
}
