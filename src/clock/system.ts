import type { Clock } from './clock.js'
import { LONGEST_DELAY } from './spans.js'
import { Timers } from './timers.js'

/** How long tasks that are due run before others have a turn, in milliseconds. */
const SLICE = 5

/** When this process began, by the wall clock of then. */
const ORIGIN = performance.timeOrigin

/**
 * Real time. It starts at the wall clock and goes on by the monotonic one, so that neither a lease nor a date in
 * a feed jumps when somebody sets the machine's time. However many timers wait, one platform timer runs, for
 * the earliest; it does not keep the process alive. Where very many are due at once, they run in slices.
 *
 * @example
 * ```ts
 * const server = await startServer({ clock: new SystemClock() })
 * await server.stop()
 * ```
 */
export class SystemClock implements Clock {
  readonly #timers = new Timers()
  #handle: ReturnType<typeof setTimeout> | undefined
  #armedFor = Number.POSITIVE_INFINITY
  /** While tasks run: the next millisecond. What they set waits until then, or it could starve the event loop. */
  #notBefore = Number.NEGATIVE_INFINITY

  now(): number {
    return Math.floor(ORIGIN + performance.now())
  }

  at(due: number, task: () => void): () => void {
    const soonest = Math.max(due, this.#notBefore)
    const cancel = this.#timers.add(soonest, task)
    if (soonest < this.#armedFor) this.#arm()
    return cancel
  }

  #arm(): void {
    clearTimeout(this.#handle)
    const due = this.#timers.earliest
    this.#armedFor = due ?? Number.POSITIVE_INFINITY
    if (due === undefined) return
    // A longer wait is made of several.
    const delay = Math.min(Math.max(0, due - this.now()), LONGEST_DELAY)
    this.#handle = setTimeout(() => this.#run(), delay)
    this.#handle.unref?.()
  }

  #run(): void {
    const now = this.now()
    this.#notBefore = now + 1
    try {
      const end = performance.now() + SLICE
      for (let task = this.#timers.takeDue(now); task !== undefined; task = this.#timers.takeDue(now)) {
        task()
        if (performance.now() > end) return
      }
    } finally {
      this.#notBefore = Number.NEGATIVE_INFINITY
      this.#arm()
    }
  }
}
