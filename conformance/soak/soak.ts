import { randomBytes } from 'node:crypto'

import { baseUrlOf } from '../client/base-url.js'
import { makeContact, Unreachable } from '../client/contact.js'
import { Credentials } from '../client/credentials.js'
import { measureTiming } from '../client/held-reading.js'
import { HttpClient } from '../client/http-client.js'
import { HttpTarget, type HttpTargetOptions } from '../client/http-target.js'
import { Pace } from '../client/pace.js'
import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import type { Profile } from '../client/profile.js'
import { allowedSegment, namePrefix, nameProblem } from '../client/queue-names.js'
import { RunMemory } from '../client/run-memory.js'
import { Sockets } from '../client/sockets.js'
import { sleep } from '../client/stops.js'
import { needJudgeable } from '../client/tell-apart.js'
import { Unanswered } from '../client/unanswered.js'
import { Random } from '../explore/random.js'
import type { Timing } from '../trial/trial.js'
import { consumeByAlternative, mappingsOf } from './alternatives.js'
import { pathOf, type Shared, SoakClient, SoakTarget } from './client.js'
import { consumeForAWhile } from './consumer.js'
import { drain } from './drain.js'
import { makeFaults } from './faults.js'
import type { Violation } from './history.js'
import { Judge } from './judge.js'
import { produce } from './producer.js'
import { comeAndGo } from './short-lived-queues.js'

export interface SoakOptions {
  readonly profile?: Profile
  /** How long producers and consumers work; default 60. Then what is left is consumed. */
  readonly seconds?: number
  /** Default 4 and 8. */
  readonly producers?: number
  readonly consumers?: number
  /** Messages a second, of all producers together; default: as many as come. */
  readonly rate?: number | undefined
  readonly seed?: number
  /** Whether the target is a mock broker with `--control`, which makes its own faults too. */
  readonly control?: boolean
  /** Origins beside the target's own that are sent the profile's headers where an answer of the target leads there. */
  readonly origins?: readonly string[]
  readonly signal?: AbortSignal
  /** Called about once a second. */
  readonly onProgress?: (progress: SoakCounts) => void
}

export interface SoakCounts {
  readonly seconds: number
  readonly requests: number
  readonly sent: number
  readonly acknowledged: number
  /** Requests whose outcome nobody knows, most of them since they were cut. */
  readonly unknown: number
}

export interface Soak extends SoakCounts {
  readonly started: Date
  readonly violation: Violation | undefined
  /** Requests that were not cut and had a 5xx or no answer. */
  readonly unanswered: Pick<Unanswered, 'count' | 'first'>
  readonly stopped: boolean
  /** Why nothing can be said against the target: credentials were not sent to an origin that it names. */
  readonly doubt?: string | undefined
  /** Messages of which nobody knows whether they were lost, since no last consumer could consume from their queues. */
  readonly unconsumed: number
}

/** Milliseconds. */
const ANSWER_TIMEOUT = 5000
const TICK = 50
const SECOND = 1000
/** How often a queue is asked for, and milliseconds between. */
const TRIES = 20
const TRY_AGAIN = 100
/** Between two looks at what the queues show: milliseconds. */
const LOOK_AGAIN = 1000
/** The queue that consumers of section 4.2 alone consume. */
const OF_TURNS = '4'

/**
 * Sends and consumes at a target, many at once, with connections that break, and judges the history.
 *
 * @throws {Unreachable} where nothing takes a connection, or no faults, or no queue can be created
 * @throws {NotJudged} where nothing that is there can be told from what is not
 */
