import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { baseUrlOf } from '../client/base-url.js'
import { makeContact } from '../client/contact.js'
import { CutClient } from '../client/cut-client.js'
import type { Exchange } from '../client/exchange.js'
import { HttpTarget } from '../client/http-target.js'
import type { Leftovers } from '../client/leftovers.js'
import { Pace } from '../client/pace.js'
import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import type { Profile } from '../client/profile.js'
import { RunClock } from '../client/run-clock.js'
import type { ClauseId } from '../requirements/index.js'
import { CheckTrial } from '../trial/check-trial.js'
import { Blocked, NotApplicable } from '../trial/findings.js'
import { measureTiming } from '../trial/held-reading.js'
import { queuesShowContents } from '../trial/queue-contents.js'
import { type ClockHold, TargetClock } from '../trial/target-clock.js'
import { longestLease } from '../trial/timing.js'
import type { Timing } from '../trial/trial.js'
import type { Command } from './command.js'
import { Conversation } from './conversation.js'
import { generate, prefetchesFor } from './generate.js'
import { queuesFor } from './queue-names.js'
import { shrink } from './shrink.js'
import { type Told, Violation, Walk } from './walk.js'

export interface ExploreOptions {
  readonly profile?: Profile
  /** The same seed gives the same sequences; default 1. */
  readonly seed?: number
  /** How many sequences; default 200. */
  readonly runs?: number
  /** Only this sequence. */
  readonly replay?: readonly Command[]
  readonly signal?: AbortSignal
  /** Called after each sequence. */
  readonly onRun?: (done: number) => void
}

/** A sequence whose answers no conformant server gives, as short as it could be made. */
export interface Counterexample {
  readonly clause: ClauseId
  readonly commands: readonly Command[]
  /** What was done and what came, when it was confirmed. */
  readonly told: readonly Told[]
  readonly exchanges: readonly Exchange[]
  /** Which of the sequences it was, counted from 0. */
  readonly run: number
  readonly began: number
}

export interface Exploration {
  readonly seed: number
  readonly started: Date
  readonly seconds: number
  /** Sequences that were to be walked, and that were. */
  readonly planned: number
  readonly walked: number
  readonly commands: number
  /** Requests that the target left without an answer, or answered with a 5xx. */
  readonly unanswered: number
  readonly counterexample: Counterexample | undefined
  /** Counterexamples that did not show again. */
  readonly unconfirmed: readonly ClauseId[]
  readonly stopped: boolean
}

/** Sequences at once, where time cannot be moved: so their waits overlap. */
const LANES = 8
/** How many sequences are tried to make one shorter, where leases have to be waited for and where not. */
const MOST_TRIES = 150
const MOST_TRIES_BY_CLOCK = 400
/** How often a counterexample is asked again until it shows: a race need not each time. */
const CONFIRMATIONS = 5
/** Milliseconds: a lease that costs nothing to wait for, and is long beside what a sequence takes. */
const LEASE_BY_CLOCK = 30_000
const ANSWER_TIMEOUT = 5000
/** The part of a lease that passes at once. */
const PART = 0.7
/** Milliseconds after which an answer is slow. */
const SLOW = 50

/**
 * Walks random sequences of commands at a target, with the model beside them, until one is answered as no conformant
 * server may, or all are walked.
 *
 * @throws {Unreachable} where nothing takes a connection
 */
