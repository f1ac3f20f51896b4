/** A map that remembers so many keys; when one more comes, the one set first is forgotten. */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>()
  /**
   * The keys in the order of their coming, as a ring once the limit is reached. The map's own order would do, but a
   * map that is emptied at its front walks over all the empty places each time it is asked for its first key.
   */
  #ring: K[] = []
  #oldest = 0
  readonly #limit: number

  /** @param limit how many keys are remembered; 0 remembers nothing */
  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)
  }

  has(key: K): boolean {
    return this.#entries.has(key)
  }

  /** A key that is known keeps its age: setting it again does not make it younger. */
  set(key: K, value: V): void {
    if (this.#limit === 0) return
    if (this.#entries.has(key)) {
      this.#entries.set(key, value)
    } else if (this.#ring.length < this.#limit) {
      this.#ring.push(key)
      this.#entries.set(key, value)
    } else {
      this.#entries.delete(this.#ring[this.#oldest] as K)
      this.#entries.set(key, value)
      this.#ring[this.#oldest] = key
      this.#oldest = (this.#oldest + 1) % this.#limit
    }
  }
}
