import { answered } from '../client/answered.js'
import type { Exchange } from '../client/exchange.js'
import { Blocked, Ended, Failed, Inconclusive, NotApplicable, unlessBlocked } from '../client/findings.js'
import { heldReading } from '../client/held-reading.js'
import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import type { Feature, Profile } from '../client/profile.js'
import { type Destination, subscriptionRequest } from '../client/subscription-request.js'
import { whyNotJudged } from '../client/tell-apart.js'
import { LONG_LEASE } from '../client/timing.js'
import { createdAt } from '../trial/addresses.js'
import type { CheckTrial } from '../trial/check-trial.js'
import type { QueueHandle, Sent } from '../trial/trial.js'
import { type ProbeTrial, ProbeTrials, type ProbeTrialsOptions } from './probe-trials.js'

/**
 * What was tried at one point of a profile, and what was seen.
 *
 * @example
 * ```ts
 * const lineOf = ({ about, text }: Note) => `${about}: ${text}`
 * ```
 */
export interface Note {
  /** The field of the profile, as `subscription.wildcard`, or what else it is about. */
  readonly about: string
  /** One or more sentences. */
  readonly text: string
}

/** Fields of a form or of a request, with their values. */
export type Fields = Readonly<Record<string, string>>

/** A profile that is still being filled in. */
export type Draft = DeepMutable<Profile>

type DeepMutable<T> = T extends readonly (infer E)[]
  ? DeepMutable<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: DeepMutable<T[K]> }
    : T

export interface ProberOptions extends ProbeTrialsOptions {
  /** What is known of the target at the beginning. */
  readonly profile: Profile
}

/** Before it is known how long effects take to show, they are waited for this long: milliseconds. */
const UNKNOWN_SETTLING = 1000
/** Requests a second that one of several findings at once should have. */
const PACE_OF_ONE = 15
/** Subscriptions that one of several findings at once may have. */
const ROOM_OF_ONE = 6

/** What all findings share: the target, what is known of it so far, and what may still be asked. */
export class Prober {
  /** What is known so far; each finding writes its own fields. */
  readonly draft: Draft
  readonly notes: Note[] = []
  readonly baseUrl: string
  /** How long an effect is waited for that may never show: milliseconds. */
  timeout: number
  /** Fields that every form of a subscription needs, beside the profile's fixed ones, as far as they are known. */
  needed: Fields = {}
  /** Fields that a form may have, and that make its feed roomy. */
  roomy: Fields = {}
  /** Whether it is known how a lease is asked for. */
  timed = false
  /** Whether it is known how messages arrive; before that, any that holds its text counts. */
  knowsArrival = false
  /** Whether only the ways of the profile are tried, and no others. */
  narrow = false
  /** How many subscriptions the target takes at once; undefined where it has not refused any for that. */
  room: number | undefined
  readonly #options: ProberOptions
  readonly #trials: ProbeTrials
  /** What the target says of what is not there, by the method that it is asked by. */
  readonly #ofNothing = new Map<string, Promise<Exchange | undefined>>()

  constructor(options: ProberOptions) {
    this.#options = options
    this.baseUrl = options.baseUrl
    this.draft = structuredClone(options.profile) as Draft
    this.#trials = new ProbeTrials(options)
    this.timeout = UNKNOWN_SETTLING + 10 * options.latency
  }

  /** Makes subscriptions as the profile says, and looks for no other ways than its own. */
  heedOnlyProfile(): void {
    const { parameters } = this.draft.subscription
    this.narrow = true
    this.timed = true
    this.knowsArrival = true
    this.roomy = parameters.prefetch === null ? {} : { [parameters.prefetch]: '10' }
    const settle = this.draft.settleSeconds
    this.timeout = 300 + 8 * this.latency + 2000 * settle
  }

  get latency(): number {
    return this.#options.latency
  }

