import type { Exchange } from '../client/exchange.js'
import type { Trial } from './trial.js'

/** Part of a lease, and milliseconds besides, by which a target's timers may be early. */
const EARLY_PART = 0.1
const EARLY_MS = 50

/** For how long a lease of `length` surely lasts, on any reading of the document: both milliseconds. */
export function sureLength(length: number): number {
  return length * (1 - EARLY_PART) - EARLY_MS
}

/** A lease that a check relies on, as far as the check can know: until when it surely lasts. */
export class LeaseWatch {
  readonly #now: () => number
  #began: number
  #uncertain = false
  /** Whether the check has ended it, and relies on it no more. */
  isOver = false

  /**
   * @param of whose lease it is, for reports: an address
   * @param length milliseconds
   * @param began when the request that began it was sent
   * @param now the trial's time
   */
  constructor(
    readonly of: string,
    readonly length: number,
    began: number,
    now: () => number,
  ) {
    this.#began = began
    this.#now = now
  }

  /** Its consumer was used: if it may have been over before, nobody knows any longer. */
  used(): void {
    this.#uncertain ||= this.mayHaveEnded()
  }

  /** It began anew with a request that was sent at this time. */
  renewed(at: number): void {
    // Whether the one that was used was still the same, nobody knows.
    if (!this.#uncertain) this.#began = Math.max(this.#began, at)
  }

  end(): void {
    this.isOver = true
  }

  /** The latest time at which it has begun for sure. */
  get began(): number {
    return this.#began
  }

  /** For how long it surely lasts: milliseconds. */
  get sure(): number {
    return sureLength(this.length)
  }

  /** Until when it surely lasts, by the trial's time. */
  get sureUntil(): number {
    if (this.isOver) return Number.POSITIVE_INFINITY
    return this.#uncertain ? Number.NEGATIVE_INFINITY : this.#began + this.sure
  }

  /** Whether it may have ended by now, or before one of its uses, without the check's wish. */
  mayHaveEnded(): boolean {
    return this.#now() > this.sureUntil
  }
}

/**
 * Watches the lease that a consumer or a session may have of which the document says none. Where other leases are chosen, nobody
 * knows how long it is: then it only excuses what went wrong after as long as the profile's are.
 *
 * @param answer what it began with
 */
export function watchOwnLease(trial: Trial, { url, sentAt }: Exchange): LeaseWatch {
  const { parameters, leaseSeconds } = trial.profile.subscription
  return trial.watchLease(url, leaseSeconds * 1000, sentAt, parameters.timeout === null)
}
