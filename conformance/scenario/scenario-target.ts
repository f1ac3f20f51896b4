import { makeContact } from '../client/contact.js'
import { Credentials } from '../client/credentials.js'
import type { Exchange } from '../client/exchange.js'
import { Blocked, Inconclusive, NotApplicable } from '../client/findings.js'
import { FreshMessages } from '../client/fresh-messages.js'
import { measureTiming } from '../client/held-reading.js'
import { HttpClient } from '../client/http-client.js'
import { HttpTarget } from '../client/http-target.js'
import type { Meeting } from '../client/newcomer.js'
import { Pace } from '../client/pace.js'
import type { Profile } from '../client/profile.js'
import { contentsAreShown } from '../client/queue-contents.js'
import { randomDigits } from '../client/random.js'
import { RunClock } from '../client/run-clock.js'
import { RunMemory } from '../client/run-memory.js'
import { Speaker } from '../client/speaker.js'
import { sleep } from '../client/stops.js'
import { noteMoves, TargetClock } from '../client/target-clock.js'
import { needJudgeable } from '../client/tell-apart.js'
import { deriveTiming, longestLease, type Timing } from '../client/timing.js'
import type { Transport } from '../client/transport.js'
import { Unanswered } from '../client/unanswered.js'
import { Conversation } from './conversation.js'
import type { Step } from './step.js'
import { type Broken, type Told, Walk, type WalkOptions } from './walk.js'

/** How a scenario is walked. */
export interface Walking {
  /**
   * How long what must come is waited for. `usual`: as long as a check waits for it. `learned`: not for long, unless the target
   * has been late itself. `thorough`: as usual, and each change has its time to show first.
   */
  readonly patience: keyof Patiences
  /** Whether nothing is done any more once a clause is broken. */
  readonly untilBroken: boolean
  /** Takes note of requests that the target left without an answer, or answered with a 5xx. */
  readonly unanswered?: Unanswered
  readonly watch?: Watch | undefined
}

/** Is told how a walk goes: at its beginning, and after each step. */
export interface Watch {
  readonly begins: (talk: Conversation) => void
  readonly told: (told: Told) => void
}

interface Patiences {
  readonly usual: Patience
  readonly learned: Patience
  readonly thorough: Patience
}

/** How patient a walk is; milliseconds. */
type Patience = Pick<WalkOptions, 'patience' | 'quiet'>

/** What came of the steps of a scenario. */
export interface Walked {
  readonly told: readonly Told[]
  readonly broken: readonly Broken[]
  /** Why not all of it was done, or could be judged; undefined where it was. */
  readonly stopped: { readonly kind: 'not-applicable' | 'inconclusive'; readonly why: string } | undefined
  readonly requests: number
  /** Requests that the target left without an answer, or answered with a 5xx. */
  readonly unanswered: Pick<Unanswered, 'count' | 'first'>
  readonly exchanges: readonly Exchange[]
  readonly began: number
}

/** Milliseconds: a lease that costs nothing to wait for, and is long beside what a scenario takes. */
const LEASE_BY_CLOCK = 30_000
const ANSWER_TIMEOUT = 5000
/** How much later than ever before something may come while a scenario is made shorter. */
const TIMES_AS_LATE = 2
const NONE: Patience = { patience: 0, quiet: 0 }
/** Milliseconds after which an answer is slow. */
const SLOW = 50

export interface ScenarioTargetOptions {
  readonly profile: Profile
  readonly signal: AbortSignal
  /** How its requests get to it. @param now monotonic milliseconds, for the times of the exchanges */
  readonly transport: (now: () => number) => Transport
  /** Beside the target's own, which are sent the profile's headers where an answer of the target leads there. */
  readonly origins?: readonly string[] | undefined
  /**
   * Whether it is there for this alone, and all that it does shows at once, at a clock that nobody else moves: then nothing is waited
   * for, and names are as the scenario gives them. Default: it may be anybody's.
   */
  readonly isOwn?: boolean
}

