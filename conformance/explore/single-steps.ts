import type { Feature, Profile } from '../client/profile.js'
import { categoriesAbove } from '../client/queue-names.js'
import { DIFFERENCES, type Step, type Where } from '../scenario/step.js'
import type { Random } from './random.js'

/** Those who may subscribe in one scenario: where it is one, nobody else can have what it lacks. */
const GROUPS = [['A'], ['A', 'B'], ['A', 'B', 'C'], ['A', 'B', 'C']] as const
/** How many messages a scenario sends: few, so that most of them meet; or more at once, and none after these. */
const MOST_MESSAGES = 7
const BURSTS = [3, 6, 9, 12] as const
/** Bytes of bodies that somebody may treat unlike small ones. */
export const BODIES = [5000, 20_000, 70_000] as const
const ALTERNATIVES = ['single-path', 'one-at-a-time', 'batch'] as const
/** Consumers of section 4.2, and two whose ids somebody may take for one. */
const BY_ID = ['X', 'Y'] as const
const ALIKE = [1, 2].map((each) => `X-with-a-long-id-that-somebody-may-cut-${each}`)

export interface GenerateOptions {
  readonly features: Readonly<Record<Feature, boolean>>
  /** The names of queues: those that any target takes, and pairs of which somebody may take one for the other. */
  readonly queues: {
    readonly plain: readonly string[]
    readonly alike: readonly (readonly [string, string])[]
  }
  /** Whether a guid, or the id of a consumer, may be any text. */
  readonly guids: boolean
  /** Whether a message may have any body, as far as the profile says. */
  readonly anyBodies: boolean
  /** Whether a scenario may send so many messages that feeds have pages. */
  readonly many: boolean
  /** The parties without permission, as the profile gives them. */
  readonly parties: Profile['unauthorized']
  /** What a consumer may ask for, the likeliest first. */
  readonly prefetches: readonly number[]
  /** The most that a consumer may ask for. */
  readonly mostPrefetch: number
  /** In how many scenarios one waits for leases to end: 1 for all of them. */
  readonly waitsOneIn: number
  /** Milliseconds of a lease, where time can be moved: then it passes in parts of any length. */
  readonly lease: number | undefined
}

export type Send = Extract<Step, { do: 'send' }>

/** Steps that are made at random one by one, and what a scenario has come to by them. */
export class SingleSteps {
  /** What the target has of it, and a scenario uses: of section 4.2 nothing, one mapping or all. */
  readonly features: Readonly<Record<Feature, boolean>>
  readonly hasAlternatives: boolean
  /** Who may subscribe: nobody, where all is done by section 4.2. */
  readonly subscribers: readonly string[]
  /** The consumers of section 4.2. */
  readonly byId: readonly string[]
  /** The queues that a scenario may be about. */
  readonly names: readonly string[]
  /** The one queue that most of a scenario is about; undefined where it is about all of them alike. */
  readonly home: string | undefined
  readonly queues = new Set<string>()
  readonly consumers = new Set<string>()
  readonly messages: { readonly name: string; readonly guid: boolean }[] = []
  #hasEmpty = false
  readonly #random: Random
  readonly #options: GenerateOptions

  constructor(random: Random, options: GenerateOptions) {
    this.#random = random
    this.#options = options
    const { features, queues } = options
    const claimed = ALTERNATIVES.filter((each) => features[each])
    this.hasAlternatives = claimed.length > 0 && random.oneIn(3)
    const used = this.hasAlternatives ? (random.oneIn(2) ? claimed : [random.pick(claimed)]) : []
    const isUsed = (each: (typeof ALTERNATIVES)[number]) => [each, used.includes(each)] as const
    this.features = { ...features, ...Object.fromEntries(ALTERNATIVES.map(isUsed)) }
    this.subscribers = this.hasAlternatives && random.oneIn(2) ? [] : random.pick(GROUPS)
    const byId = options.guids && random.oneIn(6) ? ALIKE : BY_ID
    this.byId = random.oneIn(3) ? byId.slice(0, 1) : byId
    const alike = queues.alike.length > 0 && random.oneIn(4)
    this.names = alike ? random.pick(queues.alike) : queues.plain
    this.home = alike || random.oneIn(4) ? undefined : random.pick(this.names)
  }

  /** Whether there is room for another message. */
  get maySend(): boolean {
    return this.messages.length < MOST_MESSAGES
  }