  /** Notes how long an empty reading of a subscription is held, and takes more time for itself. */
  async findHeldReadings(): Promise<void> {
    await using trial = this.trial()
    const held = await heldReading(this.#meeting(trial.profile), this.latency)
    if (held === 0) return
    this.note('readings', `An empty reading of a subscription is held for ${(held / 1000).toFixed(1)} s.`)
    this.#trials.waitForHeld(held)
  }

  /** Why there is nothing here to be judged, by what was found so far; undefined where there is something. */
  whyNotJudged(): Promise<string | undefined> {
    const meeting = this.#meeting(structuredClone(this.draft))
    return whyNotJudged({ latency: this.latency, answers: true }, meeting)
  }

  #meeting(profile: Profile) {
    const { client, signal = this.#trials.signal } = this.#options
    return { baseUrl: this.baseUrl, profile, client, signal }
  }

  /** Whether nothing more may be asked. */
  get isOver(): boolean {
    return this.#trials.isOver
  }

  /** Carries out several findings: at once, or one after another where the target bears only so much at once. */
  async together(findings: readonly (() => Promise<unknown>)[]): Promise<void> {
    if (this.#pace === undefined && this.room === undefined)
      await Promise.all(findings.map((finding) => finding()))
    else for (const finding of findings) await finding()
  }

  /**
   * What `operation` gives for each of several: all at once, or as few at once as leave each enough of the target's pace
   * that what takes time is not over before it was looked at, and room for their subscriptions.
   */
  async each<T, R>(all: readonly T[], operation: (item: T) => Promise<R>): Promise<R[]> {
    const results: R[] = []
    const [pace, room] = [this.#pace ?? Number.POSITIVE_INFINITY, this.room ?? Number.POSITIVE_INFINITY]
    const atOnce = Math.max(1, Math.floor(Math.min(pace / PACE_OF_ONE, room / ROOM_OF_ONE)))
    for (let from = 0; from < all.length; from += atOnce)
      results.push(...(await Promise.all(all.slice(from, from + atOnce).map(operation))))
    return results
  }

  /** The first of several for which `ask` finds something, and that: the likeliest by itself, and then all others. */
  async firstOf<T, R>(
    all: readonly T[],
    ask: (item: T) => Promise<R | undefined>,
  ): Promise<{ readonly item: T; readonly found: R } | undefined> {
    for (const wave of [all.slice(0, 1), all.slice(1)]) {
      const asked = await this.each(wave, ask)
      const at = asked.findIndex((found) => found !== undefined)
      if (at >= 0) return { item: wave[at]!, found: asked[at]! }
    }
    return undefined
  }

  get #pace(): number | undefined {
    return this.#options.client.pace.requestsPerSecond
  }

  note(about: string, text: string): void {
    this.notes.push({ about, text })
  }

  /** Says whether the target has a feature, and what was seen of it. */
  claim(feature: Feature, isThere: boolean, text: string): void {
    this.draft.features[feature] = isThere
    this.note(`features.${feature}`, text)
  }

  /**
   * A trial with names of its own, on what is known so far, or on that as `change` has it. The queues and subscriptions that it
   * has made are deleted when it is disposed of: a target may take only so many at once.
   */
  trial(change: (profile: Draft) => void = () => {}): ProbeTrial {
    const profile = structuredClone(this.draft)
    const { subscription } = profile
    subscription.fixed = { ...subscription.fixed, ...this.needed }
    if (!this.timed && subscription.parameters.timeout !== null) {
      subscription.parameters.timeout = null
      // Nobody has said how long the target's own leases are: none is taken for over before the probe is.
      subscription.leaseSeconds = LONG_LEASE / 1000
    }
    if (!this.knowsArrival) profile.message.arrives = 'contains'
    change(profile)
    return this.#trials.make(profile, this.timeout)
  }

  /** Carries out one finding. Whatever the target does, this ends well, with a note where nothing could be seen. */
  async find<T>(about: string, finding: () => Promise<T>): Promise<T | undefined> {
    try {
      return await finding()
    } catch (error) {
      this.note(about, `Could not be seen: ${this.#reason(error)}.`)
      // What the target was not asked to the end is not known, unlike what it refused or has not.
      if (isUnasked(error) && isField(about)) this.draft.unknown.push(about)
      return undefined
    }
  }

  /**
   * Carries out the finding of a feature. One that could not be asked for, or not for its own sake, is unknown where it was not
   * seen, and a note quotes why.
   */
  async findFeature(feature: Feature, finding: () => Promise<unknown>): Promise<void> {
    const about = `features.${feature}`
    const asked: (readonly Exchange[])[] = []
    let isOpen = false
    await this.find(about, async () => {
      try {
        await this.#trials.recording(asked, finding)
      } catch (error) {
        isOpen = error instanceof Blocked && GROUND.has(error.by.split('.')[0]!)
        throw error
      }
    })
    const { features, unknown } = this.draft
    if (features[feature] || unknown.includes(about)) return
    const others: Exchange[] = []
    for (const answer of asked.flat().filter((each) => isAboutElse(each, feature)))
      if (!(await this.#isForWhatIsNot(answer))) others.push(answer)
    const [first] = others
    if (first === undefined && !isOpen) return
    unknown.push(about)
    if (first === undefined) return
    const gave = `${first.method} ${first.url} gave ${answered(first)}`
    this.note(about, `Whether the target has it is open: ${gave}.`)
  }

  /** Whether a 403 is what the target says of whatever it does not have, too. */
  async #isForWhatIsNot({ method, status, body }: Exchange): Promise<boolean> {
    if (status !== 403 || this.isOver) return false
    const nothing = this.#ofNothing.get(method) ?? this.#askForNothing(method)
    this.#ofNothing.set(method, nothing)
    const answer = await nothing
    return answer?.status === status && answer.body.equals(body)
  }

  async #askForNothing(method: string): Promise<Exchange | undefined> {
    await using trial = this.trial()
    const address = trial.target.at(`/${trial.freshName()}`)
    return trial.target.request(method, address).catch(() => undefined)
  }

  /** What an operation gives; undefined where the target does not answer it as the document says. */
  readonly attempt = unlessBlocked

  /** POST of a subscription with these fields and those that every form needs, whatever comes. */
  subscribe(trial: CheckTrial, destinations: readonly Destination[], fields: Fields = {}): Promise<Made> {
    const { headers, body } = subscriptionRequest(this.draft, destinations, {})
    const form = new URLSearchParams(body)
    for (const [name, value] of Object.entries({ ...this.needed, ...this.roomy, ...fields }))
      form.set(name, value)
    return postForm(trial, form, headers)
  }

  /**
   * Of fields that had no effect, the first that the target knows all the same: it takes it, and refuses one that
   * nobody knows.
   */
  async known(names: readonly string[], value: string): Promise<string | undefined> {
    await using trial = this.trial()
    const queue = await this.queue(trial)
    const takes = async (name: string) =>
      (await this.subscribe(trial, [queue], { [name]: value })).uri !== undefined
    if (await takes('kit-unheard-of')) return undefined
    const taken = await this.each(names, takes)
    return names[taken.indexOf(true)]
  }

  /** The address of a subscription with these fields and those that every form needs. Blocked where there is none. */
  async consumer(
    trial: CheckTrial,
    destinations: readonly Destination[],
    fields: Fields = {},
  ): Promise<string> {
    const { answer, uri } = await this.subscribe(trial, destinations, fields)
    if (uri === undefined)
      throw new Blocked('subscribe.create', `the POST of a subscription gave ${answered(answer)}`)
    return uri
  }

  /** The bodies in a feed once there are `count` of them and no more come, or the timeout passes. Blocked where it has none. */
  async settledBodies(trial: CheckTrial, uri: string, count: number): Promise<string[]> {
    let bodies: string[] = []
    const read = async () => {
      bodies = await trial.bodies((await trial.readFeed(uri, 'consume.feed')).entries)
    }
    await trial.eventually(async () => {
      await read()
      return bodies.length >= count || undefined
    })
    await trial.never(read)
    return bodies
  }

  /** A fresh queue with a fresh message, which shows in its feed. */
  async filledQueue(trial: CheckTrial): Promise<{ queue: QueueHandle; sent: Sent }> {
    const queue = await this.queue(trial)
    const sent = await trial.send(queue)
    await trial.eventually(async () => {
      const feed = await this.attempt(() => trial.browse(queue))
      return (feed !== undefined && feed.entries.length > 0) || undefined
    })
    return { queue, sent }
  }

  /** A fresh queue that is there. */
  async queue(trial: CheckTrial, path: string = trial.freshName()): Promise<QueueHandle> {
    const queue = await trial.createQueue(path)
    await trial.eventually(async () => (await isAlive(trial, queue.uri)) || undefined)
    return queue
  }

  /** Nothing is asked any more. */
  end(): void {
    this.#trials.end()
  }

  #reason(error: unknown): string {
    if (error instanceof Ended || (error as Error).name === 'AbortError') {
      return this.#trials.isSpent ? 'too many requests would have been needed' : 'the time for it was over'
    }
    const findings = [Blocked, Failed, Inconclusive, NotApplicable]
    if (findings.some((finding) => error instanceof finding)) return (error as Error).message
    return `the kit failed, not the target: ${error instanceof Error ? error.message : String(error)}`
  }
}

function isUnasked(error: unknown): boolean {
  return error instanceof Ended || error instanceof Inconclusive || (error as Error).name === 'AbortError'
}

/** Topics of the operations that every feature is looked for with. */
const GROUND: ReadonlySet<string> = new Set(['queues', 'browse', 'send', 'subscribe', 'consume'])

/** Whether an answer says nothing of the feature that it was asked for: none came, for now none does, or not to these credentials. */
function isAboutElse({ status }: Exchange, feature: Feature): boolean {
  // Who may read a feed is asked by refusals.
  if (status === 401 || status === 403) return feature !== 'auth'
  return status === 0 || status === 429 || (status >= 500 && status !== 501)
}

/** Whether a note is about a field of the profile. */
function isField(about: string): boolean {
  return Object.hasOwn(DEFAULT_PROFILE, about.split('.')[0]!)
}

/** What came of the POST of a subscription, and its address where there is one. */
export interface Made {
  readonly answer: Exchange
  readonly uri: string | undefined
}

/** POST of a form to `/subscriptions`, whatever comes. A 429 is for want of room where the target is known to want no pace. */
export async function postForm(trial: CheckTrial, form: URLSearchParams, headers: Fields): Promise<Made> {
  const { target } = trial
  const post = (patient: boolean) =>
    target.request('POST', target.at('/subscriptions'), { headers, body: form.toString(), patient })
  const first = await post(target.isPaced)
  const answer = first.status === 503 ? await post(true) : first
  return { answer, uri: createdAt(trial, answer) }
}

/** Whether a queue or a subscription can be read, which may renew it; undefined where there never was one. */
export async function isAlive(trial: CheckTrial, uri: string | undefined): Promise<boolean | undefined> {
  return uri === undefined ? undefined : (await trial.target.request('GET', uri)).status === 200
}
