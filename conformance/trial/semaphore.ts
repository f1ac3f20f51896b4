/**
 * Runs a wait in which a check gives its place to another.
 *
 * @param brief for one after which the check goes on asking: of these there are only so many at once, since all who
 * wait so will ask again
 */
export type Rest = <T>(wait: () => Promise<T>, brief?: 'brief') => Promise<T>

/** Places for checks that run at once. A check that only waits gives its place away and takes one again after. */
export class Places {
  #free: number
  /** How many more may be away for a brief wait: as many as there are places. */
  #brief: number
  readonly #returning: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
    this.#brief = count
  }

  /** @returns whether a check may give its place away for a brief wait; then the end of that is to be told */
  beginBrief(): boolean {
    if (this.#brief === 0) return false
    this.#brief -= 1
    return true
  }

  endBrief(): void {
    this.#brief += 1
  }

  /** Takes a place for a check that begins; false where there is none. Those that come back go first. */
  take(): Tenancy | undefined {
    if (this.#free === 0 || this.#returning.length > 0) return undefined
    this.#free -= 1
    return new Tenancy(this)
  }

  leave(): void {
    const next = this.#returning.shift()
    if (next) next()
    else this.#free += 1
  }

  /** Resolves when there is a place again, which is then taken. */
  comeBack(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1
      return Promise.resolve()
    }
    return new Promise((resolve) => this.#returning.push(resolve))
  }
}

/** One check's hold of a place. */
export class Tenancy {
  readonly #places: Places
  #hasPlace = true
  #resting = 0
  #returning: Promise<void> | undefined
  #over = false
  /** Called when the place is given away for a while. */
  onRest: () => void = () => {}

  constructor(places: Places) {
    this.#places = places
  }

  /**
   * Gives the place away while `wait` lasts. Waits of one check may overlap: it has its place back when all are over,
   * and once.
   */
  async rest<T>(wait: () => Promise<T>, brief?: 'brief'): Promise<T> {
    if (this.#over) return wait()
    if (!brief) return this.#rest(wait)
    if (!this.#places.beginBrief()) return wait()
    try {
      return await this.#rest(wait)
    } finally {
      this.#places.endBrief()
    }
  }

  async #rest<T>(wait: () => Promise<T>): Promise<T> {
    this.#resting += 1
    if (this.#hasPlace) {
      this.#hasPlace = false
      this.#places.leave()
      this.onRest()
    }
    try {
      return await wait()
    } finally {
      this.#resting -= 1
      if (this.#resting === 0 && !this.#hasPlace && !this.#over) await this.#comeBack()
    }
  }

  /** The check is done. */
  end(): void {
    this.#over = true
    if (this.#hasPlace) this.#places.leave()
    this.#hasPlace = false
  }

  #comeBack(): Promise<void> {
    this.#returning ??= this.#places.comeBack().then(() => {
      this.#returning = undefined
      // Where the check was ended while it waited for the place, nobody else would give it back.
      if (this.#over) this.#places.leave()
      else this.#hasPlace = true
    })
    return this.#returning
  }
}
