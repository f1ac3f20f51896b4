/** What the entries of a {@link BoundedMap} weigh. */
export interface Weight {
  readonly of: (key: string) => number
  /** How much they may weigh together. */
  readonly most: number
  /** Is told by how much they now weigh more, or less. */
  readonly changed: (by: number) => void
}

/** How many keys one chunk of a queue of keys has. */
const CHUNK = 512
/** How many maps the entries are spread over: one of a million is rebuilt when it grows, which nobody should wait for. */
const SHARDS = 32
/** How many keys that were kept are looked at when one comes. */
const LOOKS = 2

/**
 * A map that remembers so many keys; when one more comes, the ones set first are forgotten. One that must be kept then
 * stays beside them, beyond the limit, for as long as it must.
 */
export class BoundedMap<V> {
  readonly #shards = Array.from({ length: SHARDS }, () => new Map<string, V>())
  /** The latest keys, as many as the limit says. */
  readonly #latest = new KeyQueue()
  /** Older ones that must be kept. */
  readonly #kept = new KeyQueue()
  /** What the latest weigh. */
  #heaviness = 0

  /**
   * @param limit how many keys are remembered; 0 remembers only what must be kept
   * @param weight bounds them, too
   * @param mustKeep whether a key with this value may not be forgotten yet; none must be kept unless it is given
   */
  constructor(
    private readonly limit: number,
    private readonly weight: Weight,
    private readonly mustKeep: (value: V) => boolean = () => false,
  ) {}

  get size(): number {
    return this.#latest.size + this.#kept.size
  }

  get(key: string): V | undefined {
    return this.#shard(key).get(key)
  }

  has(key: string): boolean {
    return this.#shard(key).has(key)
  }

  /** A key that is known keeps its age: setting it again does not make it younger. */
  set(key: string, value: V): void {
    const shard = this.#shard(key)
    const known = shard.size
    shard.set(key, value)
    if (shard.size === known) return
    this.#latest.append(key)
    const weight = this.weight.of(key)
    this.#heaviness += weight
    this.weight.changed(weight)
    while (this.#latest.size > this.limit || this.#heaviness > this.weight.most) {
      const oldest = this.#latest.takeFirst()
      this.#heaviness -= this.weight.of(oldest)
      this.#keepOrForget(oldest)
    }
    for (let looks = Math.min(LOOKS, this.#kept.size); looks > 0; looks--) {
      this.#keepOrForget(this.#kept.takeFirst())
    }
  }

  #keepOrForget(key: string): void {
    const shard = this.#shard(key)
    if (this.mustKeep(shard.get(key) as V)) {
      this.#kept.append(key)
      return
    }
    shard.delete(key)
    this.weight.changed(-this.weight.of(key))
  }

  #shard(key: string): Map<string, V> {
    let mixed = key.length
    // The end of a key is what differs.
    for (let index = Math.max(0, key.length - 8); index < key.length; index++) {
      mixed = (Math.imul(mixed, 31) + key.charCodeAt(index)) | 0
    }
    return this.#shards[(mixed ^ (mixed >>> 15)) & (SHARDS - 1)] as Map<string, V>
  }
}

/**
 * Keys in the order of their coming. The order of a map would do, but a map that is emptied at its front walks over all
 * the empty places each time it is asked for its first key.
 */
class KeyQueue {
  readonly #chunks: string[][] = []
  /** How many of the first chunk were taken out. */
  #taken = 0
  size = 0

  append(key: string): void {
    this.size++
    const last = this.#chunks.at(-1)
    if (last === undefined || last.length === CHUNK) this.#chunks.push([key])
    else last.push(key)
  }

  /** There must be one. */
  takeFirst(): string {
    const [first] = this.#chunks as [string[]]
    const key = first[this.#taken++] as string
    this.size--
    if (this.#taken === first.length) {
      this.#chunks.shift()
      this.#taken = 0
    }
    return key
  }
}
