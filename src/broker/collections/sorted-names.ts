/** How many names stand together at most; twice as many are split. */
const CHUNK = 256

/** What stands under a name. */
export interface Named {
  readonly segment: string
}

/**
 * Things kept in the order of their names' code units, so that a listing can go on behind any name. They stand in
 * chunks, since one that came into one long array would move half of all the others.
 */
export class SortedNames<T extends Named> {
  /** In order, none of them empty. */
  readonly #chunks: T[][] = []

  /** None of this name may be there yet. */
  add(item: T): void {
    const at = this.#chunkOf(item.segment)
    const chunk = this.#chunks[at]
    if (chunk === undefined) {
      this.#chunks.push([item])
      return
    }
    chunk.splice(find(chunk, item.segment), 0, item)
    if (chunk.length >= 2 * CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(CHUNK))
  }

  /** One of this name must be there. */
  delete(name: string): void {
    const at = this.#chunkOf(name)
    const chunk = this.#chunks[at] as T[]
    chunk.splice(find(chunk, name), 1)
    if (chunk.length === 0) this.#chunks.splice(at, 1)
  }

  /** Those behind a name, whether or not it is there itself. They must not change meanwhile. */
  *after(name: string): Generator<T> {
    for (let at = this.#chunkOf(name); at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at] as T[]
      let index = find(chunk, name)
      if (chunk[index]?.segment === name) index++
      for (; index < chunk.length; index++) yield chunk[index] as T
    }
  }

  /** Index of the chunk that a name stands in, or would: the last that begins with it or before it, or the first. */
  #chunkOf(name: string): number {
    let low = 0
    let high = this.#chunks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const [first] = this.#chunks[middle] as [T]
      if (first.segment <= name) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }
}

/** Index of the first one whose name is not below the one given. */
function find(items: readonly Named[], name: string): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((items[middle] as Named).segment < name) low = middle + 1
    else high = middle
  }
  return low
}
