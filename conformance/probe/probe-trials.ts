import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { deleteAll } from '../client/delete-queues.js'
import type { Exchange } from '../client/exchange.js'
import { Ended } from '../client/findings.js'
import type { HttpClient } from '../client/http-client.js'
import { HttpTarget } from '../client/http-target.js'
import type { Profile } from '../client/profile.js'
import { RunClock } from '../client/run-clock.js'
import { deriveTiming } from '../client/timing.js'
import { CheckTrial } from '../trial/check-trial.js'

/** A trial whose queues and subscriptions are deleted when it is disposed of. */
export type ProbeTrial = CheckTrial & AsyncDisposable

export interface ProbeTrialsOptions {
  readonly baseUrl: string
  readonly client: HttpClient
  /** Milliseconds from request to answer, as measured. */
  readonly latency: number
  /** Requests that may be sent in all; default 3000. */
  readonly requests?: number
  /** Milliseconds for all of it; default 60,000. */
  readonly time?: number
  readonly signal?: AbortSignal
}

const REQUESTS = 3000
const TIME = 60_000
/** Queues and subscriptions that are deleted at once. */
const CLEANERS = 4
/** So many held readings one after another a probe takes more time for. */
const HELD_READINGS = 12

/** Makes the trials of a probe, which share what may still be asked, and for how long. */
export class ProbeTrials {
  readonly clock = new RunClock()
  readonly signal: AbortSignal
  readonly #options: ProbeTrialsOptions
  readonly #over = new AbortController()
  /** What each trial of the finding under way has asked, which other findings may run beside. */
  readonly #asked = new AsyncLocalStorage<(readonly Exchange[])[]>()
  #end: NodeJS.Timeout
  #left: number
  /** How long an empty reading of a subscription is held: milliseconds. */
  #held = 0

  constructor(options: ProbeTrialsOptions) {
    this.#options = options
    this.#left = options.requests ?? REQUESTS
    this.#end = this.#endAfter(options.time ?? TIME)
    const over = this.#over.signal
    this.signal = options.signal ? AbortSignal.any([over, options.signal]) : over
  }

  #endAfter(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#over.abort(new Ended()), milliseconds).unref()
  }

  /** Whether nothing more may be asked. */
  get isOver(): boolean {
    return this.isSpent || this.signal.aborted
  }

  /** Whether as many requests were sent as there may be. */
  get isSpent(): boolean {
    return this.#left <= 0
  }

  /** Waits for answers that are held for so long, and takes more time for all: milliseconds. */
  waitForHeld(milliseconds: number): void {
    this.#held = milliseconds
    clearTimeout(this.#end)
    this.#end = this.#endAfter(TIME + HELD_READINGS * milliseconds)
  }

  /** @param timeout how long an effect is waited for that may never show: milliseconds */
  make(profile: Profile, timeout: number): ProbeTrial {
    const { baseUrl, client, latency } = this.#options
    const made = new Set<string>()
    const target = new HttpTarget({
      baseUrl,
      profile,
      client,
      answerTimeout: Math.max(4000, 20 * latency) + this.#held,
      leftovers: {
        made: (_, address) => made.add(address),
        deleted: (address) => made.delete(address),
      },
      signal: this.signal,
      repeatsLost: true,
      beforeRequest: () => {
        this.#left -= 1
        if (this.isOver) throw new Ended()
      },
    })
    this.#asked.getStore()?.push(target.exchanges)
    const trial = new CheckTrial({
      profile,
      timing: { ...deriveTiming(profile, latency, this.#held), timeout: timeout + this.#held },
      target,
      clock: this.clock,
      targetClock: undefined,
      foreignLeases: true,
      prefix: `kit-probe-${randomBytes(5).toString('hex')}`,
      signal: this.signal,
      idle: (wait) => wait(),
      yieldPermit: (wait) => wait(),
    })
    return Object.assign(trial, {
      [Symbol.asyncDispose]: async () => {
        for (const address of made) client.created.delete(address)
        await deleteAll(client, profile, [...made], CLEANERS, this.signal)
      },
    })
  }

  /** Carries out a finding. @param asked is given what each of its trials asks, and goes on asking */
  recording<T>(asked: (readonly Exchange[])[], finding: () => Promise<T>): Promise<T> {
    return this.#asked.run(asked, finding)
  }

  /** Nothing is asked any more. */
  end(): void {
    clearTimeout(this.#end)
    // While one is in use, Node 20 makes every promise of the process slower.
    this.#asked.disable()
  }
}
