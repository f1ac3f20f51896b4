import { type Linked, LinkedList } from '../broker/collections/linked-list.js'

/** What has its turn by kinds; within a kind by kinds of its own. */
export class Rounds<T extends Linked<T>> {
  /** The kind that comes next is the first. */
  readonly #kinds = new Map<string, Rounds<T>>()
  /** Those of no further kind, in the order in which they came. */
  readonly #items = new LinkedList<T>()

  get empty(): boolean {
    return this.#items.size === 0 && this.#kinds.size === 0
  }

  /** @param kinds the widest first */
  add(item: T, [kind, ...further]: readonly string[]): void {
    if (kind === undefined) {
      this.#items.append(item)
      return
    }
    let rounds = this.#kinds.get(kind)
    if (rounds === undefined) {
      rounds = new Rounds()
      this.#kinds.set(kind, rounds)
    }
    rounds.add(item, further)
  }

  /** Takes out what comes next, of which there must be some. */
  take(): T {
    for (const [kind, rounds] of this.#kinds) {
      const item = rounds.take()
      this.#kinds.delete(kind)
      if (!rounds.empty) this.#kinds.set(kind, rounds)
      return item
    }
    const item = this.#items.first!
    this.#items.remove(item)
    return item
  }
}