/** What a target was found to be before any scenario. */
interface Met extends Omit<ScenarioTargetOptions, 'transport' | 'origins'> {
  readonly baseUrl: string
  readonly client: HttpClient
  readonly clock: RunClock
  readonly timing: Timing
  readonly credentials: Credentials
}

/** A target at which scenarios are walked, several at once, each under names of its own. */
export class ScenarioTarget {
  readonly profile: Profile
  readonly isSlow: boolean
  readonly #met: Met
  readonly #targetClock: TargetClock | undefined
  /** How late what must come has come at most: milliseconds. */
  #latest = 0
  #areContentsShown: Promise<boolean> | undefined
  readonly #memory = new RunMemory()

  private constructor(met: Met) {
    this.#met = met
    const { profile, clock, timing } = met
    this.profile = profile
    this.#targetClock = profile.clock && new TargetClock(profile, this.#target(), clock, timing.lease)
    this.isSlow = timing.latency > SLOW
  }

  /**
   * @throws {Unreachable} where nothing takes a connection
   * @throws {NotJudged} where nothing that is there can be told from what is not
   */
  static async at(baseUrl: string, options: ScenarioTargetOptions): Promise<ScenarioTarget> {
    const { profile, signal, transport, origins = [], isOwn = false } = options
    const clock = new RunClock()
    const credentials = new Credentials(profile, [baseUrl, ...origins])
    const client = new HttpClient(transport(clock.now), new Pace(profile.requestsPerSecond), credentials)
    const meeting = { baseUrl, profile, client, clock, signal }
    try {
      const timing = isOwn ? { ...deriveTiming(profile, 0), leaseGrace: 0 } : await meet(meeting)
      const choosesLease = profile.clock !== undefined && profile.subscription.parameters.timeout !== null
      const lease = choosesLease ? Math.min(LEASE_BY_CLOCK, longestLease(profile)) : timing.lease
      return new ScenarioTarget({ ...meeting, timing: { ...timing, lease }, credentials, isOwn })
    } catch (error) {
      client.close()
      throw error
    }
  }

  /** Why nothing can be said against the target: credentials were not sent to an origin that it names. */
  get doubt(): string | undefined {
    return this.#met.credentials.doubt
  }

  /** Whether nothing that it does shows late. */
  get isPrompt(): boolean {
    return this.#met.isOwn === true
  }

  close(): void {
    this.#met.client.close()
  }

  /** How long a lease lasts: milliseconds. */
  get lease(): number {
    return this.#met.timing.lease
  }

