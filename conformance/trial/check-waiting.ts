import type { Exchange } from '../client/exchange.js'
import type { HttpTarget } from '../client/http-target.js'
import type { Profile } from '../client/profile.js'
import type { RunClock } from '../client/run-clock.js'
import { sleep } from '../client/stops.js'
import { type ClockHold, noteMoves } from '../client/target-clock.js'
import { lateBy } from '../client/timing.js'
import { pauseAfter } from '../client/until-found.js'
import { LeaseBudget } from './lease-budget.js'
import type { Yield } from './semaphore.js'
import type { Timing } from './trial.js'

export interface CheckWaitingOptions {
  readonly profile: Profile
  readonly timing: Timing
  readonly target: HttpTarget
  readonly clock: RunClock
  /** Moves the clock of a target that offers one. */
  readonly targetClock: Pick<ClockHold, 'elapse'> | undefined
  /** Whether the check works with leases whose length is the target's choice: they may be short. */
  readonly foreignLeases: boolean
  /** Ends all waiting. */
  readonly signal: AbortSignal
  /** Runs a wait that is the check's own wish, which its time box does not count. */
  readonly idle: <T>(wait: () => Promise<T>) => Promise<T>
  /** For how many milliseconds at least what was done is to be remembered, where the run says so. */
  readonly remember?: number | undefined
  /** Resolves when nothing is left to be asked in the run but what waits for this. */
  readonly othersAreOver?: (() => Promise<void>) | undefined
  /** Gives this check's place to another for as long as a wait takes. */
  readonly yieldPermit: Yield
}

/** Milliseconds that a clock which is moved is moved by where nobody says more: that costs nothing. */
const LATE_BY_CLOCK = 100_000
const POLL_FIRST = 20
/** How one check waits: for what shows, for time to pass, and no longer than the leases last that it relies on. */
export class CheckWaiting {
  readonly #options: CheckWaitingOptions
  /** What the leases leave it, which no wait exceeds. */
  readonly leases: LeaseBudget
  /** Requests by which waits have looked. */
  readonly #looks = new WeakSet<Exchange>()
  #shortLease = false

  constructor(options: CheckWaitingOptions) {
    this.#options = options
    const { timing, target, clock } = options
    this.leases = new LeaseBudget({ timing, exchanges: target.exchanges, now: clock.now })
  }

  /** The check has asked for a lease that may end while it waits. */
  leaseIsShort(): void {
    this.#shortLease = true
  }

  async eventually<T>(
    probe: () => Promise<T | undefined>,
    timeout: number = this.#options.timing.timeout,
  ): Promise<T | undefined> {
    const { timing, target } = this.#options
    const start = performance.now()
    // On a target whose effects take their time, what is asked at once again is asked in vain.
    const first = Math.max(POLL_FIRST, timing.settle / 2)
    for (let delay = first; ; delay = pauseAfter(delay, first)) {
      // What was asked before the timeout may have been answered with what was so then: a feed of many pages.
      const asked = performance.now() - start
      const hurried = this.leases.left() <= 0
      const late = hurried || asked >= timeout || target.isHarmful
      const found = await this.#look(probe)
      if (found !== undefined) this.leases.need()
      else if (hurried && asked < timing.settle + POLL_FIRST)
        this.leases.tooLittle(timing.settle + POLL_FIRST - asked)
      if (found !== undefined || late) return found
      const left = Math.min(timeout - (performance.now() - start), this.leases.left())
      await this.rest(Math.max(0, Math.min(delay, left)))
    }
  }

  async never<T>(probe: () => Promise<T | undefined>): Promise<T | undefined> {
    const { target, timing, clock } = this.#options
    const done = target.exchanges.findLast((each) => !this.#looks.has(each))?.receivedAt ?? clock.now()
    const found = await this.#look(probe)
    if (found !== undefined) return found
    const { settle, latency } = timing
    // A latency more, for what a target does just after it has answered. What settled while others were waited for has settled.
    const until = clock.now() + Math.max(POLL_FIRST, latency, done + settle + latency - clock.now())
    const left = this.leases.left()
    if (left > 0 && left < until - clock.now()) {
      // What shows while the leases last counts; what shows only later says nothing.
      await this.rest(left)
      const early = await this.#look(probe)
      if (early !== undefined) return early
    }
    await this.rest(Math.max(0, until - clock.now()))
    return this.#look(probe)
  }

  async elapse(milliseconds: number): Promise<void> {
    this.leases.giveUp()
    const { targetClock, idle, yieldPermit, target, profile } = this.#options
    if (!targetClock) return idle(() => yieldPermit(() => this.#wait(milliseconds)))
    const moves = await idle(() => yieldPermit(() => targetClock.elapse(milliseconds)))
    noteMoves(profile, target.exchanges, moves)
  }

  /**
   * Lets as much time pass as what was done should be remembered: longer than a lease and than some seconds, as long as the run
   * says, and until nothing else is left to be asked. By the target's clock, where the kit moves that.
   *
   * @returns how much it was: milliseconds
   */
  async late(): Promise<number> {
    const { timing, clock, remember = 0, othersAreOver, targetClock, idle, yieldPermit } = this.#options
    const least = Math.max(lateBy(timing), targetClock ? LATE_BY_CLOCK : 0)
    const began = clock.now()
    await this.elapse(Math.max(least, remember))
    if (!targetClock && othersAreOver) await idle(() => yieldPermit(othersAreOver))
    return clock.now() - began
  }

  /** Looks without doing anything: how long ago something was done stays as it is. */
  async #look<T>(probe: () => Promise<T>): Promise<T> {
    const { exchanges } = this.#options.target
    const before = exchanges.length
    try {
      return await probe()
    } finally {
      for (const each of exchanges.slice(before)) if (each.method === 'GET') this.#looks.add(each)
    }
  }

  /** Waits for an effect to show. A lease that runs might be over before the check has a place again: then it keeps it. */
  rest(milliseconds: number): Promise<void> {
    const { targetClock, foreignLeases, idle, yieldPermit } = this.#options
    const leaseRuns = !targetClock && (foreignLeases || this.#shortLease)
    const wait = () => this.leases.spend(() => this.#wait(milliseconds))
    // Until it has a place again, it is not the check that takes its time.
    return leaseRuns ? wait() : idle(() => yieldPermit(wait, 'brief'))
  }

  async #wait(milliseconds: number): Promise<void> {
    await this.#options.idle(() => sleep(milliseconds, this.#options.signal))
  }
}
