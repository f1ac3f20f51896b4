/**
 * Runs a wait in which a check gives its permit to another.
 *
 * @param brief for one after which the check goes on asking: of these there are only so many at once, since all who
 * wait so will ask again
 */
export type Yield = <T>(wait: () => Promise<T>, brief?: 'brief') => Promise<T>

/** Permits for checks that run at once. A check that only waits yields its permit and takes one again after. */
export class Semaphore {
  #free: number
  /** How many more may be away for a brief wait: as many as there are permits. */
  #brief: number
  readonly #returning: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
    this.#brief = count
  }

  /** @returns whether a check may give its permit away for a brief wait; then the end of that is to be told */
  beginBrief(): boolean {
    if (this.#brief === 0) return false
    this.#brief -= 1
    return true
  }

  endBrief(): void {
    this.#brief += 1
  }

  /** Takes a permit for a check that begins; false where there is none. Those that come back go first. */
  tryAcquire(): Permit | undefined {
    if (this.#free === 0 || this.#returning.length > 0) return undefined
    this.#free -= 1
    return new Permit(this)
  }

  release(): void {
    const next = this.#returning.shift()
    if (next) next()
    else this.#free += 1
  }

  /** Resolves when there is a permit again, which is then taken. */
  acquire(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1
      return Promise.resolve()
    }
    return new Promise((resolve) => this.#returning.push(resolve))
  }
}

/** One check's hold of a permit. */
export class Permit {
  readonly #semaphore: Semaphore
  #hasPermit = true
  #yielded = 0
  #returning: Promise<void> | undefined
  #over = false
  /** Called when the permit is given away for a while. */
  onYield: () => void = () => {}

  constructor(semaphore: Semaphore) {
    this.#semaphore = semaphore
  }

  /**
   * Gives the permit away while `wait` lasts. Waits of one check may overlap: it has its permit back when all are over,
   * and once.
   */
  async yield<T>(wait: () => Promise<T>, brief?: 'brief'): Promise<T> {
    if (this.#over) return wait()
    if (!brief) return this.#yield(wait)
    if (!this.#semaphore.beginBrief()) return wait()
    try {
      return await this.#yield(wait)
    } finally {
      this.#semaphore.endBrief()
    }
  }

  async #yield<T>(wait: () => Promise<T>): Promise<T> {
    this.#yielded += 1
    if (this.#hasPermit) {
      this.#hasPermit = false
      this.#semaphore.release()
      this.onYield()
    }
    try {
      return await wait()
    } finally {
      this.#yielded -= 1
      if (this.#yielded === 0 && !this.#hasPermit && !this.#over) await this.#reacquire()
    }
  }

  /** The check is done. */
  end(): void {
    this.#over = true
    if (this.#hasPermit) this.#semaphore.release()
    this.#hasPermit = false
  }

  #reacquire(): Promise<void> {
    this.#returning ??= this.#semaphore.acquire().then(() => {
      this.#returning = undefined
      // Where the check was ended while it waited for the permit, nobody else would give it back.
      if (this.#over) this.#semaphore.release()
      else this.#hasPermit = true
    })
    return this.#returning
  }
}