export async function soak(url: string, options: SoakOptions = {}): Promise<Soak> {
  const { profile = DEFAULT_PROFILE, seconds = 60, producers = 4, consumers = 8, seed = 1 } = options
  const signal = options.signal ?? new AbortController().signal
  const run = new Run(baseUrlOf(url), profile, signal, options)
  const started = new Date()
  try {
    const timing = await run.contact()
    const progress = setInterval(() => options.onProgress?.(run.counts), SECOND)
    const clock = profile.clock && run.moveClock()
    let endFaults: (() => Promise<void>) | undefined
    try {
      await run.make()
      endFaults = options.control ? await run.makeFaults() : undefined
      const { shared } = run
      const until = performance.now() + seconds * SECOND
      const goesOn = () => performance.now() < until && !run.isOver
      const work = [
        ...Array.from({ length: producers }, (_, n) =>
          produce(run.client(`Producer ${n + 1}`, seed + n), shared, goesOn),
        ),
        ...Array.from({ length: consumers }, (_, n) =>
          consumeForAWhile(run.client(`Consumer ${n + 1}`, seed + 1000 + n), shared, goesOn),
        ),
        comeAndGo(run.client('The creator of queues', seed + 2000), shared, goesOn),
        browseAll(run.client('The reader of queues', seed), shared, goesOn),
      ]
      const alternative = mappingsOf(profile).flatMap((mapping, n) =>
        ['x', 'y'].map((letter, each) => {
          const name = `${letter}${n + 1}`
          const client = run.client(`Consumer ${name}`, seed + 3000 + 2 * n + each)
          return consumeByAlternative(client, shared, mapping, name, goesOn)
        }),
      )
      await Promise.all([...work, ...alternative])
      await endFaults?.()
      endFaults = undefined
      // What was abandoned goes to others when its lease has ended.
      if (!run.isOver) await sleep(timing.lease + timing.leaseGrace, signal).catch(() => {})
      if (!run.isOver) await run.consumeTheRest(run.client('The last consumer', seed))
    } finally {
      await endFaults?.()
      await run.clean()
      clock?.()
      clearInterval(progress)
    }
    return {
      ...run.counts,
      started,
      violation: run.violation,
      unanswered: run.shared.unanswered,
      stopped: signal.aborted,
      doubt: run.credentials.doubt,
      unconsumed: run.unconsumed,
    }
  } finally {
    run.close()
  }
}

/** What is sent and not acknowledged stands in the feed of its queue: what is lost is seen there soon. */
async function browseAll(client: SoakClient, shared: Shared, goesOn: () => boolean): Promise<void> {
  while (goesOn()) {
    for (const { name } of shared.queues) await client.ask({ do: 'browseQueue', queue: name })
    await sleep(LOOK_AGAIN)
  }
}

/** What all clients of a soak work with. */
class Run {
  violation: Violation | undefined
  unconsumed = 0
  readonly credentials: Credentials
  readonly #baseUrl: string
  readonly #profile: Profile
  readonly #signal: AbortSignal
  readonly #clients: HttpClient[] = []
  readonly #began = performance.now()
  readonly #rate: number | undefined
  readonly #pace: Pace
  /** Addresses of queues that take only posts, and where these queues are read and deleted. */
  readonly #readAt = new Map<string, string>()
  #shared: Shared | undefined

  constructor(
    baseUrl: string,
    profile: Profile,
    signal: AbortSignal,
    { rate, origins = [] }: Pick<SoakOptions, 'rate' | 'origins'>,
  ) {
    this.credentials = new Credentials(profile, [baseUrl, ...origins])
    this.#baseUrl = baseUrl
    this.#profile = profile
    this.#signal = signal
    this.#rate = rate
    this.#pace = new Pace(profile.requestsPerSecond)
  }

  get shared(): Shared {
    return this.#shared!
  }

  get isOver(): boolean {
    return this.violation !== undefined || this.#signal.aborted
  }

