/** The time of a run: monotonic milliseconds, with what the kit advanced the target's clock by. */
export class RunClock {
  readonly #start = performance.now()
  #advanced = 0

  /** An arrow, so that it can be handed on alone. */
  readonly now = (): number => performance.now() + this.#advanced

  /** What has surely passed for a target whose clock only the kit moves: it stands still while the kit works. */
  readonly least = (): number => this.#start + this.#advanced

  /** The target's clock went on by so many milliseconds at once. */
  advance(milliseconds: number): void {
    this.#advanced += milliseconds
  }
}
