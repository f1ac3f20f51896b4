import { SystemClock } from '../../clock/system.js'
import { Problem } from '../../http/problems.js'

/** How many may wait at one log at once: each looks at what comes in the same turn of the event loop. */
const MOST_WAITING = 1000

/** A wait that can be given up. */
export interface Waiting<T> {
  readonly found: Promise<T>
  /** Leaves `found` unsettled. */
  readonly cancel: () => void
}

/** The two ways in which a wait ends. */
export interface Ends<T> {
  readonly found: (value: T) => void
  readonly fail: (reason: Problem) => void
}

/** Those who wait, in real time, for what comes to one log. */
export class Waits<T> {
  readonly #realTime = new SystemClock()
  readonly #all = new Set<{ readonly see: (shown: T) => void; readonly fail: (reason: Problem) => void }>()
  #closed: Problem | undefined

  get size(): number {
    return this.#all.size
  }

  /**
   * Begins a wait.
   *
   * @param timeout in milliseconds; with 0 it ends at once
   * @param known what has come already
   * @param see looks at each of that, and then at what comes
   * @param late ends it when the time is up
   * @throws Problem `too-many-requests`, by `found`
   */
  begin<R>(
    timeout: number,
    known: Iterable<T>,
    see: (shown: T, ends: Ends<R>) => void,
    late: (ends: Ends<R>) => void,
  ): Waiting<R> {
    let cancel = () => {}
    const found = new Promise<R>((resolve, reject) => {
      let over = false
      const end =
        <V>(settle: (value: V) => void) =>
        (value: V) => {
          over = true
          cancel()
          settle(value)
        }
      const ends: Ends<R> = { found: end(resolve), fail: end(reject) }
      for (const shown of known) {
        see(shown, ends)
        if (over) return
      }
      if (timeout === 0) late(ends)
      else if (this.#closed !== undefined) ends.fail(this.#closed)
      else if (this.#all.size >= MOST_WAITING) ends.fail(tooMany())
      if (over) return
      const wait = { see: (shown: T) => see(shown, ends), fail: ends.fail }
      this.#all.add(wait)
      const timer = this.#realTime.at(this.#realTime.now() + timeout, () => late(ends))
      cancel = () => {
        timer()
        this.#all.delete(wait)
      }
    })
    return { found, cancel: () => cancel() }
  }

  /** Shows what has come. What somebody asks with may take too long: they are refused then, and nobody else is. */
  show(shown: T): void {
    for (const { see, fail } of [...this.#all]) {
      try {
        see(shown)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        fail(error)
      }
    }
  }

  /** Ends every wait. */
  fail(reason: Problem): void {
    for (const { fail } of [...this.#all]) fail(reason)
  }

  /** Ends every wait, and each that would begin: what is not here now does not come. */
  close(reason: Problem): void {
    this.#closed = reason
    this.fail(reason)
  }
}

function tooMany(): Problem {
  return new Problem('too-many-requests', `${MOST_WAITING} wait already; end one of them first.`, {
    limit: MOST_WAITING,
  })
}
