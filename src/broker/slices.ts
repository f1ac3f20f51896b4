import type { Clock } from '../clock/clock.js'

/** How much work is done at a time, in units of about a microsecond. */
const SLICE = 5_000
/** How much of what is left from before a command does besides its own: so it goes on at a clock that stands still. */
const BESIDES = 500

/** What is left to do of something long. @returns whether it is done */
export type Job = () => boolean

/**
 * Long work in slices, so that no command keeps all others waiting: what one command cannot do within its slice is
 * done bit by bit, by a timer and beside the commands that follow.
 */
export class Slices {
  readonly #clock: Clock
  readonly #runThenWake: (work: () => void) => void
  #jobs: Job[] = []
  #left = SLICE
  #cancelTimer: (() => void) | undefined

  constructor(clock: Clock, runThenWake: (work: () => void) => void) {
    this.#clock = clock
    this.#runThenWake = runThenWake
  }

  /** Whether the slice is used up: who is at work stops, and leaves the rest as a job. */
  get over(): boolean {
    return this.#left <= 0
  }

  /** Whether something is left to do. */
  get busy(): boolean {
    return this.#jobs.length > 0
  }

  /** Work was done: so many units of a microsecond. */
  spend(units: number): void {
    this.#left -= units
  }

  /** A command begins: it has a slice of its own. */
  begin(): void {
    this.#left = SLICE
  }

  /** Begins something long, which goes on until it is done. */
  add(job: Job): void {
    if (!job()) this.#jobs.push(job)
  }

  /** A command is over: goes on with what is left. */
  end(): void {
    if (this.#jobs.length === 0) return
    this.#left = Math.min(this.#left, BESIDES)
    this.#goOn()
  }

  /** Forgets what is left to do. */
  clear(): void {
    this.#jobs = []
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
  }

  #goOn(): void {
    const jobs = this.#jobs
    this.#jobs = []
    const left = jobs.filter((job) => this.over || !job())
    // What was begun meanwhile comes behind.
    this.#jobs = [...left, ...this.#jobs]
    if (this.#jobs.length === 0 || this.#cancelTimer !== undefined) return
    this.#cancelTimer = this.#clock.at(this.#clock.now(), () => {
      this.#cancelTimer = undefined
      // A command without work of its own: all of the slice is for what is left.
      this.#runThenWake(() => this.#goOn())
    })
  }
}
