import type { Feature, Profile } from '../client/profile.js'
import { DIFFERENCES, type Step, type Where } from '../scenario/step.js'
import { ordinalOf } from '../scenario/words.js'
import { Random } from './random.js'

const CONSUMERS = ['A', 'B', 'C'] as const
/** The longest scenario, and how many messages it sends at most: few, so that most of them meet. */
const LONGEST = 36
const MOST_MESSAGES = 7
/** How many messages a scenario of many has: most often a little more than a page. */
const MORE_THAN_FEW = 15
const SIZES = [MORE_THAN_FEW, 30, 30, 60, 60, 110, 110, 110, 300, 1000] as const
/** Bytes of bodies that somebody may treat unlike small ones. */
const BODIES = [5000, 20_000, 70_000] as const
/** How many messages one lock call of many asks for. */
const BATCHES = [20, 50] as const
/** Each order of them is tried. */
const MOST_AT_ONCE = 4
/** What the weight of each kind of step is multiplied by in one scenario: so scenarios differ in what they are made of. */
const SWARM = [0, 1, 1, 1, 4] as const

export interface GenerateOptions {
  readonly features: Readonly<Record<Feature, boolean>>
  /** The names of queues: those that any target takes, and others. */
  readonly queues: { readonly plain: readonly string[]; readonly odd: readonly string[] }
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

/** What a consumer may ask of a target for a prefetch. */
export function prefetchesFor({ subscription }: Profile): readonly number[] {
  const { maxPrefetch, parameters } = subscription
  if (parameters.prefetch === null) return [maxPrefetch]
  return [...new Set([1, 2, 3, 5, 10].map((each) => Math.min(each, maxPrefetch)))]
}

/** The scenario of a seed and a number. The same two give the same scenario. */
export function generate(seed: number, run: number, options: GenerateOptions): Step[] {
  return new Generator(Random.ofRun(seed, run), options).make()
}

class Generator {
  readonly #random: Random
  readonly #options: GenerateOptions
  readonly #waits: boolean
  readonly #hasAlternatives: boolean
  /** The queues that a scenario may be about. */
  readonly #names: readonly string[]
  /** The one queue that most of a scenario is about; undefined where it is about all of them alike. */
  readonly #home: string | undefined
  readonly #queues = new Set<string>()
  readonly #consumers = new Set<string>()
  readonly #messages: { readonly name: string; readonly guid: boolean }[] = []
  /** By what each kind of step is likelier or less likely than usual, in the order of {@link #steps}. */
  readonly #swarm: number[] = []

  constructor(random: Random, options: GenerateOptions) {
    this.#random = random
    this.#options = options
    this.#waits = random.oneIn(options.waitsOneIn)
    const { features } = options
    const alternatives = features['single-path'] || features['one-at-a-time'] || features.batch
    this.#hasAlternatives = alternatives && random.oneIn(4)
    const { plain, odd } = options.queues
    const isOdd = odd.length > 0 && random.oneIn(5)
    this.#names = isOdd ? ['ab', random.pick(odd)] : plain
    this.#home = isOdd || random.oneIn(4) ? undefined : random.pick(this.#names)
  }

