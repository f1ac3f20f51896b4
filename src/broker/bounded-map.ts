/** A map that remembers so many keys; when one more comes, the one set first is forgotten. */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>()
  readonly #limit: number

  /** @param limit how many keys are remembered; 0 remembers nothing */
  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)
  }

  has(key: K): boolean {
    return this.#entries.has(key)
  }

  /** A key that is known keeps its age: setting it again does not make it younger. */
  set(key: K, value: V): void {
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#limit) return
    const oldest = this.#entries.keys().next()
    if (!oldest.done) this.#entries.delete(oldest.value)
  }

  clear(): void {
    this.#entries.clear()
  }
}
