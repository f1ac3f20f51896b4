/** What is told to those who watch: what happened, the facts as plain data, and the number of an exchange. */
type Listener = (event: BusEvent, data: object, number?: number) => void

/**
 * `exchange`: one more in the journal; `clear`: it was emptied; `clock`: it went on; `faults`: the list is another;
 * `state`: the broker is another, and no exchange tells of it; `reset`: nothing is left.
 */
export type BusEvent = 'exchange' | 'clear' | 'clock' | 'faults' | 'state' | 'reset'

/** Tells everybody who watches the server, and costs nothing while nobody does. */
export class EventBus {
  readonly #listeners = new Set<Listener>()

  get watched(): boolean {
    return this.#listeners.size > 0
  }

  /** How many watch. */
  get size(): number {
    return this.#listeners.size
  }

  /** @returns ends it */
  watch(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  publish(event: BusEvent, data: object, number?: number): void {
    for (const listener of this.#listeners) listener(event, data, number)
  }
}
