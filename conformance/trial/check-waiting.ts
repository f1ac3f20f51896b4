import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpTarget } from '../client/http-target.js'
import type { Profile } from '../client/profile.js'
import type { RunClock } from '../client/run-clock.js'
import { answered } from './answers.js'
import { Inconclusive } from './findings.js'
import { LeaseWatch } from './lease-watch.js'
import type { Yield } from './semaphore.js'
import type { ClockHold } from './target-clock.js'
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
  /** Gives this check's place to another for as long as a wait takes. */
  readonly yieldPermit: Yield
}

const POLL_FIRST = 20
const POLL_LAST = 250
/** How many latencies one look takes: a page or two, and contents. */
const LATENCIES_OF_A_LOOK = 3

/** How one check waits: for what shows, for time to pass, and no longer than the leases last that it relies on. */
export class CheckWaiting {
  readonly #options: CheckWaitingOptions
  readonly #leases: LeaseWatch[] = []
  #elapsed = false
  #shortLease = false

  constructor(options: CheckWaitingOptions) {
    this.#options = options
  }

  watchLease(of: string, length: number, began: number): LeaseWatch {
    const watch = new LeaseWatch(of, length, began, this.#options.clock.now)
    this.#leases.push(watch)
    return watch
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
    for (let delay = first; ; delay = Math.min(Math.max(first, POLL_LAST), delay * 1.5)) {
      // What was asked before the timeout may have been answered with what was so then: a feed of many pages.
      const asked = performance.now() - start
      const hurried = this.#leaseLeft() <= 0
      const late = hurried || asked >= timeout || target.isHarmful
      const found = await probe()
      if (found !== undefined) this.#needLeases()
      else if (hurried && asked < timing.settle + POLL_FIRST)
        throw new Inconclusive('the lease leaves no time for the effect to show')
      if (found !== undefined || late) return found
      const left = Math.min(timeout - (performance.now() - start), this.#leaseLeft())
      await this.#pause(Math.max(0, Math.min(delay, left)))
    }
  }

  async never<T>(probe: () => Promise<T | undefined>): Promise<T | undefined> {
    const found = await probe()
    if (found !== undefined) return found
    const { settle, latency } = this.#options.timing
    // A latency more, for what a target does just after it has answered.
    await this.#pause(Math.max(POLL_FIRST, settle + latency))
    return probe()
  }

  async elapse(milliseconds: number): Promise<void> {
    this.#elapsed = true
    const { targetClock, idle, yieldPermit, target, profile } = this.#options
    if (!targetClock) return idle(() => yieldPermit(() => this.#wait(milliseconds)))
    const moves = await idle(() => yieldPermit(() => targetClock.elapse(milliseconds)))
    target.exchanges.push(...moves)
    const last = moves.at(-1)!
    if (last.status < 200 || last.status > 299) {
      const { method, path } = profile.clock!.advance
      throw new Inconclusive(
        `the target's clock could not be advanced: ${method} ${path} gave ${answered(last)}`,
        'clock',
      )
    }
  }

  /** Why a finding may be due to a lease that ended underneath the check; undefined where it cannot be. */
  uncertainLease(): string | undefined {
    if (this.#elapsed) return undefined
    const uncertain = this.#leases.find((lease) => lease.mayHaveEnded())
    return (
      uncertain && `the lease of ${uncertain.of} (${uncertain.length} ms) may have ended underneath the check`
    )
  }

  /** The end of a lease brings back what was hidden: what shows then says nothing of how it was before. */
  #needLeases(): void {
    const uncertain = this.uncertainLease()
    if (uncertain !== undefined) throw new Inconclusive(`what was waited for came when ${uncertain}`)
  }

  /** For how long the check may go on asking: while every lease that it relies on surely lasts until the answer. */
  #leaseLeft(): number {
    if (this.#elapsed) return Number.POSITIVE_INFINITY
    const sure = Math.min(...this.#leases.map(({ sureUntil }) => sureUntil))
    const { latency, held } = this.#options.timing
    return sure - this.#options.clock.now() - LATENCIES_OF_A_LOOK * latency - held
  }

  /** Waits for an effect to show. A lease that runs might be over before the check has a place again: then it keeps it. */
  #pause(milliseconds: number): Promise<void> {
    const { targetClock, foreignLeases, idle, yieldPermit } = this.#options
    const leaseRuns = !targetClock && (foreignLeases || this.#shortLease)
    const wait = () => this.#wait(milliseconds)
    // Until it has a place again, it is not the check that takes its time.
    return leaseRuns ? wait() : idle(() => yieldPermit(wait, 'brief'))
  }

  async #wait(milliseconds: number): Promise<void> {
    await this.#options.idle(() => sleep(milliseconds, undefined, { signal: this.#options.signal }))
  }
}