  get counts(): SoakCounts {
    const { requests = 0, sent = 0, acknowledged = 0, unknown = 0 } = this.#shared ?? {}
    return { seconds: (performance.now() - this.#began) / SECOND, requests, sent, acknowledged, unknown }
  }

  async contact(): Promise<Timing> {
    const client = this.#client()
    const [baseUrl, profile, signal] = [this.#baseUrl, this.#profile, this.#signal]
    const contact = await makeContact(baseUrl, profile, client, 8, signal)
    const meeting = { baseUrl, profile, client, signal }
    await needJudgeable(contact, meeting)
    const timing = await measureTiming(contact, meeting)
    this.#shared = {
      ...{
        profile: this.#profile,
        timing,
        prefix: this.#prefix(),
        rate: this.#rate,
        began: performance.now(),
      },
      ...{
        judge: new Judge(timing.settle, timing.timeout),
        queues: [],
        shortLived: [],
        doubtful: [],
        alternativeQueue: undefined,
        old: [],
        memory: new RunMemory(),
        subscriptions: new Map(),
        uris: new Map(),
        clock: undefined,
      },
      ...{
        requests: 0,
        sent: 0,
        acknowledged: 0,
        unknown: 0,
        unanswered: new Unanswered(),
        numbered: 0,
        subscribed: 0,
      },
      found: (violation) => {
        this.violation ??= violation
      },
      isOver: () => this.isOver,
    }
    return timing
  }

  /** What every name begins with, in what the profile allows. */
  #prefix(): string {
    return namePrefix(this.#profile) + allowedSegment(this.#profile, `kit-${randomBytes(5).toString('hex')}`)
  }

  /** Makes the queues. */
  async make(): Promise<void> {
    const client = this.client('The soak', 0)
    const hasTurns = mappingsOf(this.#profile).length > 0
    for (const name of ['1/a', '1/b', '2', ...(hasTurns ? [OF_TURNS] : [])]) {
      if (nameProblem(this.#profile, pathOf(this.shared, name)) !== undefined) continue
      const uri = await this.#createdQueue(client, name)
      if (uri !== undefined) this.shared.queues.push({ name, uri })
    }
    this.shared.alternativeQueue = this.shared.queues.find(({ name }) => name === OF_TURNS)
    if (this.shared.queues.length === 0 && !this.isOver)
      throw new Unreachable(`no queue could be created at ${this.#baseUrl}`)
    await sleep(this.shared.timing.settle)
  }

  /** Consumes what is left, and asks what was lost. */
  async consumeTheRest(client: SoakClient): Promise<void> {
    const { judge, found } = this.shared
    const consumed = await drain(client, this.shared)
    found(judge.lost(consumed))
    if (!this.isOver) this.unconsumed = judge.leftIn((queue) => !consumed.has(queue))
  }

  /** A target may ask to come again. */
  async #createdQueue(client: SoakClient, name: string): Promise<string | undefined> {
    for (let tries = 0; tries < TRIES && !this.isOver; tries++) {
      const { uri, outcome } = await client.createQueue(name)
      if (uri !== undefined || outcome !== 'unknown') return uri
      await sleep(TRY_AGAIN)
    }
    return undefined
  }

  makeFaults(): Promise<() => Promise<void>> {
    return makeFaults(this.#target(this.#client(), undefined))
  }

  /** Deletes what was made, as far as it can. */
  async clean(): Promise<void> {
    const target = this.#target(this.#client(), undefined)
    const { queues = [], shortLived = [], doubtful = [], subscriptions = new Map() } = this.#shared ?? {}
    const made = [...subscriptions.values(), ...[...queues, ...shortLived].map(({ uri }) => uri), ...doubtful]
    while (made.length > 0) await Promise.all(made.splice(0, 8).map((uri) => target.request('DELETE', uri)))
  }

  client(who: string, seed: number): SoakClient {
    return new SoakClient({
      ...{ who, shared: this.shared, random: new Random(seed) },
      target: new SoakTarget(this.#targetOf(this.#client(), this.#signal), () => this.#shared),
    })
  }

  /** Lets the target's clock, which stands still by itself, go as real time does. @returns what ends it */
  moveClock(): () => void {
    const { method, path, headers, body } = this.#profile.clock!.advance
    const target = this.#target(this.#client(), undefined)
    let moved = performance.now()
    this.shared.clock = moved
    /** Steps whose answer never came: milliseconds. */
    let doubtful = 0
    let moving = false
    const timer = setInterval(async () => {
      const step = Math.floor(performance.now() - moved)
      if (moving || step <= 0) return
      moving = true
      moved += step
      const { status } = await target.request(method, target.at(path), {
        headers: { ...headers },
        body: body.replaceAll('{ms}', String(step)),
      })
      target.exchanges.length = 0
      if (status === 0 || status >= 300) doubtful += step
      this.shared.clock = moved - doubtful
      moving = false
    }, TICK)
    return () => clearInterval(timer)
  }

  close(): void {
    for (const client of this.#clients) client.close()
  }

  #client(): HttpClient {
    const client = new HttpClient(new Sockets(), this.#pace, this.credentials)
    this.#clients.push(client)
    return client
  }

  #target(client: HttpClient, signal: AbortSignal | undefined): HttpTarget {
    return new HttpTarget(this.#targetOf(client, signal))
  }

  #targetOf(client: HttpClient, signal: AbortSignal | undefined): HttpTargetOptions {
    return {
      ...{ baseUrl: this.#baseUrl, profile: this.#profile, client, readAt: this.#readAt },
      answerTimeout: ANSWER_TIMEOUT + (this.#shared?.timing.held ?? 0),
      ...(signal === undefined ? {} : { signal }),
    }
  }
}
