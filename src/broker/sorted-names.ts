/** A set of names kept in the order of their code units, so that a listing can go on behind any name. */
export class SortedNames {
  readonly #names: string[] = []

  /** The name must not be there yet. */
  add(name: string): void {
    this.#names.splice(this.#find(name), 0, name)
  }

  /** The name must be there. */
  delete(name: string): void {
    this.#names.splice(this.#find(name), 1)
  }

  /** The names behind one, whether or not it is there itself. The set must not change meanwhile. */
  *after(name: string): Generator<string> {
    let index = this.#find(name)
    if (this.#names[index] === name) index++
    for (; index < this.#names.length; index++) yield this.#names[index] as string
  }

  /** Index of the first name that is not below the one given. */
  #find(name: string): number {
    let low = 0
    let high = this.#names.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#names[middle] as string) < name) low = middle + 1
      else high = middle
    }
    return low
  }
}
