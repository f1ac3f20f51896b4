/** What the entries of a {@link BoundedMap} weigh. */
export interface Weight<K> {
  readonly of: (key: K) => number
  /** How much they may weigh together. */
  readonly most: number
  /** Is told by how much they now weigh more, or less. */
  readonly changed: (by: number) => void
}

/** How many keys stand together in the row of their coming. */
const CHUNK = 512

/** A map that remembers so many keys; when one more comes, the ones set first are forgotten. */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>()
  /**
   * The keys in the order of their coming. The map's own order would do, but a map that is emptied at its front walks
   * over all the empty places each time it is asked for its first key.
   */
  readonly #chunks: K[][] = []
  /** How many of the first chunk are forgotten. */
  #forgotten = 0
  #heaviness = 0
  readonly #limit: number
  readonly #weight: Weight<K> | undefined

  /**
   * @param limit how many keys are remembered; 0 remembers nothing
   * @param weight bounds them by their weight too
   */
  constructor(limit: number, weight?: Weight<K>) {
    this.#limit = limit
    this.#weight = weight
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
    const size = this.#entries.size
    this.#entries.set(key, value)
    if (this.#entries.size === size) return
    const last = this.#chunks.at(-1)
    if (last === undefined || last.length === CHUNK) this.#chunks.push([key])
    else last.push(key)
    if (this.#weight === undefined) {
      if (size === this.#limit) this.#forgetFirst()
      return
    }
    this.#add(this.#weight.of(key))
    while (this.#entries.size > this.#limit || this.#heaviness > this.#weight.most) {
      this.#add(-this.#weight.of(this.#forgetFirst()))
    }
  }

  #forgetFirst(): K {
    const [first] = this.#chunks as [K[]]
    const key = first[this.#forgotten++] as K
    this.#entries.delete(key)
    if (this.#forgotten === first.length) {
      this.#chunks.shift()
      this.#forgotten = 0
    }
    return key
  }

  #add(by: number): void {
    this.#heaviness += by
    this.#weight?.changed(by)
  }
}
