import type { Feature, Profile } from '../client/profile.js'
import { categoriesAbove } from '../client/queue-names.js'
import type { Made, Manner, Of, Step, Where } from '../scenario/step.js'
import type { Random } from './random.js'

/** Those who may subscribe in one scenario: where it is one, nobody else can have what it lacks. */
const GROUPS = [['A'], ['A', 'B'], ['A', 'B', 'C'], ['A', 'B', 'C']] as const
/** How many messages a scenario sends: few, so that most of them meet; or more at once, and none after these. */
const MOST_MESSAGES = [5, 7, 14] as const
const BURSTS = [3, 6, 9, 12] as const
/** Bytes of bodies that somebody may treat unlike small ones, and of one that many refuse. */
export const BODIES = [5000, 20_000, 70_000] as const
const TOO_LONG = 1_052_672
/** A body that is longer than a usual one. */
const LONGER = { size: 200 }
/** Bodies that are no text; two of one of them are one and the same. */
const ODD: readonly Made[] = [{ empty: true }, { every: true }, { bytes: '\u0000\u00ff\u00fe{14}' }]
/** How often a scenario has something, beside what is usual: so one has much of it, and another nothing. */
const OFTEN = [0, 0, 1, 3] as const
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

export type Send = Of<'send'> & Manner

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
  /** `isClosed`: nothing else may be sent in its place, since whether a refused send uses up its guid is open. */
  readonly messages: { readonly name: string; readonly guid: boolean; readonly isClosed: boolean }[] = []
  /** How often something is had in this scenario. */
  readonly #often = new Map<string, number>()
  readonly #mostMessages: number
  /** Odd bodies that no message has yet. */
  readonly #odd: Made[]
  readonly #random: Random
  readonly #options: GenerateOptions

  constructor(random: Random, options: GenerateOptions) {
    this.#random = random
    this.#options = options
    const { features, queues } = options
    const claimed = ALTERNATIVES.filter((each) => features[each])
    this.hasAlternatives = claimed.length > 0 && random.oneIn(3)
    const used = this.hasAlternatives ? random.some(claimed, 1 + random.below(claimed.length)) : []
    const isUsed = (each: (typeof ALTERNATIVES)[number]) => [each, used.includes(each)] as const
    this.features = { ...features, ...Object.fromEntries(ALTERNATIVES.map(isUsed)) }
    this.subscribers = this.hasAlternatives && random.oneIn(2) ? [] : random.pick(GROUPS)
    const byId = options.guids && random.oneIn(6) ? ALIKE : BY_ID
    this.byId = random.oneIn(3) ? byId.slice(0, 1) : byId
    const alike = queues.alike.length > 0 && random.oneIn(4)
    this.names = alike ? random.pick(queues.alike) : random.some(queues.plain, 1 + random.below(5))
    this.home = alike || random.oneIn(3) ? undefined : random.pick(this.names)
    this.#mostMessages = random.pick(MOST_MESSAGES)
    // Where a message is the whole answer, one without a byte looks like none.
    this.#odd = ODD.filter(({ empty }) => options.anyBodies && !(empty && this.features['single-path']))
  }

  /** Whether there is room for another message. */
  get maySend(): boolean {
    return this.messages.length < this.#mostMessages
  }

  /** True in one of so many cases, of this kind: in some scenarios never, and in some in most. */
  has(what: string, oneIn: number): boolean {
    const often = this.#often.get(what) ?? this.#random.pick(OFTEN)
    this.#often.set(what, often)
    return this.#random.below(oneIn) < often
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
    const made = this.#made(count)
    const isOdd = Object.keys(made).length > 0
    const messages = Array.from({ length: count }, () => this.message(by === 'guid', isOdd))
    return {
      ...({ do: 'send', messages, queue: this.queue() } as const),
      ...(by === 'two-step' ? {} : { by }),
      ...(features.selector && this.has('colour', 3) ? { colour: 'blue' as const } : {}),
      ...made,
      ...this.cut(8),
    }
  }

  /** What messages are made of, where they have not a short body of their own each. */
  #made(count: number): Made {
    const r = this.#random
    // Which is which of many with one body, may stand in too many ways.
    const isOne = count === 1
    if (isOne && this.messages.length > 0 && this.has('like', 8)) return { like: r.pick(this.messages).name }
    if (isOne && this.#odd.length > 0 && this.has('odd', 3))
      return this.#odd.splice(r.below(this.#odd.length), 1)[0]!
    if (this.has('size', 16)) return { size: isOne && r.oneIn(3) ? TOO_LONG : r.pick(BODIES) }
    return {}
  }

  /** The name of another message. */
  message(guid: boolean, isOdd = false): string {
    const name = `m${this.messages.length + 1}`
    this.messages.push({ name, guid, isClosed: guid && isOdd })
    return name
  }

  repeat(): Step {
    const { name, guid, isClosed } = this.#random.pick(this.messages)
    const elsewhere = guid && this.#random.oneIn(2) ? { queue: this.#random.pick([...this.queues]) } : {}
    const other = { changed: true, ...this.#random.pick([{}, LONGER]) } as const
    const changed = !isClosed && this.#random.oneIn(5) ? other : {}
    const retyped = this.#options.anyBodies && this.#random.oneIn(8) ? ({ retyped: true } as const) : {}
    return { do: 'repeat', message: name, ...elsewhere, ...changed, ...retyped }
  }

  /** @param to default: some of the queues that there are, and seldom all below a path */
  subscribe(to?: readonly string[]): Of<'subscribe'> {
    const r = this.#random
    const free = this.subscribers.filter((each) => !this.consumers.has(each))
    const consumer = r.pick(free.length > 0 && !r.oneIn(6) ? free : this.subscribers)
    this.consumers.add(consumer)
    const isPicky = this.#options.features.selector && this.has('selector', 5)
    return {
      ...({ do: 'subscribe', consumer, to: to ?? this.#destinations(), prefetch: this.prefetch() } as const),
      ...(isPicky ? { selector: 'red' } : {}),
      ...this.cut(20),
    }
  }

  prefetch(): number {
    const { prefetches } = this.#options
    const [r, most] = [this.#random, prefetches.length]
    return prefetches[Math.min(r.below(most), r.below(most + 1))]!
  }

  #destinations(): string[] {
    const below = this.names.flatMap((each) => this.wildcardOver(each))
    if (below.length === 0 || !this.has('wildcard', 6)) return this.#named()
    return [...(this.#random.oneIn(3) ? this.#named() : []), this.#random.pick(below)]
  }

  /** The wildcard that covers a queue, where there is one. */
  wildcardOver(queue: string): string[] {
    const { wildcards } = this.#options.features
    const nearest = wildcards ? categoriesAbove(queue).slice(-1) : []
    return nearest.map((each) => `${each}/*`)
  }

  #named(): string[] {
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
        [1, 'unknown'],
      ])
    return { do: 'ack', consumer, messages: [place] }
  }

  acknowledgeInPost(consumer: string): Step {
    const messages = this.#random.pick([['1st'], ['1st', '2nd'], ['2nd'], ['each'], ['1st', 'unknown']])
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

  lock(consumer: string): Of<'lock'> {
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
    if (!this.has('cut', oneIn)) return {}
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
