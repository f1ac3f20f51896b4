import type { EdgeLimits } from '../limits.js'
import type { Exchange } from './connection.js'

/** How often it is looked after answers that are not taken in time, in milliseconds. */
const EVERY = 1000

/**
 * The answers that their readers have not taken: each counts from the moment it is made until its last byte has gone to
 * the system. Where they take too much room, or one takes too long, the oldest is cut off with its connection. In real
 * time also at a manual clock, since the client on the other side is real.
 */
export class UnsentAnswers {
  /** Oldest first. */
  readonly #exchanges = new Set<Exchange>()
  /** What they take together. */
  bytes = 0
  #timer: NodeJS.Timeout | undefined

  constructor(private readonly limits: Readonly<EdgeLimits>) {}

  /** @param bytes what of the answer has not left; of one that goes on it changes, and anything else is told once */
  set(exchange: Exchange, bytes: number): void {
    if (bytes === 0) {
      this.remove(exchange)
      return
    }
    if (exchange.unsent === 0) {
      exchange.sentAt = performance.now()
      this.#exchanges.add(exchange)
    }
    const more = bytes - exchange.unsent
    exchange.unsent = bytes
    exchange.connection.unsent += more
    this.bytes += more
    for (const oldest of this.#exchanges) {
      // The newest is what somebody asks for just now; alone, it has all the room there is.
      if (this.bytes <= this.limits.maxUnsent || oldest === exchange) break
      this.#cutOff(oldest)
    }
    this.#timer ??= setInterval(
      () => this.#cutOffLate(),
      Math.min(EVERY, Math.max(10, this.limits.answerTimeout / 4)),
    ).unref()
  }

  /** It has left, or its connection has ended. */
  remove(exchange: Exchange): void {
    if (exchange.unsent === 0) return
    this.bytes -= exchange.unsent
    exchange.connection.unsent -= exchange.unsent
    exchange.unsent = 0
    this.#exchanges.delete(exchange)
    if (this.#exchanges.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #cutOffLate(): void {
    const before = performance.now() - this.limits.answerTimeout
    for (const exchange of this.#exchanges) {
      if (exchange.sentAt > before) return
      this.#cutOff(exchange)
    }
  }

  #cutOff({ connection }: Exchange): void {
    for (const exchange of connection.exchanges) this.remove(exchange)
    connection.socket.destroy()
  }
}
