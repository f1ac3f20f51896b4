import { Credentials } from '../client/credentials.js'
import { FreshMessages } from '../client/fresh-messages.js'
import { HttpClient } from '../client/http-client.js'
import { HttpTarget } from '../client/http-target.js'
import { Pace } from '../client/pace.js'
import type { Profile } from '../client/profile.js'
import { contentsAreShown } from '../client/queue-contents.js'
import { randomDigits } from '../client/random.js'
import { RunClock } from '../client/run-clock.js'
import { RunMemory } from '../client/run-memory.js'
import { Speaker } from '../client/speaker.js'
import { sleep } from '../client/stops.js'
import { noteMoves, TargetClock } from '../client/target-clock.js'
import { meet } from '../client/tell-apart.js'
import { deriveTiming, lateBy, longestLease, type Timing } from '../client/timing.js'
import type { Transport } from '../client/transport.js'
import { Unanswered } from '../client/unanswered.js'
import type { Place, Walking } from './carry-out.js'
import type { Conversation } from './conversation.js'
import type { Step } from './step.js'
import { type Patience, patiencesOf, type Walked, walkIn } from './walk-in.js'

/** Milliseconds: a lease that costs nothing to wait for, and is long beside what a scenario takes. */
const LEASE_BY_CLOCK = 30_000
const ANSWER_TIMEOUT = 5000
const NONE: Patience = { patience: 0, quiet: 0 }
/** Milliseconds after which an answer is slow: more than it takes where the machine is busy. */
const SLOW = 150

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
export class ScenarioTarget implements Place {
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
      const timing = isOwn ? { ...deriveTiming(profile, 0), leaseGrace: 0 } : await meet(meeting, 2)
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
    const { untilBroken, unanswered = new Unanswered(), watch } = walking
    const { signal, timing, clock } = this.#met
    const target = this.#target()
    const prefix = this.isPrompt ? '' : `kit-${randomDigits()}`
    const hold = await this.#targetClock?.hold()
    const messages = new FreshMessages(this.profile)
    const speaker = new Speaker({
      ...{ profile: this.profile, target, messages, memory: this.#memory, settle: timing.settle },
    })
    const place = {
      ...{ profile: this.profile, timing, speaker, messages, now: clock.now },
      elapse: async (time: number) => {
        if (hold === undefined) await sleep(time, signal)
        else noteMoves(this.profile, target.exchanges, await hold.elapse(time))
      },
      late: async () => {
        const time = lateBy(timing)
        await place.elapse(time)
        return time
      },
      rest: (time: number) => sleep(time, signal),
    }
    let talk: Conversation | undefined
    try {
      return await walkIn(place, steps, {
        ...(this.isPrompt ? NONE : patiencesOf(timing, this.#latest)[walking.patience]),
        ...{ prefix, untilBroken, unanswered },
        ...{ lease: timing.lease, signal, watch, isPrompt: this.isPrompt },
        onLate: (took) => {
          this.#latest = Math.max(this.#latest, took)
        },
        queuesShowContents: () => this.#queuesShowContents(),
        onTalk: (begun) => {
          talk = begun
        },
      })
    } finally {
      hold?.release()
      if (talk !== undefined) await this.#clear(talk)
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
