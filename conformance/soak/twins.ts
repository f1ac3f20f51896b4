import type { Event } from './history.js'

/** Knows which sends of one message may have been at the target at the same time. */
export class Twins {
  readonly #late: number
  readonly #sends = new Map<number, { underWay: number; until: number }>()

  /** @param late how long a target may be at a request that has lost its client: milliseconds */
  constructor(late: number) {
    this.#late = late
  }

  begin({ message, from }: Event): void {
    this.#forget(from)
    const sends = this.#sends.get(message!) ?? { underWay: 0, until: Number.NEGATIVE_INFINITY }
    sends.underWay += 1
    this.#sends.set(message!, sends)
  }

  /** @returns whether another send of its message may have been under way meanwhile */
  end({ message, from, to, outcome }: Event): boolean {
    const sends = this.#sends.get(message!)!
    const hasTwin = sends.underWay > 1 || sends.until > from
    sends.underWay -= 1
    sends.until = Math.max(sends.until, outcome === 'unknown' ? to + this.#late : to)
    return hasTwin
  }

  /** The oldest stand first. */
  #forget(now: number): void {
    for (const [message, { underWay, until }] of this.#sends) {
      if (underWay > 0 || until > now) return
      this.#sends.delete(message)
    }
  }
}