export async function explore(url: string, options: ExploreOptions = {}): Promise<Exploration> {
  const baseUrl = baseUrlOf(url)
  const { profile = DEFAULT_PROFILE, seed = 1, replay, onRun = () => {} } = options
  const runs = replay === undefined ? (options.runs ?? 200) : 1
  const signal = options.signal ?? new AbortController().signal
  // Every request listens to it.
  setMaxListeners(0, signal)
  const explorer = await Explorer.at(baseUrl, profile, signal)
  const started = new Date()
  const start = performance.now()
  const lanes = profile.clock === undefined && replay === undefined ? LANES : 1
  const generated = {
    features: profile.features,
    queues: queuesFor(profile),
    guids: profile.guid.form === 'text',
    prefetches: prefetchesFor(profile),
    // Where effects or answers take their time, many messages take too much of it.
    many: profile.settleSeconds === 0 && profile.requestsPerSecond === null && !explorer.isSlow,
    // Where time has to be waited for it is asked about seldom.
    waitsOneIn: profile.clock === undefined ? 12 : 1,
  }
  const unconfirmed: ClauseId[] = []
  let counterexample: Counterexample | undefined
  let next = 0
  let walked = 0
  const lane = async () => {
    while (next < runs && counterexample === undefined && !signal.aborted) {
      const run = next++
      const commands = replay ?? generate(seed, run, generated)
      const walk = await explorer.walk(commands, explorer.quick)
      walked += 1
      onRun(walked)
      if (walk.clause === undefined || counterexample !== undefined) continue
      const found = await explorer.confirm(replay ?? (await explorer.shorten(commands)))
      if (found !== undefined) counterexample ??= { ...found, run }
      else unconfirmed.push(walk.clause)
    }
  }
  try {
    await Promise.all(Array.from({ length: lanes }, lane))
    return {
      ...{ seed, started, planned: runs, walked, counterexample, unconfirmed },
      seconds: (performance.now() - start) / 1000,
      commands: explorer.commands,
      unanswered: explorer.unanswered,
      stopped: signal.aborted,
    }
  } finally {
    explorer.close()
  }
}

/** How patient a walk is; milliseconds. */
interface Patience {
  readonly patience: number
  readonly quiet: number
}

/** What came of one sequence. */
interface Walked {
  readonly clause: ClauseId | undefined
  readonly told: readonly Told[]
  readonly exchanges: readonly Exchange[]
  readonly began: number
}

class Explorer {
  commands = 0
  unanswered = 0
  readonly quick: Patience
  readonly isSlow: boolean
  readonly #thorough: Patience
  readonly #baseUrl: string
  readonly #profile: Profile
  readonly #timing: Timing
  readonly #clock: RunClock
  readonly #signal: AbortSignal
  readonly #targetClock: TargetClock | undefined
  readonly #clients: CutClient[] = []
  readonly #pace: Pace
  #areContentsShown: Promise<boolean> | undefined

  private constructor(
    baseUrl: string,
    profile: Profile,
    timing: Timing,
    clock: RunClock,
    signal: AbortSignal,
  ) {
    this.#baseUrl = baseUrl
    this.#profile = profile
    this.#timing = timing
    this.#clock = clock
    this.#signal = signal
    this.#pace = new Pace(profile.requestsPerSecond)
    const target = this.#target(this.#client())
    this.#targetClock = profile.clock && new TargetClock(profile, target, clock, timing.lease)
    const { latency, settle, timeout } = timing
    this.isSlow = latency > SLOW
    this.quick = {
      patience: Math.max(250, 10 * latency) + 2 * settle,
      quiet: settle === 0 ? 0 : 1.3 * settle + latency,
    }
    this.#thorough = { patience: timeout, quiet: Math.max(60, 2 * settle + 5 * latency) }
  }

  static async at(baseUrl: string, profile: Profile, signal: AbortSignal): Promise<Explorer> {
    const clock = new RunClock()
    const client = new CutClient(clock.now, new Pace(profile.requestsPerSecond))
    const contact = await makeContact(baseUrl, profile, client, 2, signal)
    const timing = await measureTiming(contact, { baseUrl, profile, client, clock, signal })
    client.close()
    const choosesLease = profile.clock !== undefined && profile.subscription.parameters.timeout !== null
    const lease = choosesLease ? Math.min(LEASE_BY_CLOCK, longestLease(profile)) : timing.lease
    return new Explorer(baseUrl, profile, { ...timing, lease }, clock, signal)
  }

