/** Lets only so many go on at once, in the order in which they came; all of them until a number is said. */
export class Turns {
  #free = Number.POSITIVE_INFINITY
  readonly #waiting: (() => void)[] = []

  /** @param most said before the first of them begins */
  limit(most: number): void {
    this.#free = most
  }

  async take<T>(go: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await go()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}
