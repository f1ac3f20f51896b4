import { type Content, costOf, type Message } from './message.js'
import { Refusal } from './refusals.js'

/** What messages take, in bytes, against what they may take. */
export class MemoryBudget {
  readonly #limit: number
  #used = 0

  /** @param limit in bytes */
  constructor(limit: number) {
    this.#limit = limit
  }

  get used(): number {
    return this.#used
  }

  /**
   * Refuses a message before anything of its send happens.
   *
   * @throws Refusal `out-of-memory`
   */
  check(content: Content): void {
    if (this.#used + costOf(content) > this.#limit) {
      throw new Refusal('out-of-memory', undefined, { limit: this.#limit })
    }
  }

  take(message: Message): void {
    this.#used += message.cost
  }

  free(message: Message): void {
    this.#used -= message.cost
  }
}
