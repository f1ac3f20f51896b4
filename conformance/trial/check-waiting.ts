import { setTimeout as sleep } from 'node:timers/promises'
import type { Exchange } from '../client/exchange.js'
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
  /** Requests by which waits have looked. */
  readonly #looks = new WeakSet<Exchange>()
  /** Waits for effects to settle: when each began, and its milliseconds. */
  readonly #settled: { readonly at: number; readonly took: number }[] = []
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
      const hurried = this.leaseLeft() <= 0
      const late = hurried || asked >= timeout || target.isHarmful
      const found = await this.#look(probe)
      if (found !== undefined) this.#needLeases()
      else if (hurried && asked < timing.settle + POLL_FIRST)
        throw new Inconclusive('the lease leaves no time for the effect to show')
      if (found !== undefined || late) return found
      const left = Math.min(timeout - (performance.now() - start), this.leaseLeft())
      await this.#pause(Math.max(0, Math.min(delay, left)))
    }
  }

  async never<T>(probe: () => Promise<T | undefined>): Promise<T | undefined> {
    const { target, timing, clock } = this.#options
    const done = target.exchanges.findLast((each) => !this.#looks.has(each))?.receivedAt ?? clock.now()
    const found = await this.#look(probe)
    if (found !== undefined) return found
    const { settle, latency } = timing
    // A latency more, for what a target does just after it has answered. What settled while others were waited for has settled.
    const at = clock.now()
    await this.#pause(Math.max(POLL_FIRST, latency, done + settle + latency - at))
    this.#settled.push({ at, took: clock.now() - at })
    return this.#look(probe)
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

  async relying<T>(act: () => Promise<T>): Promise<T> {
    const before = new Set(this.#leases)
    const given = await act()
    for (const lease of this.#leases) if (!before.has(lease)) lease.end()
    return given
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

  /** Why a finding may be due to a lease that ended underneath the check; undefined where it cannot be. */
  uncertainLease(): string | undefined {
    if (this.#elapsed) return undefined
    const uncertain = this.#leases.find((lease) => lease.mayHaveEnded())
    return (
      uncertain && `the lease of ${uncertain.of} (${uncertain.length} ms) may have ended underneath the check`
    )
  }

  /**
   * Why no attempt can be done within its leases, where that is so: what was asked in turn, and what had to settle, takes longer even
   * where each answer comes as soon as the quickest did.
   */
  tooShortLease(): string | undefined {
    if (this.#elapsed) return undefined
    for (const { of, length, began, sure } of this.#leases.filter(
      ({ sureUntil }) => sureUntil < this.#options.clock.now(),
    )) {
      const asked = this.#options.target.exchanges.filter(
        (each) => each.sentAt >= began && !this.#looks.has(each),
      )
      const count = inTurn(asked)
      const quickest = Math.min(...asked.map(({ sentAt, receivedAt }) => receivedAt - sentAt))
      const settling = this.#settled.filter(({ at }) => at >= began).reduce((sum, { took }) => sum + took, 0)
      const needed = Math.round(settling + (count === 0 ? 0 : count * quickest))
      if (needed > sure)
        return `the lease of ${of} (${length} ms) is too short for the question: ${count} requests in turn and ${Math.round(settling)} ms of settling take ${needed} ms, and ${Math.round(sure)} ms are sure`
    }
    return undefined
  }

  /** The end of a lease brings back what was hidden: what shows then says nothing of how it was before. */
  #needLeases(): void {
    const uncertain = this.uncertainLease()
    if (uncertain !== undefined) throw new Inconclusive(`what was waited for came when ${uncertain}`)
  }

  /** For how long the check may go on asking: while every lease that it relies on surely lasts until the answer. */
  leaseLeft(): number {
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

/** How many of these came one after another, where most were at once. */
function inTurn(exchanges: readonly Exchange[]): number {
  let count = 0
  let last = Number.NEGATIVE_INFINITY
  for (const { sentAt, receivedAt } of [...exchanges].sort((a, b) => a.receivedAt - b.receivedAt)) {
    if (sentAt < last) continue
    count += 1
    last = receivedAt
  }
  return count
}
