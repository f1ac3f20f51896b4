/** Places for checks that run at once. A check that only waits gives its place away and takes one again after. */
export class Places {
  #free: number
  readonly #returning: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
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
  #resting = 0
  #over = false
  /** Called when the place is given away for a while. */
  onRest: () => void = () => {}

  constructor(places: Places) {
    this.#places = places
  }

  /** Gives the place away while `wait` lasts. Waits of one check may overlap. */
  async rest<T>(wait: () => Promise<T>): Promise<T> {
    if (this.#over) return wait()
    if (this.#resting++ === 0) {
      this.#places.leave()
      this.onRest()
    }
    try {
      return await wait()
    } finally {
      if (--this.#resting === 0 && !this.#over) {
        this.#resting += 1
        await this.#places.comeBack()
        this.#resting -= 1
        // The check was ended while it waited for the place: nobody else would give it back.
        if (this.#over) this.#places.leave()
      }
    }
  }

  /** The check is done. */
  end(): void {
    this.#over = true
    if (this.#resting === 0) this.#places.leave()
  }
}
