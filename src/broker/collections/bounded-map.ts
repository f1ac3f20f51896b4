/** What the entries of a {@link BoundedMap} weigh. */
export interface Weight {
  readonly of: (key: string) => number
  /** How much they may weigh together. */
  readonly most: number
  /** Is told by how much they now weigh more, or less. */
  readonly changed: (by: number) => void
}

/** How many keys stand together in the row of their coming. */
const CHUNK = 512
/** How many maps the entries are spread over: one of a million is rebuilt when it grows, which nobody should wait for. */
const SHARDS = 32

/** A map that remembers so many keys; when one more comes, the ones set first are forgotten. */
export class BoundedMap<V> {
  readonly #shards = Array.from({ length: SHARDS }, () => new Map<string, V>())
  #size = 0
  /**
   * The keys in the order of their coming. The map's own order would do, but a map that is emptied at its front walks
   * over all the empty places each time it is asked for its first key.
   */
  readonly #chunks: string[][] = []
  /** How many of the first chunk are forgotten. */
  #forgotten = 0
  #heaviness = 0
  readonly #limit: number
  readonly #weight: Weight | undefined

  /**
   * @param limit how many keys are remembered; 0 remembers nothing
   * @param weight bounds them by their weight too
   */
  constructor(limit: number, weight?: Weight) {
    this.#limit = limit
    this.#weight = weight
  }

  get size(): number {
    return this.#size
  }

  get(key: string): V | undefined {
    return this.#shard(key).get(key)
  }

  has(key: string): boolean {
    return this.#shard(key).has(key)
  }

  /** A key that is known keeps its age: setting it again does not make it younger. */
  set(key: string, value: V): void {
    if (this.#limit === 0) return
    const shard = this.#shard(key)
    const known = shard.size
    shard.set(key, value)
    if (shard.size === known) return
    this.#size++
    const last = this.#chunks.at(-1)
    if (last === undefined || last.length === CHUNK) this.#chunks.push([key])
    else last.push(key)
    if (this.#weight === undefined) {
      if (this.#size > this.#limit) this.#forgetFirst()
      return
    }
    this.#add(this.#weight.of(key))
    while (this.#size > this.#limit || this.#heaviness > this.#weight.most) {
      this.#add(-this.#weight.of(this.#forgetFirst()))
    }
  }

  #forgetFirst(): string {
    const [first] = this.#chunks as [string[]]
    const key = first[this.#forgotten++] as string
    this.#shard(key).delete(key)
    this.#size--
    if (this.#forgotten === first.length) {
      this.#chunks.shift()
      this.#forgotten = 0
    }
    return key
  }

  #shard(key: string): Map<string, V> {
    let mixed = key.length
    // The end of a key is what differs.
    for (let index = Math.max(0, key.length - 8); index < key.length; index++) {
      mixed = (Math.imul(mixed, 31) + key.charCodeAt(index)) | 0
    }
    return this.#shards[(mixed ^ (mixed >>> 15)) & (SHARDS - 1)] as Map<string, V>
  }

  #add(by: number): void {
    this.#heaviness += by
    this.#weight?.changed(by)
  }
}
