/** The time of a run: monotonic milliseconds, with what the kit advanced the target's clock by. */
export class RunClock {
  #advanced = 0

  /** An arrow, so that it can be handed on alone. */
  readonly now = (): number => performance.now() + this.#advanced

  /** The target's clock went on by so many milliseconds at once. */
  advance(milliseconds: number): void {
    this.#advanced += milliseconds
  }
}
