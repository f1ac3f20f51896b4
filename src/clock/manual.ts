import type { Clock } from './clock.js'
import { LATEST } from './spans.js'
import { Timers } from './timers.js'

/** Where a manual clock stands unless it is told: 2000-01-01T00:00:00Z, a date that is plainly not today's. */
const START = Date.UTC(2000, 0, 1)

/**
 * A clock that stands still until it is told to go on.
 *
 * @example
 * ```ts
 * const clock = new ManualClock(0)
 * clock.advance(30_000)
 * clock.now()    // 30000
 * ```
 */
export class ManualClock implements Clock {
  readonly #timers = new Timers()
  readonly #start: number
  #now: number

  /**
   * @param start where it stands first, in milliseconds since the epoch
   * @throws RangeError when that is no whole number, before 1970 or behind the year 9998
   */
  constructor(start: number = START) {
    if (!Number.isInteger(start) || start < 0 || start > LATEST) {
      throw new RangeError(`a clock starts at 0 to ${LATEST}, in whole milliseconds, not at ${start}`)
    }
    this.#start = start
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  /** When something is due next, in milliseconds since the epoch; undefined when nothing is. */
  get nextDue(): number | undefined {
    return this.#timers.earliest
  }

  /** Goes back to where it stood first. What depends on it must let go of it in the same turn. */
  restart(): void {
    this.#now = this.#start
  }

  at(due: number, task: () => void): () => void {
    return this.#timers.add(due, task)
  }

  /**
   * Goes on by `milliseconds`, and runs everything that falls due on the way, in the order of its due times:
   * each task sees the time at which it was due, and what it sets for within the span runs in the same call.
   *
   * @throws RangeError when `milliseconds` is negative or no whole number, since time neither goes back nor by
   * parts, or when it leads beyond the year 9998: what begins then must end at a date that a feed can tell
   */
  advance(milliseconds: number): void {
    if (!Number.isInteger(milliseconds) || milliseconds < 0) {
      throw new RangeError(`a clock is advanced by 0 or more whole milliseconds, not by ${milliseconds}`)
    }
    const target = this.#now + milliseconds
    if (target > LATEST) throw new RangeError(`${milliseconds} milliseconds lead beyond the year 9998`)
    while (this.runNext(target));
    this.#now = Math.max(this.#now, target)
  }

  /**
   * Goes on to what is due next, and runs just that.
   *
   * @param until milliseconds since the epoch
   * @returns whether something was due by then
   */
  runNext(until: number): boolean {
    const due = this.#timers.earliest
    if (due === undefined || due > until) return false
    // A due time may lie between two milliseconds; the time never does.
    this.#now = Math.max(this.#now, Math.ceil(due))
    this.#timers.takeDue(this.#now)?.()
    return true
  }
}
