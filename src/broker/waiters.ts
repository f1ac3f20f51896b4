/** What the selectors that one command asks may take, in microseconds by their own reckoning. */
const EFFORT = 10_000

/** How many of those who wait to take a message one command calls alone: each writes its answer at once. */
const CALLED_ALONE = 100

/** What may still be done. */
export interface Effort {
  /** In microseconds. */
  left: number
}

/** Calls a waiter. @param alone whether nobody else is called for the same, so that it must take at once what there is */
export type Wake = (alone: boolean) => void

/**
 * How a command runs, and who waits for what it changes. Waiters are called when the command is over and the broker is
 * whole again, since each of them may well give the next command. A waiter must not throw: the command has happened,
 * and others wait behind it.
 */
export class Waiters {
  /** What selectors may still take in the command that runs. */
  readonly effort: Effort = { left: EFFORT }
  #due: (() => void)[] = []
  #calledAlone = 0

  /**
   * Runs a command, and then calls everybody it has noted, in that order. Also after a refused one: it may have found
   * that a lease is over.
   */
  runThenWake<T>(command: () => T): T {
    this.effort.left = EFFORT
    this.#calledAlone = 0
    try {
      return command()
    } finally {
      if (this.#due.length > 0) this.#wake()
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
