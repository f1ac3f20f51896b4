import { Refusal } from './refusals.js'

/** What all that a broker keeps takes, in bytes, against what it may take. */
export class MemoryBudget {
  readonly #limit: number
  #used = 0
  #remembered = 0

  /** @param limit in bytes */
  constructor(limit: number) {
    this.#limit = limit
  }

  get used(): number {
    return this.#used
  }

  /**
   * Refuses what does not fit, before anything of it happens.
   *
   * @throws Refusal `out-of-memory`
   */
  // clause: limits.memory
  check(bytes: number): void {
    if (this.#used + bytes > this.#limit)
      throw new Refusal('out-of-memory', undefined, { limit: this.#limit })
  }

  /** A share for a memory that forgets its oldest entries when they take more. */
  share(part: number): { readonly most: number; readonly changed: (by: number) => void } {
    return { most: part * this.#limit, changed: (by) => this.#remember(by) }
  }

  /** Of {@link used}, what such memories take. */
  get remembered(): number {
    return this.#remembered
  }

  take(bytes: number): void {
    this.#used += bytes
  }

  free(bytes: number): void {
    this.#used -= bytes
  }

  #remember(by: number): void {
    this.#used += by
    this.#remembered += by
  }
}