  close(): void {
    for (const client of this.#clients) client.close()
  }

  /** The same, shorter. */
  shorten(commands: readonly Command[]): Promise<readonly Command[]> {
    const fails = async (fewer: readonly Command[]) =>
      !this.#signal.aborted && (await this.walk(fewer, this.quick)).clause !== undefined
    return shrink(commands, fails, this.#profile.clock === undefined ? MOST_TRIES : MOST_TRIES_BY_CLOCK)
  }

  /** Asks again, with all patience. */
  async confirm(commands: readonly Command[]): Promise<Omit<Counterexample, 'run'> | undefined> {
    for (let time = 0; time < CONFIRMATIONS && !this.#signal.aborted; time++) {
      const { clause, told, exchanges, began } = await this.walk(commands, this.#thorough)
      if (clause !== undefined) return { clause, commands, told, exchanges, began }
    }
    return undefined
  }

  /** Walks one sequence under names of its own, and deletes what it has made. */
  async walk(commands: readonly Command[], patience: Patience): Promise<Walked> {
    const client = this.#client()
    const target = this.#target(client)
    const prefix = `kit-${randomBytes(5).toString('hex')}`
    const hold = await this.#targetClock?.hold()
    const began = this.#clock.now()
    let advanced = 0
    const { lease, leaseGrace } = this.#timing
    const trial = this.#trial(target, prefix, hold)
    const { renewedBy, leaseSeconds } = this.#profile.subscription
    const talk = new Conversation({
      ...{ trial, prefix },
      lease: { length: lease, grace: leaseGrace, renewedBy },
      untoldLease: { length: leaseSeconds * 1000, grace: leaseGrace, renewedBy: [] },
      time: (first, last) => ({
        from: hold === undefined ? first.sentAt - began : advanced,
        to: last.receivedAt - began,
      }),
      cutNext: (cut) => {
        client.cutNext = cut
      },
      queuesShowContents: () => this.#queuesShowContents(),
    })
    const walk = new Walk({
      ...{ talk, ...patience, now: this.#clock.now },
      elapse: async (until) => {
        const time =
          until === 'part' ? PART * lease : lease + leaseGrace + (hold === undefined ? 1 : ANSWER_TIMEOUT)
        if (hold === undefined) await sleep(time, undefined, { signal: this.#signal })
        else await trial.elapse(time)
        advanced += time
      },
    })
    let clause: ClauseId | undefined
    try {
      for (const command of commands) {
        if (!walk.goesOn || this.#signal.aborted) break
        await walk.run(command)
      }
    } catch (error) {
      if (error instanceof Violation) clause = error.clause
      else if (!(error instanceof Blocked || error instanceof NotApplicable) && !this.#signal.aborted)
        throw error
    } finally {
      hold?.release()
      this.#clients.push(client)
    }
    this.commands += walk.commands
    this.unanswered += walk.unanswered
    const exchanges = [...target.exchanges]
    const made = [...talk.subscriptions, ...[...talk.queues.values()].map(({ uri }) => uri)]
    await Promise.all(made.map((uri) => target.request('DELETE', uri)))
    return { clause, told: walk.told, exchanges, began }
  }

  #trial(target: HttpTarget, prefix: string, targetClock?: ClockHold): CheckTrial {
    return new CheckTrial({
      ...{ profile: this.#profile, timing: this.#timing, target, clock: this.#clock, prefix },
      ...{ targetClock, foreignLeases: true, signal: this.#signal },
      idle: (wait) => wait(),
      yieldPermit: (wait) => wait(),
    })
  }

  /** Asked once, with a queue and a message of its own. */
  #queuesShowContents(): Promise<boolean> {
    this.#areContentsShown ??= this.#askForContents()
    return this.#areContentsShown
  }

  async #askForContents(): Promise<boolean> {
    const made = new Set<string>()
    const client = this.#client()
    const target = this.#target(client, {
      made: (_, uri) => made.add(uri),
      deleted: (uri) => made.delete(uri),
    })
    try {
      return await queuesShowContents(this.#trial(target, `kit-${randomBytes(5).toString('hex')}`))
    } finally {
      await Promise.all([...made].map((uri) => target.request('DELETE', uri)))
      this.#clients.push(client)
    }
  }

  /** One that is free, with its connections. */
  #client(): CutClient {
    return this.#clients.pop() ?? new CutClient(this.#clock.now, this.#pace)
  }

  #target(client: CutClient, leftovers?: Pick<Leftovers, 'made' | 'deleted'>): HttpTarget {
    return new HttpTarget({
      ...{ baseUrl: this.#baseUrl, profile: this.#profile, client, leftovers },
      answerTimeout: ANSWER_TIMEOUT + this.#timing.held,
      signal: this.#signal,
    })
  }
}
