import type { Clock } from '../../clock/clock.js'
import { ManualClock } from '../../clock/manual.js'
import { LATEST } from '../../clock/spans.js'
import { Problem } from '../../http/problems.js'
import type { Scheduler } from '../../http/scheduler.js'
import { nextTurn } from '../../platform/next-turn.js'
import { readWhole } from '../input/read.js'

/** How long what is due at one time happens before others have a turn, in milliseconds. */
const SLICE = 5

/**
 * What a clock shows: plain JSON.
 *
 * @example
 * ```ts
 * const { now, time, manual }: ClockState = mq.clock.state()
 * ```
 */
export interface ClockState {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The same as a date (RFC 3339). */
  readonly time: string
  /** Whether it goes on only when it is told to. */
  readonly manual: boolean
}

/** The clock of one server. */
export class ClockControl {
  /** The advance that was asked for last: they happen one after the other. */
  #last: Promise<void> = Promise.resolve()
  /** Counts resets: an advance that is under way ends with one. */
  #epoch = 0
  #closed: Problem | undefined

  /** @param onAdvance is called when time has gone on and everything that was due has happened */
  constructor(
    private readonly clock: Clock,
    private readonly scheduler: Scheduler,
    private readonly onAdvance: () => void,
  ) {}

  now(): number {
    return this.clock.now()
  }

  state(): ClockState {
    const now = this.clock.now()
    return { now, time: new Date(now).toISOString(), manual: this.clock instanceof ManualClock }
  }

  /** See {@link ServerClock.advance}: who waited for what falls due is answered before the next falls due. */
  async advance(milliseconds: number): Promise<void> {
    if (this.#closed !== undefined) throw this.#closed
    const clock = this.clock
    if (!(clock instanceof ManualClock)) {
      throw new Problem(
        'real-time',
        'This server runs on real time; start it with clock: "manual" to advance it.',
      )
    }
    readWhole({ value: milliseconds, at: 'advance' }, 0, LATEST - clock.now())
    const epoch = this.#epoch
    const before = this.#last
    const advanced = before.then(() =>
      epoch === this.#epoch ? this.#advance(clock, milliseconds) : undefined,
    )
    // What a task of somebody's own throws is the business of the advance that ran it, and of no later one.
    this.#last = advanced.catch(() => {})
    return advanced
  }

  /** Sets a manual clock back to its start; real time stays what it is. */
  reset(): void {
    this.#epoch++
    if (this.clock instanceof ManualClock) this.clock.restart()
  }

  /** Time stands still from now on. @param refusal why */
  close(refusal: Problem): void {
    this.#closed = refusal
  }

  async #advance(clock: ManualClock, milliseconds: number): Promise<void> {
    const epoch = this.#epoch
    const target = Math.min(clock.now() + milliseconds, LATEST)
    for (let due = clock.nextDue; due !== undefined && due <= target; due = clock.nextDue) {
      const until = performance.now() + SLICE
      while (performance.now() < until && clock.runNext(due));
      await this.settled()
      if (epoch !== this.#epoch) return
    }
    clock.advance(target - clock.now())
    this.onAdvance()
    await this.settled()
  }

  /** When everything that follows from what has happened by now has happened, as far as no client has a part in it. */
  async settled(): Promise<void> {
    do await new Promise<void>((resolve) => nextTurn(resolve))
    while (this.scheduler.hasWoken)
  }
}