  queue(): string {
    const isHome = this.home !== undefined && this.queues.has(this.home) && !this.#random.oneIn(4)
    return isHome ? this.home! : this.#random.pick([...this.queues])
  }

  consumer(): string {
    return this.#random.pick([...this.consumers])
  }

  create(queue = this.#random.pick(this.names)): Step & { readonly queue: string } {
    this.queues.add(queue)
    return { do: 'create', queue, ...this.cut(12) }
  }

  /** Mostly of one message, seldom of so many that what is made for few shows. */
  sendSome(burstOneIn = 25): Send {
    return this.send(undefined, this.#random.oneIn(burstOneIn) ? this.#random.pick(BURSTS) : 1)
  }

  send(way?: 'guid', count = 1): Send {
    const r = this.#random
    const { features } = this.#options
    const by =
      way ??
      r.weighted<'two-step' | 'guid' | 'single-path'>([
        [3, 'two-step'],
        [features.guid ? 2 : 0, 'guid'],
        [features['single-path'] && this.hasAlternatives ? 2 : 0, 'single-path'],
      ])
    // Which is which of many with one body, may stand in too many ways.
    const like =
      count === 1 && this.messages.length > 0 && r.oneIn(8) ? { like: r.pick(this.messages).name } : {}
    const messages = Array.from({ length: count }, () => this.message(by === 'guid'))
    const isOwn = like.like === undefined
    const isEmpty = isOwn && count === 1 && this.#maySendEmpty && r.oneIn(25)
    if (isEmpty) this.#hasEmpty = true
    return {
      ...({ do: 'send', messages, queue: this.queue() } as const),
      ...(by === 'two-step' ? {} : { by }),
      ...(features.selector && r.oneIn(3) ? { colour: 'blue' as const } : {}),
      ...like,
      ...(isEmpty ? { empty: true } : isOwn && r.oneIn(25) ? { size: r.pick(BODIES) } : {}),
      ...this.cut(8),
    }
  }

  /** The name of another message. */
  message(guid: boolean): string {
    const name = `m${this.messages.length + 1}`
    this.messages.push({ name, guid })
    return name
  }

  /** Where a message may be the whole answer, one without a byte looks like none. Two of them are one and the same. */
  get #maySendEmpty(): boolean {
    const isAlone = this.features['single-path'] || this.features['one-at-a-time']
    return this.#options.anyBodies && !isAlone && !this.#hasEmpty
  }

  /** A send with a guid that somebody may take for that of another message. */
  sendUnlike(message: string, isLong: boolean): Send {
    const difference = isLong ? 'end' : this.#random.pick(DIFFERENCES)
    return { ...this.send('guid'), guid: { unlike: message, in: difference } }
  }

  repeat(): Step {
    const { name, guid } = this.#random.pick(this.messages)
    const elsewhere = guid && this.#random.oneIn(2) ? { queue: this.#random.pick([...this.queues]) } : {}
    const changed = this.#random.oneIn(5) ? ({ changed: true } as const) : {}
    const retyped = this.#options.anyBodies && this.#random.oneIn(8) ? ({ retyped: true } as const) : {}
    return { do: 'repeat', message: name, ...elsewhere, ...changed, ...retyped }
  }

  subscribe(): Step {
    const r = this.#random
    const { features } = this.#options
    const free = this.subscribers.filter((each) => !this.consumers.has(each))
    const consumer = r.pick(free.length > 0 && !r.oneIn(6) ? free : this.subscribers)
    this.consumers.add(consumer)
    const above = this.names.flatMap((each) => categoriesAbove(each))
    const below = features.wildcards && above.length > 0 && r.oneIn(6) ? [`${r.pick(above)}/*`] : []
    const to = [...(below.length > 0 && !r.oneIn(3) ? [] : this.#destinations()), ...below]
    const selector = features.selector && r.oneIn(5) ? ({ selector: 'red' } as const) : {}
    return { do: 'subscribe', consumer, to, prefetch: this.prefetch(), ...selector, ...this.cut(20) }
  }

  prefetch(): number {
    const { prefetches } = this.#options
    const [r, most] = [this.#random, prefetches.length]
    return prefetches[Math.min(r.below(most), r.below(most + 1))]!
  }

  #destinations(): string[] {
    const r = this.#random
    const all = [...this.queues]
    if (r.oneIn(12)) return Array.from({ length: 2 }, () => all[0]!)
    if (all.length > 2 && r.oneIn(4)) return turned(all, r.below(all.length))
    if (all.length < 2 || (this.home !== undefined && !r.oneIn(3))) return [this.queue()]
    return [...new Set([this.queue(), ...Array.from({ length: r.below(all.length + 2) }, () => r.pick(all))])]
  }

  /** Of one of those that it holds, mostly; the message may be one that it was once shown, or was never. */
  acknowledge(consumer = this.consumer(), message?: string): Step & { do: 'ack' } {
    const place =
      message ??
      this.#random.weighted([
        [8, '1st'],
        [2, '2nd'],
        [2, '3rd'],
        [4, 'last'],
        [1, 'each'],
      ])
    return { do: 'ack', consumer, messages: [place] }
  }