  /** Does what the steps say, judges each answer, and deletes what was made. */
  async walk(steps: readonly Step[], walking: Walking): Promise<Walked> {
    const { untilBroken, unanswered = new Unanswered() } = walking
    const { clock, signal, timing } = this.#met
    const target = this.#target()
    const prefix = this.isPrompt ? '' : `kit-${randomDigits()}`
    const hold = await this.#targetClock?.hold()
    const began = clock.now()
    let advanced = 0
    const { lease, leaseGrace } = timing
    const { renewedBy, leaseSeconds } = this.profile.subscription
    const messages = new FreshMessages(this.profile)
    const speaker = new Speaker({
      ...{ profile: this.profile, target, messages, memory: this.#memory, settle: timing.settle },
    })
    const talk = new Conversation({
      ...{ speaker, messages, prefix },
      lease: { length: lease, grace: leaseGrace, renewedBy },
      untoldLease: { length: leaseSeconds * 1000, grace: leaseGrace, renewedBy: [] },
      time: (first, last) => ({
        from: hold === undefined ? first.sentAt - began : advanced,
        to: this.isPrompt ? advanced : last.receivedAt - began,
      }),
      queuesShowContents: () => this.#queuesShowContents(),
    })
    const walk = new Walk({
      ...{ ...this.#patiences[walking.patience], talk, now: clock.now, unanswered },
      onLate: (took) => {
        this.#latest = Math.max(this.#latest, took)
      },
      time: () => (hold === undefined ? clock.now() - began : advanced),
      elapse: async (time) => {
        if (hold === undefined) await sleep(time, signal)
        else noteMoves(this.profile, target.exchanges, await hold.elapse(time))
        advanced += time
      },
    })
    let stopped: Walked['stopped']
    walking.watch?.begins(talk)
    try {
      for (const step of steps) {
        if (!walk.goesOn || signal.aborted || (untilBroken && walk.broken.length > 0)) break
        await walk.run(step)
        walking.watch?.told(walk.told.at(-1)!)
      }
    } catch (error) {
      stopped = whyStopped(error, signal)
    } finally {
      hold?.release()
    }
    if (signal.aborted) stopped ??= { kind: 'inconclusive', why: 'it was stopped' }
    if (walk.isBlurred) {
      const why = 'there are more ways in which things may stand than can be followed'
      stopped ??= { kind: 'inconclusive', why }
    }
    const exchanges = [...target.exchanges]
    await this.#clear(talk)
    const { told, broken, requests } = walk
    return { told, broken, stopped, requests, unanswered, exchanges, began }
  }

  get #patiences(): Patiences {
    const { latency, settle, timeout } = this.#met.timing
    const quiet = settle === 0 ? 0 : 1.3 * settle + latency
    if (this.#met.isOwn) return { usual: NONE, learned: NONE, thorough: NONE }
    const quick = Math.max(250, 10 * latency) + 2 * settle
    return {
      usual: { patience: timeout, quiet },
      learned: { patience: Math.min(timeout, Math.max(quick, TIMES_AS_LATE * this.#latest)), quiet },
      thorough: { patience: timeout, quiet: Math.max(60, 2 * settle + 5 * latency) },
    }
  }

  /** Deletes what was made, and what a request without an answer may have made. */
  async #clear(talk: Conversation): Promise<void> {
    const { queues, asked, subscriptions, speaker } = talk
    const { target } = speaker
    // To create a queue again tells its address, whether it was there or not.
    const untold = [...asked].filter((name) => !queues.has(name))
    const created = await Promise.all(
      untold.map((name) => speaker.createQueue(talk.path(name)).catch(() => undefined)),
    )
    const told = created.flatMap((exchange) => (exchange && target.location(exchange)) ?? [])
    const made = [...subscriptions, ...[...queues.values()].map(({ uri }) => uri), ...told]
    await Promise.all(made.map((uri) => target.request('DELETE', uri)))
  }

  /** Asked once, with a queue and a message of its own. */
  #queuesShowContents(): Promise<boolean> {
    const { timeout } = this.#met.timing
    this.#areContentsShown ??= contentsAreShown(this.#met, this.#answerTimeout, timeout)
    return this.#areContentsShown
  }

  get #answerTimeout(): number {
    return ANSWER_TIMEOUT + this.#met.timing.held
  }

  #target(): HttpTarget {
    const { baseUrl, profile, client, signal } = this.#met
    return new HttpTarget({ baseUrl, profile, client, answerTimeout: this.#answerTimeout, signal })
  }
}

/** How long a target takes, if there is anything to judge. */
async function meet(meeting: Meeting): Promise<Timing> {
  const { baseUrl, profile, client, signal } = meeting
  const contact = await makeContact(baseUrl, profile, client, 2, signal)
  await needJudgeable(contact, meeting)
  return measureTiming(contact, meeting)
}

/** Why a walk ended before its end. @throws what is nobody's finding */
function whyStopped(error: unknown, { aborted }: AbortSignal): Walked['stopped'] {
  if (error instanceof NotApplicable) return { kind: 'not-applicable', why: error.message }
  if (error instanceof Blocked) return { kind: 'inconclusive', why: error.seen }
  if (error instanceof Inconclusive) return { kind: 'inconclusive', why: error.message }
  if (aborted) return undefined
  throw error
}
