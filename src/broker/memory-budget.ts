import { Refusal } from './refusals.js'

/** What all that a broker keeps takes, in bytes, against what it may take. */
export class MemoryBudget {
  #used = 0
  #remembered = 0

  /** @param limit in bytes */
  constructor(private readonly limit: number) {}

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
    const { limit } = this
    if (this.#used + bytes > limit) throw new Refusal('out-of-memory', undefined, { limit })
  }

  /** A share for a memory that forgets its oldest entries when they take more. */
  share(part: number): { readonly most: number; readonly changed: (by: number) => void } {
    const changed = (by: number) => {
      this.#used += by
      this.#remembered += by
    }
    return { most: part * this.limit, changed }
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
}
