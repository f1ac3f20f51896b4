import { type Linked, LinkedList } from '../broker/collections/linked-list.js'

/** What has its turn by kinds; within a kind by kinds of its own. */
export class RoundRobin<T extends Linked<T>> {
  /** The kind that comes next is the first. */
  readonly #kinds = new Map<string, RoundRobin<T>>()
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
    let others = this.#kinds.get(kind)
    if (others === undefined) {
      others = new RoundRobin()
      this.#kinds.set(kind, others)
    }
    others.add(item, further)
  }

  /** Takes out what comes next, of which there must be some. */
  take(): T {
    for (const [kind, others] of this.#kinds) {
      const item = others.take()
      this.#kinds.delete(kind)
      if (!others.empty) this.#kinds.set(kind, others)
      return item
    }
    const item = this.#items.first!
    this.#items.remove(item)
    return item
  }
}
