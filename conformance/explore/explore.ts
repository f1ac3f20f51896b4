import { baseUrlOf } from '../client/base-url.js'
import type { Exchange } from '../client/exchange.js'
import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import type { Profile } from '../client/profile.js'
import { overSockets } from '../client/sockets.js'
import { takesAnyBody } from '../client/template.js'
import { Unanswered } from '../client/unanswered.js'
import type { Rejection } from '../model/rejection.js'
import type { ClauseId } from '../requirements/index.js'
import type { Walking } from '../scenario/carry-out.js'
import { ScenarioTarget } from '../scenario/scenario-target.js'
import type { Step } from '../scenario/step.js'
import type { Told } from '../scenario/walk.js'
import type { Walked } from '../scenario/walk-in.js'
import { generate, prefetchesFor } from './generate.js'
import { queuesFor } from './queue-names.js'
import { shrink } from './shrink.js'

interface ExploreOptions {
  readonly profile?: Profile
  /** The same seed gives the same scenarios; default 1. */
  readonly seed?: number
  /** How many scenarios; default 200. */
  readonly runs?: number
  /** Only this scenario. */
  readonly replay?: readonly Step[]
  /** Origins beside the target's own that are sent the profile's headers where an answer of the target leads there. */
  readonly origins?: readonly string[]
  readonly signal?: AbortSignal
  /** Called after each scenario. */
  readonly onRun?: (done: number) => void
}

/** A scenario whose answers no conformant server gives, as short as it could be made. */
export interface Counterexample extends Rejection {
  readonly scenario: readonly Step[]
  /** What was done and what came, when it was confirmed. */
  readonly told: readonly Told[]
  readonly exchanges: readonly Exchange[]
  /** Which of the scenarios it was, counted from 0. */
  readonly run: number
  readonly began: number
}

export interface Exploration {
  readonly seed: number
  readonly started: Date
  readonly seconds: number
  /** Scenarios that were to be walked, and that were. */
  readonly planned: number
  readonly walked: number
  readonly requests: number
  /** Requests that the target left without an answer, or answered with a 5xx. */
  readonly unanswered: Pick<Unanswered, 'count' | 'first'>
  readonly counterexample: Counterexample | undefined
  /** Counterexamples that did not show again. */
  readonly unconfirmed: readonly ClauseId[]
  readonly stopped: boolean
  /** Why nothing can be said against the target: credentials were not sent to an origin that it names. */
  readonly doubt?: string | undefined
}

/** Scenarios at once, where time cannot be moved: so their waits overlap. */
const LANES = 8
/** How many scenarios are tried to make one shorter, where leases have to be waited for and where not. */
const MOST_TRIES = 150
const MOST_TRIES_BY_CLOCK = 400
/** How many requests are made for that: of thousands of messages each try takes long. */
const MOST_REQUESTS = 30_000
/** How often a counterexample is asked again until it shows: a race need not each time. */
const CONFIRMATIONS = 5

/**
 * Walks random scenarios at a target, with the model beside it, until one is answered as no conformant server may, or all are
 * walked.
 *
 * @throws {Unreachable} where nothing takes a connection
 * @throws {NotJudged} where nothing that is there can be told from what is not
 */
export async function explore(url: string, options: ExploreOptions = {}): Promise<Exploration> {
  const baseUrl = baseUrlOf(url)
  const { profile = DEFAULT_PROFILE, seed = 1, replay, onRun = () => {} } = options
  const runs = replay === undefined ? (options.runs ?? 200) : 1
  const signal = options.signal ?? new AbortController().signal
  const target = await ScenarioTarget.at(baseUrl, {
    ...{ profile, signal, origins: options.origins, transport: overSockets },
  })
  const explorer = new Explorer(target, signal)
  const started = new Date()
  const start = performance.now()
  const lanes = profile.clock === undefined && replay === undefined ? LANES : 1
  const generated = {
    features: profile.features,
    queues: queuesFor(profile),
    parties: profile.unauthorized,
    guids: profile.guid.form === 'text',
    anyBodies: takesAnyBody(profile),
    prefetches: prefetchesFor(profile),
    mostPrefetch: profile.subscription.maxPrefetch,
    lease: profile.clock === undefined ? undefined : target.lease,
    // Where effects or answers take their time, many messages take too much of it.
    many: profile.settleSeconds === 0 && profile.requestsPerSecond === null && !target.isSlow,
    // Where time has to be waited for it is asked about seldom.
    waitsOneIn: profile.clock === undefined ? 8 : 1,
  }
  const unconfirmed: ClauseId[] = []
  let counterexample: Counterexample | undefined
  let next = 0
  let walked = 0
  const lane = async () => {
    while (next < runs && counterexample === undefined && !signal.aborted) {
      const run = next++
      const scenario = replay ?? generate(seed, run, generated)
      const [broken] = (await explorer.walk(scenario, 'usual')).broken
      walked += 1
      onRun(walked)
      if (broken === undefined || counterexample !== undefined) continue
      const short = replay ?? (await explorer.shorten(scenario))
      // The shortest may be such that it fails only now and then.
      const isShorter = short !== scenario
      const found =
        (await explorer.confirm(short)) ?? (isShorter ? await explorer.confirm(scenario) : undefined)
      if (found !== undefined) counterexample ??= { ...found, run }
      else unconfirmed.push(broken.clause)
    }
  }
  try {
    await Promise.all(Array.from({ length: lanes }, lane))
    return {
      ...{ seed, started, planned: runs, walked, counterexample, unconfirmed },
      seconds: (performance.now() - start) / 1000,
      requests: explorer.requests,
      unanswered: explorer.unanswered,
      stopped: signal.aborted,
      doubt: target.doubt,
    }
  } finally {
    target.close()
  }
}

class Explorer {
  requests = 0
  readonly unanswered = new Unanswered()
  readonly #target: ScenarioTarget
  readonly #signal: AbortSignal

  constructor(target: ScenarioTarget, signal: AbortSignal) {
    this.#target = target
    this.#signal = signal
  }

  async walk(scenario: readonly Step[], patience: Walking['patience']): Promise<Walked> {
    const { unanswered } = this
    const walked = await this.#target.walk(scenario, { patience, untilBroken: true, unanswered })
    this.requests += walked.requests
    return walked
  }

  /** The same, shorter. Of many tries none takes long, unless the target has been late itself. */
  shorten(scenario: readonly Step[]): Promise<readonly Step[]> {
    const most = this.requests + MOST_REQUESTS
    const fails = async (fewer: readonly Step[]) =>
      !this.#signal.aborted && this.requests < most && (await this.walk(fewer, 'learned')).broken.length > 0
    const { clock } = this.#target.profile
    return shrink(scenario, fails, clock === undefined ? MOST_TRIES : MOST_TRIES_BY_CLOCK)
  }

  /** Asks again, with all patience. */
  async confirm(scenario: readonly Step[]): Promise<Omit<Counterexample, 'run'> | undefined> {
    for (let time = 0; time < CONFIRMATIONS && !this.#signal.aborted; time++) {
      const { broken, told: all, exchanges, began } = await this.walk(scenario, 'thorough')
      if (broken[0] === undefined) continue
      const told = all.filter(({ passedOver }) => passedOver !== 'wholly')
      return { ...broken[0].why(), scenario: told.map(({ step }) => step), told, exchanges, began }
    }
    return undefined
  }
}
