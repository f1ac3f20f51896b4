/** What is told to those who watch: what happened, the facts as plain data, and the number of an exchange. */
type Listener = (event: BusEvent, data: object, number?: number) => void

/**
 * `exchange`: one more in the journal; `clear`: it was emptied; `clock`: it went on; `faults`: the list is another;
 * `state`: the broker is another, and no exchange tells of it; `reset`: nothing is left.
 */
export type BusEvent = 'exchange' | 'clear' | 'clock' | 'faults' | 'state' | 'reset'

/** Tells everybody who watches the server, and costs nothing while nobody does. */
export class EventBus {
  /** Those who watch, with what ends the watching of each. */
  readonly #watchers = new Map<Listener, () => void>()

  get size(): number {
    return this.#watchers.size
  }

  /**
   * @param end is called when the server stops
   * @returns ends it
   */
  watch(listener: Listener, end: () => void = () => {}): () => void {
    this.#watchers.set(listener, end)
    return () => void this.#watchers.delete(listener)
  }

  publish(event: BusEvent, data: object, number?: number): void {
    for (const listener of this.#watchers.keys()) listener(event, data, number)
  }

  close(): void {
    for (const end of [...this.#watchers.values()]) end()
  }
}
