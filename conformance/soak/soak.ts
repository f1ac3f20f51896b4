import { baseUrlOf } from '../client/base-url.js'
import { Unreachable } from '../client/contact.js'
import { Credentials } from '../client/credentials.js'
import { HttpClient } from '../client/http-client.js'
import { HttpTarget, type HttpTargetOptions } from '../client/http-target.js'
import { Pace } from '../client/pace.js'
import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import type { Profile } from '../client/profile.js'
import { allowedSegment, namePrefix, nameProblem } from '../client/queue-names.js'
import { randomDigits } from '../client/random.js'
import { Sockets } from '../client/sockets.js'
import { sleep } from '../client/stops.js'
import { moveClock } from '../client/target-clock.js'
import { meet } from '../client/tell-apart.js'
import type { Unanswered } from '../client/unanswered.js'
import { Random } from '../explore/random.js'
import { consumeByAlternative, mappingsOf } from './alternatives.js'
import { pathOf, Shared, SoakClient, SoakTarget } from './client.js'
import { consumeForAWhile } from './consumer.js'
import { drain } from './drain.js'
import { makeFaults } from './faults.js'
import type { Violation } from './history.js'
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
    const shared = await run.contact()
    const { lease, leaseGrace } = shared.timing
    const counts = (): SoakCounts => {
      const { began, requests, sent, acknowledged, unknown } = shared
      return { seconds: (performance.now() - began) / SECOND, requests, sent, acknowledged, unknown }
    }
    const progress = setInterval(() => options.onProgress?.(counts()), SECOND)
    const clock = profile.clock && run.moveClock()
    let endFaults: (() => Promise<void>) | undefined
    let unconsumed = 0
    try {
      await run.make()
      endFaults = options.control ? await makeFaults(run.target()) : undefined
      const until = performance.now() + seconds * SECOND
      const goesOn = () => performance.now() < until && !shared.isOver
      const many = (count: number, who: string, seed: number) =>
        Array.from({ length: count }, (_, n) => run.client(`${who} ${n + 1}`, seed + n))
      const alternative = mappingsOf(profile).flatMap((mapping, n) =>
        ['x', 'y'].map((letter, each) => {
          const name = `${letter}${n + 1}`
          const client = run.client(`Consumer ${name}`, seed + 3000 + 2 * n + each)
          return consumeByAlternative(client, mapping, name, goesOn)
        }),
      )
      await Promise.all([
        ...many(producers, 'Producer', seed).map((client) => produce(client, goesOn)),
        ...many(consumers, 'Consumer', seed + 1000).map((client) => consumeForAWhile(client, goesOn)),
        comeAndGo(run.client('The creator of queues', seed + 2000), goesOn),
        browseAll(run.client('The reader of queues', seed), goesOn),
        ...alternative,
      ])
      await endFaults?.()
      endFaults = undefined
      // What was abandoned goes to others when its lease has ended.
      if (!shared.isOver) await sleep(lease + leaseGrace, signal).catch(() => {})
      if (!shared.isOver) unconsumed = await consumeTheRest(run.client('The last consumer', seed))
    } finally {
      await endFaults?.()
      await run.clean()
      clock?.()
      clearInterval(progress)
    }
    const { violation, unanswered } = shared
    const { doubt } = run.credentials
    return { ...counts(), started, violation, unanswered, stopped: signal.aborted, doubt, unconsumed }
  } finally {
    run.close()
  }
}

/** Consumes what is left, and asks what was lost. @returns how many messages were left of which nobody knows */
async function consumeTheRest(client: SoakClient): Promise<number> {
  const { shared } = client
  const { judge } = shared
  const consumed = await drain(client)
  shared.found(judge.lost(consumed))
  return shared.isOver ? 0 : judge.leftIn((queue) => !consumed.has(queue))
}

