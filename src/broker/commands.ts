import type { Events } from './events.js'
import type { Effort } from './selecting.js'
import type { Wake } from './waiters.js'

/** What the selectors that one command asks may take, in microseconds by their own reckoning. */
const EFFORT = 10_000

/** How many of those who wait to take a message one command calls alone: each writes its answer at once. */
const CALLED_ALONE = 100

/**
 * The one way in which a command runs: first all of it; then those who listen are told what happened; then those are woken
 * who wait for it. So the broker is whole again when anybody else acts, and each of them may well give the next command. A
 * waiter must not throw: the command has happened, and others wait behind it.
 */
export class Commands {
  /** What selectors may still take in the command that runs. */
  readonly effort: Effort = { left: EFFORT }
  #due: (() => void)[] = []
  #calledAlone = 0

  constructor(private readonly events: Events) {}

  /** Runs a command. Also after a refused one others are told and woken: it may have found that a lease is over. */
  run<T>(command: () => T): T {
    this.effort.left = EFFORT
    this.#calledAlone = 0
    try {
      return command()
    } finally {
      this.events.tell()
      if (this.#due.length > 0 && !this.events.telling) this.#wake()
    }
  }

  /** Notes everybody in a set of waiters, and empties it: a waiter is called once. */
  note(waiters: Set<Wake>): void {
    if (waiters.size === 0) return
    for (const wake of waiters) this.#due.push(() => wake(false))
    waiters.clear()
  }

  /** Notes the waiter of a set that came first, to be called alone unless they are many, and takes it out. */
  noteFirst(waiters: Set<Wake>): void {
    for (const wake of waiters) {
      waiters.delete(wake)
      const alone = ++this.#calledAlone <= CALLED_ALONE
      this.#due.push(() => wake(alone))
      return
    }
  }

  #wake(): void {
    const due = this.#due
    this.#due = []
    for (const wake of due) wake()
  }
}
