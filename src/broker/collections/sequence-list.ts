/** What stands in a {@link SequenceList}: its number never changes, and no other has it. */
export interface Numbered {
  readonly sequence: number
}

/** How many stand together at most. */
const CHUNK = 128

/**
 * A list sorted by number, in which items are added, deleted and found at any place. It consists of chunks, so that no
 * operation moves more than a chunk.
 */
export class SequenceList<T extends Numbered> {
  /** In order, none of them empty; neighbours that fit into one together, and leave room, are one. */
  #chunks: T[][] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  get first(): T | undefined {
    return this.#chunks[0]?.[0]
  }

  /** The item must not be there yet. At the end, where most join, it costs least. */
  add(item: T): void {
    this.#size++
    const last = this.#chunks.at(-1)
    if (last === undefined || item.sequence > (last.at(-1) as T).sequence) {
      if (last !== undefined && last.length < CHUNK) last.push(item)
      else this.#chunks.push([item])
      return
    }
    const at = this.#chunkOf(item.sequence)
    const chunk = this.#chunks[at] as T[]
    chunk.splice(indexIn(chunk, item.sequence), 0, item)
    if (chunk.length > CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(CHUNK / 2))
  }

  /** @returns whether it was there */
  delete(item: T): boolean {
    const at = this.#chunkOf(item.sequence)
    const chunk = this.#chunks[at]
    if (chunk === undefined) return false
    const index = indexIn(chunk, item.sequence)
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

  /** The first one whose number is not below the one given. */
  at(sequence: number): T | undefined {
    const at = this.#chunkOf(sequence)
    const chunk = this.#chunks[at]
    if (chunk === undefined) return undefined
    return chunk[indexIn(chunk, sequence)] ?? this.#chunks[at + 1]?.[0]
  }

  /** Those from a number on, in order. The list must not change meanwhile. */
  *from(sequence: number): Generator<T, void> {
    for (let at = this.#chunkOf(sequence); at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at] as T[]
      for (let index = indexIn(chunk, sequence); index < chunk.length; index++) yield chunk[index] as T
    }
  }

  [Symbol.iterator](): Iterator<T> {
    return this.from(Number.NEGATIVE_INFINITY)
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

  /** Index of the chunk that a number stands in, or would: the last that begins with it or before it, or the first. */
  #chunkOf(sequence: number): number {
    if (((this.#chunks[1]?.[0] as T | undefined)?.sequence ?? Number.POSITIVE_INFINITY) > sequence) return 0
    let low = 1
    let high = this.#chunks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const [first] = this.#chunks[middle] as [T]
      if (first.sequence <= sequence) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}

/** Index of the first item whose number is not below the one given. */
function indexIn<T extends Numbered>(chunk: readonly T[], sequence: number): number {
  if ((chunk[0]?.sequence ?? sequence) >= sequence) return 0
  let low = 1
  let high = chunk.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((chunk[middle] as T).sequence < sequence) low = middle + 1
    else high = middle
  }
  return low
}
