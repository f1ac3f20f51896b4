import type { Clock } from '../clock/clock.js'
import type { Request } from './exchange.js'

/** How a wait ended: something changed, the time was up, or the client went away. */
export type Awakening = 'changed' | 'timeout' | 'gone'

/** One wait. */
export interface Wait {
  readonly clock: Clock
  readonly request: Pick<Request, 'whenGone'>
  /** How long at most; without a wait when it is not positive. */
  readonly milliseconds: number
  /** Registers for the next change; returns how to take that back. */
  readonly subscribe: (wake: () => void) => () => void
  /** Whether a change is for this waiter alone, which must then not be late for it; not unless given. */
  readonly alone?: boolean
}

/** How many waiters go on in one turn of the event loop: each may have a long page to write. */
const AT_ONCE = 10

/** Those who were woken, and wait for their turn: thousands may wait for one change, and others have requests too. */
class Turns {
  readonly #waiting: (() => void)[] = []
  #taken = 0

  /** Whether somebody waits for a turn. */
  get busy(): boolean {
    return this.#waiting.length > 0
  }

  /** At once, or in one of the next turns. */
  take(go: () => void): void {
    if (this.#taken === 0) setImmediate(this.#next)
    if (this.#taken < AT_ONCE) {
      this.#taken++
      go()
    } else this.#waiting.push(go)
  }

  readonly #next = () => {
    this.#taken = 0
    for (const go of this.#waiting.splice(0, AT_ONCE)) this.take(go)
  }
}

const turns = new Turns()

/** Whether somebody who was woken has not gone on yet. */
export function isWaking(): boolean {
  return turns.busy
}

/**
 * Parks a request until something changes (chosen: `Prefer: wait`). However it
 * ends, nothing of it stays registered anywhere, so that a client that went
 * away leaves no trace. The waiter then asks the broker again.
 */
export function parkUntil({
  clock,
  request,
  milliseconds,
  subscribe,
  alone = false,
}: Wait): Promise<Awakening> {
  if (!(milliseconds > 0)) return Promise.resolve('timeout')
  return new Promise((resolve) => {
    const cancellers: (() => void)[] = []
    let ended = false
    const end = (how: Awakening) => {
      if (ended) return
      ended = true
      for (const cancel of cancellers) cancel()
      resolve(how)
    }
    /** Keeps a canceller; uses it at once when the wait ended while it was made. */
    const keep = (cancel: () => void) => {
      if (ended) cancel()
      else cancellers.push(cancel)
    }
    keep(request.whenGone(() => end('gone')))
    if (!ended) keep(clock.at(clock.now() + milliseconds, () => turns.take(() => end('timeout'))))
    if (!ended) keep(subscribe(() => (alone ? end('changed') : turns.take(() => end('changed')))))
  })
}