  acknowledgeInPost(consumer: string): Step {
    const messages = this.#random.pick([['1st'], ['1st', '2nd'], ['2nd'], ['each']])
    return { do: 'ack', consumer, messages, reads: true }
  }

  /** A party without permission reads. */
  trespass(): Step {
    const parties = this.#options.parties.map((headers) =>
      Object.keys(headers).length > 0 ? 'another' : 'nobody',
    )
    return {
      ...({ do: 'read', consumer: this.consumer() } as const),
      as: this.#random.pick(parties.length > 0 ? parties : ['nobody']),
    }
  }

  list(): Step {
    const above = [...this.queues].flatMap((each) => categoriesAbove(each))
    const isBelow = this.#options.features.subtree && above.length > 0 && this.#random.oneIn(3)
    return isBelow ? { do: 'list', path: this.#random.pick(above) } : { do: 'list' }
  }

  lock(consumer: string): Extract<Step, { do: 'lock' }> {
    return { do: 'lock', consumer, max: this.#random.pick([1, 1, 2, 2, 3, 3, 5, 12]) }
  }

  /** One request that may meet another. */
  meeting(consumers: readonly string[], queues: readonly string[]): Step {
    const r = this.#random
    const { features } = this
    const consumer = r.pick(consumers.length > 0 ? consumers : this.byId)
    const queue = r.pick(queues)
    const name = this.hasAlternatives ? r.pick(this.byId) : consumer
    const some = (weight: number, holds: boolean) => (holds ? weight : 0)
    const reads = consumers.length > 0
    return r.weighted<() => Step>([
      [some(4, reads), () => ({ do: 'read', consumer })],
      [some(4, reads), () => this.acknowledge(consumer, r.pick(['1st', '2nd']))],
      [some(3, this.maySend), () => ({ ...uncut(this.send()), queue })],
      [2, () => ({ do: 'repeat', message: r.pick(this.messages).name })],
      [some(2, reads), () => ({ do: 'end', consumer })],
      [1, () => ({ do: 'delete', queue })],
      [1, () => uncut(this.create())],
      [1, () => ({ do: 'browse', queue })],
      [some(1, reads), () => uncut(this.subscribe())],
      [
        some(2, reads && features['ack-in-post']),
        () => ({ do: 'ack', consumer, messages: ['1st'], reads: true }),
      ],
      [some(6, features['one-at-a-time']), () => ({ do: 'next', consumer: name })],
      [some(6, features.batch), () => ({ do: 'lock', consumer: name, max: 1 + r.below(3) })],
      [
        some(4, features.batch || features['one-at-a-time']),
        () => ({ do: 'done', consumer: name, message: '1st' }),
      ],
      [some(6, features['single-path']), () => ({ do: 'take', queue })],
      [some(2, features['single-path']), () => ({ do: 'take', queue, consumer: r.pick(['S', 'T']) })],
    ])()
  }

  cut(oneIn: number): { cut?: Where } {
    const r = this.#random
    if (!r.oneIn(oneIn)) return {}
    return {
      cut: r.weighted([
        [1, 'before'],
        [2, 'within'],
        [2, 'after'],
        [2, 'unread'],
      ]),
    }
  }
}

/** The same in another order: what stood at a place stands first. */
function turned<T>(all: readonly T[], at: number): T[] {
  return [...all.slice(at), ...all.slice(0, at)]
}

function uncut<S extends Step>(step: S): S {
  const { cut: _, ...whole } = step
  return whole as S
}
