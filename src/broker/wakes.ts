/**
 * Who waits for what a command has changed. The waiters are called when the command is over and the broker
 * is whole again, since each of them may well give the next command.
 */
export class Wakes {
  #due: (() => void)[] = []

  /** Notes everybody in a set of waiters, and empties it: a waiter is called once. */
  note(waiters: Set<() => void>): void {
    if (waiters.size === 0) return
    for (const wake of waiters) this.#due.push(wake)
    waiters.clear()
  }

  /** Calls everybody noted, in the order of noting. */
  flush(): void {
    if (this.#due.length === 0) return
    const due = this.#due
    this.#due = []
    for (const wake of due) wake()
  }
}
