/**
 * The time that the interface goes by: leases, the ends of addresses, waits and the dates of feeds. Whatever depends on it is given a
 * clock, so that a test can run all of it without sleeping. What protects the process goes by real time.
 *
 * @example
 * ```ts
 * const clock: Clock = new SystemClock()
 * const cancel = clock.at(clock.now() + 30_000, () => console.log('half a minute later'))
 * cancel()
 * ```
 */
export interface Clock {
  /**
   * Milliseconds since 1970-01-01T00:00Z, as a whole number; never goes back while anything depends on it (a reset
   * of everything may set a manual clock back).
   */
  now(): number
  /**
   * Calls `task` once, when `now()` has reached `due` (milliseconds since the
   * epoch); never before `at` has returned, even when `due` is past. Tasks run
   * in the order of their due times, and among equals in the order in which
   * they were set.
   *
   * @returns cancels the task; harmless when it has run or was cancelled before
   */
  at(due: number, task: () => void): () => void
}
