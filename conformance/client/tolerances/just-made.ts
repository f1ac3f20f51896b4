import { wait } from '../pace.js'
import type { Send } from '../transport.js'

/** So long it takes at least until an address is asked again: milliseconds. */
const SHORTEST = 20

/**
 * Addresses that a target has just given to what it made. Where its effects take their time, what is there may not be there for
 * every reader at once: until then a 404 is no answer.
 */
export class JustMade {
  readonly #settle: number
  readonly #until = new Map<string, number>()

  /** @param settle how long an effect may take to show: milliseconds */
  constructor(settle: number) {
    this.#settle = settle
  }

  /** Whether the target takes its time at all. */
  get isOfUse(): boolean {
    return this.#settle > 0
  }

  add(address: string): void {
    this.#until.set(address, performance.now() + this.#settle)
  }

  delete(address: string): void {
    this.#until.delete(address)
  }

  /** For how many milliseconds to wait before an address, whatever its query, is asked again; undefined where a 404 is to be believed. */
  pauseAt(address: string): number | undefined {
    const until = this.#until.get(address) ?? this.#until.get(address.replace(/\?.*$/s, ''))
    const left = (until ?? 0) - performance.now()
    return left > 0 ? Math.min(left, Math.max(SHORTEST, this.#settle / 4)) : undefined
  }
}

/** Asks the owner's requests again that a target answers with 404 at what it has just made, until that may be believed. */
export function settled(send: Send, justMade: JustMade): Send {
  return async (outgoing) => {
    for (;;) {
      const exchange = await send(outgoing)
      const { url, isOwner, signal, idle = (pause) => pause() } = outgoing
      const pause = exchange.status === 404 && isOwner ? justMade.pauseAt(url) : undefined
      if (pause === undefined) return exchange
      await idle(() => wait(pause, signal))
    }
  }
}
