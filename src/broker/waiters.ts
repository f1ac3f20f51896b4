import type { Clock } from '../clock/clock.js'
import { Slices } from './slices.js'

/** Calls a waiter. @param alone whether nobody else is called for the same, so that it must take at once what there is */
export type Wake = (alone: boolean) => void

/**
 * Who waits for what a command changes. They are called when the command is over and the broker is whole again,
 * since each of them may well give the next command. A waiter must not throw: the command has happened, and others
 * wait behind it.
 */
export class Waiters {
  /** What commands leave to be done in slices. */
  readonly slices: Slices
  #due: (() => void)[] = []

  constructor(clock: Clock) {
    this.slices = new Slices(clock, (work) => this.runThenWake(work))
  }

  /**
   * Runs a command, and then calls everybody it has noted, in that order. Also after a refused one: it may have found
   * that a lease is over.
   */
  runThenWake<T>(command: () => T): T {
    this.slices.begin()
    try {
      return command()
    } finally {
      this.slices.end()
      if (this.#due.length > 0) this.#wake()
    }
  }

  /** Notes everybody in a set of waiters, and empties it: a waiter is called once. */
  note(waiters: Set<Wake>): void {
    if (waiters.size === 0) return
    for (const wake of waiters) this.#due.push(() => wake(false))
    waiters.clear()
  }

  /** Notes the waiter of a set that came first, to be called alone, and takes it out. */
  noteFirst(waiters: Set<Wake>): void {
    for (const wake of waiters) {
      waiters.delete(wake)
      this.#due.push(() => wake(true))
      return
    }
  }

  #wake(): void {
    const due = this.#due
    this.#due = []
    for (const wake of due) wake()
  }
}

/**
 * Registers a waiter. Each registration is one of its own: the same `wake` may be registered twice, and one that is
 * already noted to be called may still be cancelled, by another that is called before it.
 *
 * @returns cancels; harmless afterwards
 */
export function watch(waiters: Set<Wake>, wake: Wake): () => void {
  let wanted = true
  const wakeIfWanted = (alone: boolean) => {
    if (wanted) wake(alone)
  }
  waiters.add(wakeIfWanted)
  return () => {
    wanted = false
    waiters.delete(wakeIfWanted)
  }
}
