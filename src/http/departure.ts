import type { ClientLine } from './exchange.js'

/** Tells those who want to know that a client went away before it had its answer, see `Request.whenGone`. */
export abstract class Departure {
  #callbacks: Set<() => void> | undefined

  /** Whether it is gone. */
  protected abstract get isGone(): boolean

  /** The connection that it came by, where there is one. */
  get line(): ClientLine | undefined {
    return undefined
  }

  /** @returns takes the callback back; harmless when it has run */
  whenGone(callback: () => void): () => void {
    if (this.isGone) {
      let waiting = true
      queueMicrotask(() => {
        if (waiting) callback()
      })
      return () => {
        waiting = false
      }
    }
    // A function of its own: who registers the same callback twice is called twice.
    const call = () => callback()
    this.#callbacks ??= new Set()
    this.#callbacks.add(call)
    return () => this.#callbacks?.delete(call)
  }

  tellGone(): void {
    const callbacks = this.#callbacks
    if (callbacks === undefined) return
    this.#callbacks = undefined
    for (const callback of callbacks) callback()
  }

  /** The client has its answer: nobody is told any more that it is gone. */
  forgetGone(): void {
    this.#callbacks = undefined
  }
}
