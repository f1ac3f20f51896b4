/** Of its lease, how much may be used before it is no longer sure that it lasts: a target's timers may be early. */
const SURE = 0.8

/** A lease that a check relies on, as far as the check can know: until when it surely lasts. */
export class LeaseWatch {
  readonly #now: () => number
  /** The latest time at which it has begun for sure. */
  #began: number
  #uncertain = false
  #over = false

  /**
   * @param of whose lease it is, for reports: an address
   * @param length milliseconds
   * @param began when the request that began it was sent
   * @param now the trial's time
   */
  constructor(
    readonly of: string,
    readonly length: number,
    began: number,
    now: () => number,
  ) {
    this.#began = began
    this.#now = now
  }

  /** Its consumer was used: if it may have been over before, nobody knows any longer. */
  used(): void {
    this.#uncertain ||= this.mayHaveEnded()
  }

  /** It began anew with a request that was sent at this time. */
  renewed(at: number): void {
    this.#began = Math.max(this.#began, at)
  }

  /** The check has ended it, and relies on it no more. */
  end(): void {
    this.#over = true
  }

  /** Until when it surely lasts, by the trial's time. */
  get sureUntil(): number {
    if (this.#over) return Number.POSITIVE_INFINITY
    return this.#uncertain ? Number.NEGATIVE_INFINITY : this.#began + SURE * this.length
  }

  /** Whether it may have ended by now, or before one of its uses, without the check's wish. */
  mayHaveEnded(): boolean {
    return this.#now() > this.sureUntil
  }
}
