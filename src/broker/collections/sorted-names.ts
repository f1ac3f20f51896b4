/** How many names stand together at most; twice as many are split. */
const CHUNK = 256

/**
 * A set of names kept in the order of their code units, so that a listing can go on behind any name. They stand in
 * chunks, since a name that came into one long array would move half of all the others.
 */
export class SortedNames {
  /** In order, none of them empty. */
  readonly #chunks: string[][] = []

  /** The name must not be there yet. */
  add(name: string): void {
    const at = this.#chunkOf(name)
    const chunk = this.#chunks[at]
    if (chunk === undefined) {
      this.#chunks.push([name])
      return
    }
    chunk.splice(find(chunk, name), 0, name)
    if (chunk.length >= 2 * CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(CHUNK))
  }

  /** The name must be there. */
  delete(name: string): void {
    const at = this.#chunkOf(name)
    const chunk = this.#chunks[at] as string[]
    chunk.splice(find(chunk, name), 1)
    if (chunk.length === 0) this.#chunks.splice(at, 1)
  }

  /** The names behind one, whether or not it is there itself. The set must not change meanwhile. */
  *after(name: string): Generator<string> {
    for (let at = this.#chunkOf(name); at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at] as string[]
      let index = find(chunk, name)
      if (chunk[index] === name) index++
      for (; index < chunk.length; index++) yield chunk[index] as string
    }
  }

  /** Index of the chunk that a name stands in, or would: the last that begins with it or before it, or the first. */
  #chunkOf(name: string): number {
    let low = 0
    let high = this.#chunks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#chunks[middle]?.[0] as string) <= name) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }
}

/** Index of the first name that is not below the one given. */
function find(names: readonly string[], name: string): number {
  let low = 0
  let high = names.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((names[middle] as string) < name) low = middle + 1
    else high = middle
  }
  return low
}
