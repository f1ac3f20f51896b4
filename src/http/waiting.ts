import type { Clock } from '../clock/clock.js'
import type { Request } from './exchange.js'
import type { Scheduler } from './scheduler.js'

/** How a wait ended: something changed, the time was up, or the client went away. */
export type Awakening = 'changed' | 'timeout' | 'gone'

/** One wait. */
export interface Wait {
  readonly clock: Clock
  readonly request: Pick<Request, 'whenGone'>
  /** How long at most; without a wait when it is not positive. */
  readonly milliseconds: number
  /** Says when those who were woken go on. */
  readonly scheduler: Scheduler
  /**
   * Registers for the next change; returns how to take that back. A change that is for this
   * waiter alone does not wait for a turn: somebody else could take what there is.
   */
  readonly subscribe: (wake: (alone?: boolean) => void) => () => void
}

/**
 * Parks a request until something changes (chosen: `Prefer: wait`). However it
 * ends, nothing of it stays registered anywhere, so that a client that went
 * away leaves no trace. The waiter then asks the broker again.
 */
export function parkUntil({ clock, request, milliseconds, scheduler, subscribe }: Wait): Promise<Awakening> {
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
    if (!ended) keep(clock.at(clock.now() + milliseconds, () => scheduler.wake(() => end('timeout'))))
    if (!ended) keep(subscribe((alone) => (alone ? end('changed') : scheduler.wake(() => end('changed')))))
  })
}
