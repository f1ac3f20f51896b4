/**
 * A set of small whole numbers that knows the neighbours of any number: bits in words of 32, above them a bit for
 * each word that is not empty, and so on up. Every operation takes as many steps as there are levels: four for a
 * million numbers.
 */
export class IndexSet {
  /** Levels from the bottom up; the top one has one word. */
  #levels: number[][] = [[0]]

  add(index: number): void {
    while (index >= this.#capacity) this.#grow()
    let at = index
    for (const words of this.#levels) {
      const word = at >>> 5
      while (words.length <= word) words.push(0)
      words[word] = (words[word] as number) | (1 << (at & 31))
      at = word
    }
  }

  delete(index: number): void {
    let at = index
    for (const words of this.#levels) {
      const word = at >>> 5
      if (word >= words.length) return
      words[word] = (words[word] as number) & ~(1 << (at & 31))
      if (words[word] !== 0) return
      at = word
    }
  }

  clear(): void {
    this.#levels = [[0]]
  }

  /** The largest number below the one given. */
  before(index: number): number | undefined {
    if (index >= this.#capacity) return this.#last(this.#levels.length - 1, 0)
    let at = index
    for (const [level, words] of this.#levels.entries()) {
      const below = (words[at >>> 5] ?? 0) & ((1 << (at & 31)) - 1)
      if (below !== 0) return this.#last(level - 1, ((at >>> 5) << 5) | highest(below))
      at >>>= 5
    }
    return undefined
  }

  /** The smallest number that is not below the one given. */
  from(index: number): number | undefined {
    if (index >= this.#capacity) return undefined
    let at = index
    for (const [level, words] of this.#levels.entries()) {
      // On the bottom level the number itself counts; above, what is below its word was looked at.
      const shift = level === 0 ? at & 31 : (at & 31) + 1
      const rest = shift === 32 ? 0 : (words[at >>> 5] ?? 0) & (-1 << shift)
      if (rest !== 0) return this.#first(level - 1, ((at >>> 5) << 5) | lowest(rest))
      at >>>= 5
    }
    return undefined
  }

  get #capacity(): number {
    return 32 ** this.#levels.length
  }

  #grow(): void {
    const top = this.#levels.at(-1)?.[0]
    this.#levels.push([top === 0 ? 0 : 1])
  }

  /** The largest number below a word of a level; undefined when the word is empty, which only the top one may be. */
  #last(level: number, word: number): number | undefined {
    let at = word
    for (let below = level; below >= 0; below--) {
      const bits = this.#levels[below]?.[at] as number
      if (bits === 0) return undefined
      at = (at << 5) | highest(bits)
    }
    return at
  }

  #first(level: number, word: number): number {
    let at = word
    for (let below = level; below >= 0; below--) at = (at << 5) | lowest(this.#levels[below]?.[at] as number)
    return at
  }
}

function highest(bits: number): number {
  return 31 - Math.clz32(bits)
}

function lowest(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}