/** What is sent and not acknowledged stands in the feed of its queue: what is lost is seen there soon. */
async function browseAll(client: SoakClient, goesOn: () => boolean): Promise<void> {
  while (goesOn()) {
    for (const { name } of client.shared.queues) await client.ask({ do: 'browseQueue', queue: name })
    await sleep(LOOK_AGAIN)
  }
}

/** What all clients of a soak work with. */
class Run {
  readonly credentials: Credentials
  readonly #baseUrl: string
  readonly #profile: Profile
  readonly #signal: AbortSignal
  readonly #clients: HttpClient[] = []
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

  /** Gets to know the target. */
  async contact(): Promise<Shared> {
    const [baseUrl, profile, signal] = [this.#baseUrl, this.#profile, this.#signal]
    const timing = await meet({ baseUrl, profile, client: this.#client(), signal }, 8)
    const prefix = namePrefix(profile) + allowedSegment(profile, `kit-${randomDigits()}`)
    this.#shared = new Shared(profile, timing, prefix, signal, this.#rate)
    return this.#shared
  }

  /** Makes the queues. */
  async make(): Promise<void> {
    const client = this.client('The soak', 0)
    const { shared } = client
    const hasTurns = mappingsOf(this.#profile).length > 0
    for (const name of ['1/a', '1/b', '2', ...(hasTurns ? [OF_TURNS] : [])]) {
      if (nameProblem(this.#profile, pathOf(shared, name)) !== undefined) continue
      const uri = await createdQueue(client, name)
      if (uri !== undefined) shared.queues.push({ name, uri })
    }
    shared.alternativeQueue = shared.queues.find(({ name }) => name === OF_TURNS)
    if (shared.queues.length === 0 && !shared.isOver)
      throw new Unreachable(`no queue could be created at ${this.#baseUrl}`)
    await sleep(shared.timing.settle)
  }

  /** Deletes what was made, as far as it can. */
  async clean(): Promise<void> {
    const target = this.target()
    const { queues, shortLived, doubtful, subscriptions } = this.#shared!
    const made = [...subscriptions.values(), ...[...queues, ...shortLived].map(({ uri }) => uri), ...doubtful]
    while (made.length > 0) await Promise.all(made.splice(0, 8).map((uri) => target.request('DELETE', uri)))
  }

  client(who: string, seed: number): SoakClient {
    const shared = this.#shared!
    const target = new SoakTarget({ ...this.#targetOptions(), signal: this.#signal }, shared)
    return new SoakClient(who, shared, new Random(seed), target)
  }

  /** Lets the target's clock, which stands still by itself, go as real time does. @returns what ends it */
  moveClock(): () => void {
    const target = this.target()
    const shared = this.#shared!
    let moved = performance.now()
    shared.clock = moved
    /** Steps whose answer never came: milliseconds. */
    let doubtful = 0
    let moving = false
    const timer = setInterval(async () => {
      const step = Math.floor(performance.now() - moved)
      if (moving || step <= 0) return
      moving = true
      moved += step
      const { status } = await moveClock(target, this.#profile, step)
      target.exchanges.length = 0
      if (status === 0 || status >= 300) doubtful += step
      shared.clock = moved - doubtful
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

  /** The target as nobody judges it, and without an end by the signal. */
  target(): HttpTarget {
    return new HttpTarget(this.#targetOptions())
  }

  #targetOptions(): HttpTargetOptions {
    return {
      ...{ baseUrl: this.#baseUrl, profile: this.#profile, client: this.#client(), readAt: this.#readAt },
      answerTimeout: ANSWER_TIMEOUT + this.#shared!.timing.held,
    }
  }
}

/** A target may ask to come again. */
async function createdQueue(client: SoakClient, name: string): Promise<string | undefined> {
  for (let tries = 0; tries < TRIES && !client.shared.isOver; tries++) {
    const { uri, outcome } = await client.createQueue(name)
    if (uri !== undefined || outcome !== 'unknown') return uri
    await sleep(TRY_AGAIN)
  }
  return undefined
}