  make(): Step[] {
    const r = this.#random
    if (r.oneIn(30)) return this.#makeMany(this.#options.many ? SIZES : [MORE_THAN_FEW])
    const length = 10 + r.below(LONGEST - 9)
    const first = this.#home === undefined ? this.#names : [this.#home]
    const steps: Step[] = first.map((queue) => this.#create(queue))
    if (r.oneIn(2)) steps.push(this.#create(r.pick(this.#names)))
    for (let left = r.below(4); left > 0; left--) steps.push(this.#send())
    if (!this.#hasAlternatives || r.oneIn(2)) steps.push(this.#subscribe())
    if (this.#hasAlternatives) steps.push(...this.#joining())
    while (steps.length < length) steps.push(...this.#steps())
    // What was done shows at the end.
    for (const consumer of this.#consumers) steps.push({ do: 'read', consumer })
    for (const queue of this.#queues) steps.push({ do: 'browse', queue })
    return steps
  }

  /** Many messages, which one consumer or two take some at a time. */
  #makeMany(sizes: readonly number[]): Step[] {
    const r = this.#random
    const { features, mostPrefetch } = this.#options
    const queue = this.#names[0]!
    const count = r.pick(sizes)
    const messages = Array.from({ length: count }, (_, index) => `m${index + 1}`)
    const by = features.guid && r.oneIn(3) ? ({ by: 'guid' } as const) : {}
    const picks = features.selector && r.oneIn(3)
    const last = `m${count + 1}`
    const sends: Step[] = picks
      ? [
          { do: 'send', messages, queue, ...by, colour: 'blue' },
          { do: 'send', messages: [last], queue },
        ]
      : [{ do: 'send', messages, queue, ...by }]
    const start: Step[] = [{ do: 'create', queue }, ...sends, { do: 'browse', queue }]
    const repeats: Step[] = by.by === undefined ? [] : [{ do: 'repeat', message: 'm1' }]
    const end: Step[] = [...repeats, { do: 'browse', queue }]
    if (features.batch && r.oneIn(4)) {
      const lock = { do: 'lock', consumer: 'X', max: r.pick(BATCHES) } as const
      return [...start, { do: 'join', consumer: 'X', queue }, lock, lock, ...end]
    }
    const prefetch = Math.min(mostPrefetch, r.pick([1, 10, 50, count, count]))
    const of = (consumer: string): Step => ({ do: 'subscribe', consumer, to: [queue], prefetch })
    const subscribe: Step[] = picks
      ? [{ do: 'subscribe', consumer: 'A', to: [queue], prefetch, selector: 'red' }]
      : r.oneIn(2)
        ? [of('A')]
        : [of('A'), of('B')]
    return [...start, ...subscribe, ...this.#takingMany(subscribe.length > 1), ...end]
  }

  #takingMany(hasOther: boolean): Step[] {
    const r = this.#random
    const read = { do: 'read', consumer: 'A' } as const
    const order = r.pick(['backwards', 'mixed', undefined] as const)
    const each: Step = { do: 'ack', consumer: 'A', messages: ['each'], ...(order && { order }) }
    const some: Step = { do: 'ack', consumer: 'A', messages: [ordinalOf(1 + r.below(4))] }
    const other: Step[] = hasOther
      ? [
          { do: 'read', consumer: 'B' },
          { do: 'end', consumer: r.pick(['A', 'B']) },
          { do: 'read', consumer: 'B' },
        ]
      : []
    const taking = r.pick<readonly Step[]>([[each], [some], [some, read, each], [some, some, read]])
    return [read, ...taking, read, ...other]
  }

  #steps(): Step[] {
    const r = this.#random
    const reader = this.#consumers.size > 0
    const sent = this.#messages.length > 0
    const { lease } = this.#options
    const some = (weight: number, holds: boolean) => (holds ? weight : 0)
    const kinds: readonly (readonly [weight: number, make: () => Step[]])[] = [
      [some(10, this.#messages.length < MOST_MESSAGES), () => this.#sending()],
      [this.#consumers.size < 2 ? 7 : 2, () => [this.#subscribe()]],
      [some(10, reader), () => [{ do: 'read', consumer: this.#consumer() }]],
      [some(14, reader), () => this.#consuming()],
      [some(4, sent), () => [this.#repeat()]],
      [some(3, reader), () => this.#ending()],
      [some(1, reader), () => this.#looking()],
      [some(4, reader && sent), () => [this.#acknowledging(this.#consumer(), r.pick(this.#messages).name)]],
      [some(2, reader && this.#options.features.auth), () => [this.#trespassing()]],
      [2, () => [{ do: 'browse', queue: this.#queue() }]],
      [1, () => [{ do: 'list', ...(this.#options.features.subtree && r.oneIn(3) ? { path: 'a' } : {}) }]],
      [1, () => [this.#create(r.pick(this.#names))]],
      [1, () => this.#deleting()],
      [some(3, this.#waits && reader), () => [{ do: 'wait', until: r.oneIn(2) ? 'end' : 'part' }]],
      [some(2, this.#waits && reader), () => this.#staying()],
      [some(4, reader && lease !== undefined), () => this.#passing(lease!)],
      [some(6, sent && reader), () => this.#together()],
      [some(1, this.#options.features.guid && this.#options.guids), () => this.#guidsAlike()],
      [some(3, reader && this.#options.features['ack-in-post']), () => this.#acknowledgingInPost()],
      [some(50, this.#hasAlternatives), () => this.#alternative()],
    ]
    while (this.#swarm.length < kinds.length) this.#swarm.push(r.pick(SWARM))
    const likely = kinds.map(([weight, make], at) => [weight * this.#swarm[at]!, make] as const)
    const isAny = likely.some(([weight]) => weight > 0)
    return r.weighted(isAny ? likely : kinds)()
  }

  /** Time passes: mostly a little before or after some lease may end, or any part of one. */
  #passing(lease: number): Step[] {
    const r = this.#random
    const time = r.pick([
      1 + r.below(lease),
      lease - 1 - r.below(Math.min(500, lease - 1)),
      lease + r.below(50),
    ])
    const consumer = this.#consumer()
    const use = r.pick<Step>([{ do: 'read', consumer }, this.#acknowledging(consumer, '1st')])
    return r.oneIn(3) ? [{ do: 'advance', time }] : [{ do: 'advance', time }, use]
  }

  #create(queue: string): Step {
    this.#queues.add(queue)
    return { do: 'create', queue, ...this.#cut(12) }
  }

  /** A send, which a client repeats mostly where it was cut off. */
  #sending(): Step[] {
    const send = this.#send()
    const isRepeated = send.cut !== undefined && send.by !== 'single-path' && !this.#random.oneIn(3)
    return isRepeated ? [send, { do: 'repeat', message: send.messages[0]! }] : [send]
  }

  /** Two guids that somebody may take for one. */
  #guidsAlike(): Step[] {
    const first = this.#send('guid')
    const second = this.#send('guid')
    const long = this.#random.oneIn(3)
    const difference = long ? 'end' : this.#random.pick(DIFFERENCES)
    return [
      { ...first, ...(long ? { guid: 'long' } : {}) },
      { ...second, guid: { unlike: first.messages[0]!, in: difference } },
    ]
  }

  #send(way?: 'guid'): Extract<Step, { do: 'send' }> {
    const r = this.#random
    const { features } = this.#options
    const name = `m${this.#messages.length + 1}`
    const by =
      way ??
      r.weighted<'two-step' | 'guid' | 'single-path'>([
        [3, 'two-step'],
        [features.guid ? 2 : 0, 'guid'],
        [features['single-path'] && this.#hasAlternatives ? 2 : 0, 'single-path'],
      ])
    const like = this.#messages.length > 0 && r.oneIn(8) ? { like: r.pick(this.#messages).name } : {}
    this.#messages.push({ name, guid: by === 'guid' })
    return {
      ...({ do: 'send', messages: [name], queue: this.#queue() } as const),
      ...(by === 'two-step' ? {} : { by }),
      ...(features.selector && r.oneIn(3) ? { colour: 'blue' as const } : {}),
      ...like,
      ...(like.like === undefined && r.oneIn(25) ? { size: r.pick(BODIES) } : {}),
      ...this.#cut(8),
    }
  }

  #repeat(): Step {
    const { name, guid } = this.#random.pick(this.#messages)
    const elsewhere = guid && this.#random.oneIn(2) ? { queue: this.#random.pick([...this.#queues]) } : {}
    const changed = this.#random.oneIn(5) ? ({ changed: true } as const) : {}
    return { do: 'repeat', message: name, ...elsewhere, ...changed }
  }

  #subscribe(): Step {
    const r = this.#random
    const { features, prefetches } = this.#options
    const free = CONSUMERS.filter((each) => !this.#consumers.has(each))
    const consumer = r.pick(free.length > 0 && !r.oneIn(6) ? free : CONSUMERS)
    this.#consumers.add(consumer)
    const below = features.wildcards && r.oneIn(8) ? ['a/*'] : []
    const to = [...(below.length > 0 && !r.oneIn(3) ? [] : this.#destinations()), ...below]
    const selector = features.selector && r.oneIn(8) ? ({ selector: 'red' } as const) : {}
    const prefetch = prefetches[Math.min(r.below(prefetches.length), r.below(prefetches.length + 1))]!
    return { do: 'subscribe', consumer, to, prefetch, ...selector, ...this.#cut(20) }
  }

  #destinations(): string[] {
    const r = this.#random
    const all = [...this.#queues]
    if (r.oneIn(12)) return Array.from({ length: 2 }, () => all[0]!)
    if (all.length < 2 || (this.#home !== undefined && !r.oneIn(3))) return [this.#queue()]
    return [...new Set([this.#queue(), r.pick(all), r.pick(all), r.pick(all)])]
  }

  /** Reads, acknowledges some of what it holds, and mostly reads on. */
  #consuming(): Step[] {
    const r = this.#random
    const consumer = this.#consumer()
    const steps: Step[] = [{ do: 'read', consumer }]
    for (
      let left = r.weighted([
        [4, 1],
        [2, 2],
        [1, 3],
      ]);
      left > 0;
      left--
    ) {
      steps.push({ ...this.#acknowledging(consumer), ...this.#cut(12) })
    }
    return r.oneIn(3) ? steps : [...steps, { do: 'read', consumer }]
  }

  /** Of one of those that it holds, mostly; the message may be one that it was once shown, or was never. */
  #acknowledging(consumer: string, message?: string): Step & { do: 'ack' } {
    const r = this.#random
    const place =
      message ??
      r.weighted([
        [4, '1st'],
        [1, '2nd'],
        [1, '3rd'],
        [2, 'last'],
      ])
    return { do: 'ack', consumer, messages: [place] }
  }

  /** A party without permission reads, and mostly the consumer does then. */
  #trespassing(): Step {
    const consumer = this.#consumer()
    const parties = this.#options.parties.map((headers) =>
      Object.keys(headers).length > 0 ? 'another' : 'nobody',
    )
    return { do: 'read', consumer, as: this.#random.pick(parties.length > 0 ? parties : ['nobody']) }
  }

  #acknowledgingInPost(): Step[] {
    const consumer = this.#consumer()
    const count = 1 + this.#random.below(2)
    return [
      { do: 'read', consumer },
      { do: 'ack', consumer, messages: ['1st', '2nd'].slice(0, count), reads: true },
      { do: 'read', consumer },
    ]
  }

  /** Somebody goes away, and mostly another looks for what is left. */
  #ending(): Step[] {
    const end = { do: 'end', consumer: this.#consumer(), ...this.#cut(10) } as const
    return this.#random.oneIn(3) ? [end] : [end, { do: 'read', consumer: this.#consumer() }]
  }

  #looking(): Step[] {
    const consumer = this.#consumer()
    const read = { do: 'read', consumer } as const
    return [read, { do: 'look', consumer, message: this.#random.pick(['1st', '2nd', 'last']) }, read]
  }

  /** A queue goes; mostly it comes again, and is used. */
  #deleting(): Step[] {
    const queue = this.#queue()
    const deletion = { do: 'delete', queue, ...this.#cut(8) } as const
    if (this.#random.oneIn(3)) return [deletion]
    const send = { ...this.#send(), queue }
    return [deletion, this.#create(queue), send, { do: 'browse', queue }]
  }

  /** Somebody goes on using a subscription for longer than a lease, while others may be silent. */
  #staying(): Step[] {
    const consumer = this.#consumer()
    const read = { do: 'read', consumer } as const
    const use = this.#random.oneIn(4) ? this.#acknowledging(consumer, '1st') : read
    const stay: Step[] = [{ do: 'wait', until: 'part' }, use]
    const silent: Step[] = this.#random.oneIn(2) ? [{ do: 'read', consumer: this.#consumer() }] : []
    return [...silent, read, ...Array.from({ length: 4 }, () => stay).flat(), read]
  }

  /** Two or three requests that meet: any, but mostly of one consumer or one queue. */
  #together(): Step[] {
    const r = this.#random
    const consumers = [this.#consumer(), ...(r.oneIn(2) ? [] : [this.#consumer()])]
    const queue = this.#queue()
    const queues = [queue, ...(r.oneIn(3) ? [this.#queue()] : [])]
    const read = { do: 'read', consumer: consumers[0]! } as const
    const one = this.#meeting(consumers, queues)
    const isTwice = one.do !== 'send' && r.oneIn(3)
    const other = isTwice ? one : this.#meeting(consumers, queues)
    const more = r.oneIn(3) ? [r.oneIn(3) ? other : this.#meeting(consumers, queues)] : []
    const steps = [one, other, ...more].flatMap((step): Step[] =>
      step.do === 'send' && r.oneIn(2) && step.by !== 'single-path'
        ? [step, { do: 'repeat', message: step.messages[0]! }]
        : [step],
    )
    const together: Step = { do: 'together', steps: steps.slice(0, MOST_AT_ONCE) }
    return r.oneIn(3) ? [together] : [read, together, read]
  }

  /** One request that may meet another. */
  #meeting(consumers: readonly string[], queues: readonly string[]): Step {
    const r = this.#random
    const { features } = this.#options
    const consumer = r.pick(consumers)
    const queue = r.pick(queues)
    const name = this.#hasAlternatives ? r.pick(['X', 'Y']) : consumer
    const some = (weight: number, holds: boolean) => (holds ? weight : 0)
    const has = (feature: Feature) => features[feature] && this.#hasAlternatives
    return r.weighted<() => Step>([
      [4, () => ({ do: 'read', consumer })],
      [4, () => this.#acknowledging(consumer, r.pick(['1st', '2nd']))],
      [some(3, this.#messages.length < MOST_MESSAGES), () => ({ ...this.#uncut(this.#send()), queue })],
      [2, () => ({ do: 'repeat', message: r.pick(this.#messages).name })],
      [2, () => ({ do: 'end', consumer })],
      [1, () => ({ do: 'delete', queue })],
      [1, () => this.#uncut(this.#create(r.pick(this.#names)))],
      [1, () => ({ do: 'browse', queue })],
      [1, () => this.#uncut(this.#subscribe())],
      [some(2, features['ack-in-post']), () => ({ do: 'ack', consumer, messages: ['1st'], reads: true })],
      [some(6, has('one-at-a-time')), () => ({ do: 'next', consumer: name })],
      [some(6, has('batch')), () => ({ do: 'lock', consumer: name, max: 1 + r.below(3) })],
      [some(4, has('batch') || has('one-at-a-time')), () => ({ do: 'done', consumer: name, message: '1st' })],
      [some(6, has('single-path')), () => ({ do: 'take', queue })],
      [some(2, has('single-path')), () => ({ do: 'take', queue, consumer: r.pick(['S', 'T']) })],
    ])()
  }

  #uncut<S extends Step>(step: S): S {
    const { cut: _, ...whole } = step
    return whole as S
  }

  #joining(): Step[] {
    const { features } = this.#options
    if (!features['one-at-a-time'] && !features.batch) return []
    const queue = this.#queue()
    return ['X', 'Y'].map((consumer) => ({ do: 'join', consumer, queue }) as const)
  }

  #alternative(): Step[] {
    const r = this.#random
    const { features } = this.#options
    const consumer = r.pick(['X', 'Y'])
    const either = features['one-at-a-time'] || features.batch
    const queue = this.#queue()
    const lock = { do: 'lock', consumer, max: 1 + r.below(3) } as const
    const done = { do: 'done', consumer, message: '1st' } as const
    const some = r.pick(['1st', '2nd', 'last'])
    return r.weighted<Step[]>([
      [either ? 2 : 0, [{ do: 'join', consumer, queue }]],
      [either ? 1 : 0, [{ do: 'leave', consumer, queue }]],
      [features['one-at-a-time'] ? 5 : 0, [{ do: 'next', consumer }]],
      [
        features['one-at-a-time'] ? 4 : 0,
        [
          { do: 'next', consumer },
          { do: 'done', consumer, message: 'last' },
        ],
      ],
      [features.batch ? 4 : 0, [lock]],
      [features.batch ? 4 : 0, [lock, { do: 'done', consumer, message: some }]],
      [features.batch ? 1 : 0, [lock, { do: 'fetch', consumer, message: some }]],
      [features.batch ? 2 : 0, [lock, done, done, done, lock]],
      [
        features['single-path'] ? 2 : 0,
        [
          {
            do: 'together',
            steps: [
              { do: 'take', queue },
              { do: 'take', queue },
            ],
          },
        ],
      ],
      [features['single-path'] ? 3 : 0, [{ do: 'take', queue }]],
      [features['single-path'] ? 3 : 0, [{ do: 'take', queue, consumer: r.pick(['S', 'T']) }]],
    ])
  }

  #queue(): string {
    const isHome = this.#home !== undefined && this.#queues.has(this.#home) && !this.#random.oneIn(4)
    return isHome ? this.#home! : this.#random.pick([...this.#queues])
  }

  #consumer(): string {
    return this.#random.pick([...this.#consumers])
  }

  #cut(oneIn: number): { cut?: Where } {
    const r = this.#random
    return r.oneIn(oneIn)
      ? {
          cut: r.weighted([
            [1, 'before'],
            [2, 'within'],
            [2, 'after'],
            [2, 'unread'],
          ]),
        }
      : {}
  }
}
