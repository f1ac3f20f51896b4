/** How many stand together at most. */
const CHUNK = 128

/**
 * A list sorted by a key that is each item's own and never changes. Items are added, deleted and found at any place. It consists
 * of chunks, so that no operation moves more than a chunk.
 */
export class SortedList<K extends number | string, T> {
  /** In order, none of them empty; neighbours that fit into one together, and leave room, are one. */
  #chunks: T[][] = []
  #size = 0

  constructor(private readonly keyOf: (item: T) => K) {}

  get size(): number {
    return this.#size
  }

  get first(): T | undefined {
    return this.#chunks[0]?.[0]
  }

  /** The item must not be there yet. At the end, where most join, it costs least. */
  add(item: T): void {
    this.#size++
    const key = this.keyOf(item)
    const last = this.#chunks.at(-1)
    if (last === undefined || key > this.keyOf(last.at(-1) as T)) {
      if (last !== undefined && last.length < CHUNK) last.push(item)
      else this.#chunks.push([item])
      return
    }
    const at = this.#chunkOf(key)
    const chunk = this.#chunks[at] as T[]
    chunk.splice(this.#indexIn(chunk, key), 0, item)
    if (chunk.length > CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(CHUNK / 2))
  }

  /** @returns whether it was there */
  delete(item: T): boolean {
    const key = this.keyOf(item)
    const at = this.#chunkOf(key)
    const chunk = this.#chunks[at]
    if (chunk === undefined) return false
    const index = this.#indexIn(chunk, key)
    if (chunk[index] !== item) return false
    this.#size--
    if (index === 0) chunk.shift()
    else chunk.splice(index, 1)
    if (chunk.length === 0) this.#removeChunk(at)
    else if (chunk.length <= CHUNK / 4) this.#merge(at)
    return true
  }

  clear(): void {
    this.#chunks = []
    this.#size = 0
  }

  /** The first one whose key is not below the one given. */
  at(key: K): T | undefined {
    const at = this.#chunkOf(key)
    const chunk = this.#chunks[at]
    if (chunk === undefined) return undefined
    return chunk[this.#indexIn(chunk, key)] ?? this.#chunks[at + 1]?.[0]
  }

  /** Those from a key on, in order. The list must not change meanwhile. */
  *from(key: K): Generator<T, void> {
    for (let at = this.#chunkOf(key); at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at] as T[]
      for (let index = this.#indexIn(chunk, key); index < chunk.length; index++) yield chunk[index] as T
    }
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const chunk of this.#chunks) yield* chunk
  }

  #removeChunk(at: number): void {
    if (at === 0) this.#chunks.shift()
    else this.#chunks.splice(at, 1)
  }

  /** Joins a small chunk to the one before it, else to the one after it, where that has room: few that stay take no chunk each. */
  #merge(at: number): void {
    for (const left of [at - 1, at]) {
      const [first, second] = [this.#chunks[left], this.#chunks[left + 1]]
      if (first === undefined || second === undefined || first.length + second.length > CHUNK / 2) continue
      first.push(...second)
      this.#removeChunk(left + 1)
      return
    }
  }

  /** Index of the chunk that a key stands in, or would: the last that begins with it or before it, or the first. */
  #chunkOf(key: K): number {
    let low = 1
    let high = this.#chunks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const [first] = this.#chunks[middle] as [T]
      if (this.keyOf(first) <= key) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  /** Index of the first item whose key is not below the one given. */
  #indexIn(chunk: readonly T[], key: K): number {
    let low = 0
    let high = chunk.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.keyOf(chunk[middle] as T) < key) low = middle + 1
      else high = middle
    }
    return low
  }
}
