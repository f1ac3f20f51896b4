import type { Clock } from './clock.js'
import { Timers } from './timers.js'

/** Where a manual clock stands unless it is told: 2000-01-01T00:00:00Z, a date that is plainly not today's. */
const START = Date.UTC(2000, 0, 1)

/** A clock that stands still until it is told to go on. */
export class ManualClock implements Clock {
  readonly #timers = new Timers()
  #now: number

  /** @param start where it stands first, in milliseconds since the epoch */
  constructor(start: number = START) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  at(due: number, task: () => void): () => void {
    return this.#timers.add(due, task)
  }

  /**
   * Goes on by `milliseconds`, and runs everything that falls due on the way, in the order of its due times:
   * each task sees the time at which it was due, and what it sets for within the span runs in the same call.
   *
   * @throws RangeError when `milliseconds` is negative or no finite number: time never goes back
   */
  advance(milliseconds: number): void {
    if (!Number.isFinite(milliseconds) || milliseconds < 0) {
      throw new RangeError(`a clock is advanced by 0 or more milliseconds, not by ${milliseconds}`)
    }
    const target = this.#now + milliseconds
    for (;;) {
      const due = this.#timers.earliest
      if (due === undefined || due > target) break
      this.#now = Math.max(this.#now, due)
      this.#timers.takeDue(this.#now)?.()
    }
    this.#now = Math.max(this.#now, target)
  }
}
