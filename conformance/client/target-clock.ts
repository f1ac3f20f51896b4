import { answered } from './answered.js'
import { type Exchange, succeeded } from './exchange.js'
import { Inconclusive } from './findings.js'
import type { Profile } from './profile.js'
import type { RunClock } from './run-clock.js'
import type { Target } from './target.js'

/** One check's hold of the target's clock. */
export interface ClockHold {
  /**
   * Resolves when this much time has passed for the target, or its clock could not be moved. No time passes while any
   * check is neither waiting here nor done; one with several waits at once is waiting until all of them are over.
   *
   * @returns the requests by which the clock was moved meanwhile; the last one may have been refused
   */
  elapse(milliseconds: number): Promise<readonly Exchange[]>
  /** The check is done: what it waits for is not waited for any longer. */
  release(): void
}

/** Remembers the requests by which a target's clock was moved. @throws {Inconclusive} where the last one was refused */
export function noteMoves(profile: Profile, exchanges: Exchange[], moves: readonly Exchange[]): void {
  exchanges.push(...moves)
  const last = moves.at(-1)!
  if (succeeded(last)) return
  const { method, path } = profile.clock!.advance
  throw new Inconclusive(
    `the target's clock could not be advanced: ${method} ${path} gave ${answered(last)}`,
    'clock',
  )
}

/** Asks a target that offers its clock to move it. */
export function moveClock(target: Target, profile: Profile, milliseconds: number): Promise<Exchange> {
  const { method, path, headers, body } = profile.clock!.advance
  return target.request(method, target.at(path), {
    headers: { ...headers },
    body: body.replaceAll('{ms}', String(milliseconds)),
  })
}

/** Part of a lease by which a check may be woken late, as real timers do, to go on together with another. */
const SLACK = 0.05

interface Wait {
  /** Milliseconds that the clock must have been moved by in all. */
  readonly due: number
  readonly moves: Exchange[]
  readonly wake: () => void
}

/**
 * The clock of a target that offers one, shared by checks that run side by side. It stands still while any of them is
 * about something, and when all of them wait it goes on to the moment that the first of them waits for: so each sees as
 * much time pass as it asked for, as if it were alone.
 */
export class TargetClock {
  readonly #profile: Profile
  readonly #target: Target
  readonly #clock: RunClock
  readonly #slack: number
  readonly #waits = new Set<Wait>()
  #busy = 0
  #moved = 0
  #moving: Promise<void> | undefined

  /** @param lease the lease that checks work with, in milliseconds */
  constructor(profile: Profile, target: Target, clock: RunClock, lease: number) {
    this.#profile = profile
    this.#target = target
    this.#clock = clock
    this.#slack = SLACK * lease
  }

  /** Holds the clock for a check that begins; where it is being moved, when that is done. */
  async hold(): Promise<ClockHold> {
    while (this.#moving) await this.#moving
    this.#busy += 1
    const own = new Set<Wait>()
    return {
      elapse: (milliseconds) =>
        new Promise((resolve) => {
          if (own.size === 0) this.#letGo()
          const moves: Exchange[] = []
          const due = this.#moved + Math.ceil(milliseconds)
          const wait = {
            due,
            moves,
            wake: () => {
              if (own.size === 1) this.#busy += 1
              own.delete(wait)
              resolve(moves)
            },
          }
          own.add(wait)
          this.#waits.add(wait)
        }),
      release: () => {
        if (own.size === 0) this.#letGo()
        for (const wait of own) this.#waits.delete(wait)
      },
    }
  }

  #letGo(): void {
    this.#busy -= 1
    // The end of a check may begin another, which then has the clock before it goes on.
    if (this.#busy === 0) setTimeout(() => this.#goOn())
  }

  #goOn(): void {
    if (this.#busy > 0 || this.#moving || this.#waits.size === 0) return
    this.#moving = this.#moveToNext().finally(() => {
      this.#moving = undefined
      if (this.#busy === 0) this.#goOn()
    })
  }

  async #moveToNext(): Promise<void> {
    const dues = [...this.#waits].map(({ due }) => due)
    const first = Math.min(...dues)
    const until = Math.max(...dues.filter((due) => due <= first + this.#slack))
    const step = until - this.#moved
    const answer = await moveClock(this.#target, this.#profile, step)
    const done = succeeded(answer)
    const move = done ? { ...answer, advanced: step } : answer
    if (done) {
      this.#moved = until
      this.#clock.advance(step)
    }
    for (const wait of [...this.#waits]) {
      wait.moves.push(move)
      if (done && wait.due > until) continue
      this.#waits.delete(wait)
      wait.wake()
    }
  }
}
