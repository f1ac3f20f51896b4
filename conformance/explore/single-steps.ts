import type { Feature, Profile } from '../client/profile.js'
import { categoriesAbove } from '../client/queue-names.js'
import { DIFFERENCES, type Step, type Where } from '../scenario/step.js'
import type { Random } from './random.js'

const CONSUMERS = ['A', 'B', 'C'] as const
/** How many messages a scenario sends: few, so that most of them meet; or more at once, and none after these. */
const MOST_MESSAGES = 7
const BURSTS = [3, 6, 9, 12] as const
/** Bytes of bodies that somebody may treat unlike small ones. */
const BODIES = [5000, 20_000, 70_000] as const

export interface GenerateOptions {
  readonly features: Readonly<Record<Feature, boolean>>
  /** The names of queues: those that any target takes, and pairs of which somebody may take one for the other. */
  readonly queues: {
    readonly plain: readonly string[]
    readonly alike: readonly (readonly [string, string])[]
  }
  /** Whether a guid may be any text. */
  readonly guids: boolean
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
  readonly hasAlternatives: boolean
  /** The queues that a scenario may be about. */
  readonly names: readonly string[]
  /** The one queue that most of a scenario is about; undefined where it is about all of them alike. */
  readonly home: string | undefined
  readonly queues = new Set<string>()
  readonly consumers = new Set<string>()
  readonly messages: { readonly name: string; readonly guid: boolean }[] = []
  readonly #random: Random
  readonly #options: GenerateOptions

  constructor(random: Random, options: GenerateOptions) {
    this.#random = random
    this.#options = options
    const { features, queues } = options
    const alternatives = features['single-path'] || features['one-at-a-time'] || features.batch
    this.hasAlternatives = alternatives && random.oneIn(4)
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

  create(queue = this.#random.pick(this.names)): Step {
    this.queues.add(queue)
    return { do: 'create', queue, ...this.cut(12) }
  }

  /** Mostly of one message, seldom of so many that what is made for few shows. */
  sendSome(): Send {
    return this.send(undefined, this.#random.oneIn(25) ? this.#random.pick(BURSTS) : 1)
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
    const messages = Array.from({ length: count }, (_, at) => `m${this.messages.length + at + 1}`)
    for (const name of messages) this.messages.push({ name, guid: by === 'guid' })
    return {
      ...({ do: 'send', messages, queue: this.queue() } as const),
      ...(by === 'two-step' ? {} : { by }),
      ...(features.selector && r.oneIn(3) ? { colour: 'blue' as const } : {}),
      ...like,
      ...(like.like === undefined && r.oneIn(25) ? { size: r.pick(BODIES) } : {}),
      ...this.cut(8),
    }
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
    return { do: 'repeat', message: name, ...elsewhere, ...changed }
  }

  subscribe(): Step {
    const r = this.#random
    const { features } = this.#options
    const free = CONSUMERS.filter((each) => !this.consumers.has(each))
    const consumer = r.pick(free.length > 0 && !r.oneIn(6) ? free : CONSUMERS)
    this.consumers.add(consumer)
    const above = this.names.flatMap((each) => categoriesAbove(each))
    const below = features.wildcards && above.length > 0 && r.oneIn(6) ? [`${r.pick(above)}/*`] : []
    const to = [...(below.length > 0 && !r.oneIn(3) ? [] : this.#destinations()), ...below]
    const selector = features.selector && r.oneIn(8) ? ({ selector: 'red' } as const) : {}
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
    const { features } = this.#options
    const consumer = r.pick(consumers)
    const queue = r.pick(queues)
    const name = this.hasAlternatives ? r.pick(['X', 'Y']) : consumer
    const some = (weight: number, holds: boolean) => (holds ? weight : 0)
    const has = (feature: Feature) => features[feature] && this.hasAlternatives
    return r.weighted<() => Step>([
      [4, () => ({ do: 'read', consumer })],
      [4, () => this.acknowledge(consumer, r.pick(['1st', '2nd']))],
      [some(3, this.maySend), () => ({ ...uncut(this.send()), queue })],
      [2, () => ({ do: 'repeat', message: r.pick(this.messages).name })],
      [2, () => ({ do: 'end', consumer })],
      [1, () => ({ do: 'delete', queue })],
      [1, () => uncut(this.create())],
      [1, () => ({ do: 'browse', queue })],
      [1, () => uncut(this.subscribe())],
      [some(2, features['ack-in-post']), () => ({ do: 'ack', consumer, messages: ['1st'], reads: true })],
      [some(6, has('one-at-a-time')), () => ({ do: 'next', consumer: name })],
      [some(6, has('batch')), () => ({ do: 'lock', consumer: name, max: 1 + r.below(3) })],
      [some(4, has('batch') || has('one-at-a-time')), () => ({ do: 'done', consumer: name, message: '1st' })],
      [some(6, has('single-path')), () => ({ do: 'take', queue })],
      [some(2, has('single-path')), () => ({ do: 'take', queue, consumer: r.pick(['S', 'T']) })],
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

function uncut<S extends Step>(step: S): S {
  const { cut: _, ...whole } = step
  return whole as S
}
