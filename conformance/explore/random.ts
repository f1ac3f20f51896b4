/** Numbers that depend on a seed alone (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** The numbers of one run of several with the same seed: each run has its own. */
  static ofRun(seed: number, run: number): Random {
    return new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(run + 1, 0x85ebca6b))
  }

  /** From 0 to below `end`, whole. */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end)
  }

  /** True in one of so many cases. */
  oneIn(cases: number): boolean {
    return this.below(cases) === 0
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!
  }

  /** So many of several at most, in any order. */
  some<T>(from: readonly T[], most: number): T[] {
    const left = [...from]
    const drawn = Math.min(most, left.length)
    return Array.from({ length: drawn }, () => left.splice(this.below(left.length), 1)[0]!)
  }

  /** One of several, each as likely as its weight says. */
  weighted<T>(choices: readonly (readonly [weight: number, value: T])[]): T {
    let left = this.below(choices.reduce((sum, [weight]) => sum + weight, 0))
    for (const [weight, value] of choices) {
      left -= weight
      if (left < 0) return value
    }
    throw new Error('nothing to choose from')
  }
}
