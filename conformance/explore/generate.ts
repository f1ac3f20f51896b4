import type { Feature, Profile } from '../client/profile.js'
import type { Command } from './command.js'
import { Random } from './random.js'

const CONSUMERS = ['A', 'B', 'C'] as const
/** The longest sequence, and how many messages it sends at most: few, so that most of them meet. */
const LONGEST = 36
const MOST_MESSAGES = 7
/** More than a page has. */
const MANY_MESSAGES = 110

export interface GenerateOptions {
  readonly features: Readonly<Record<Feature, boolean>>
  /** The names of queues: those that any target takes, and others. */
  readonly queues: { readonly plain: readonly string[]; readonly odd: readonly string[] }
  /** Whether a guid may be any text. */
  readonly guids: boolean
  /** Whether a sequence may send so many messages that feeds have pages. */
  readonly many: boolean
  /** What a consumer may ask for, the likeliest first. */
  readonly prefetches: readonly number[]
  /** In how many sequences one waits for leases to end: 1 for all of them. */
  readonly waitsOneIn: number
}

/** What a consumer may ask of a target for a prefetch. */
export function prefetchesFor({ subscription }: Profile): readonly number[] {
  const { maxPrefetch, parameters } = subscription
  if (parameters.prefetch === null) return [maxPrefetch]
  return [...new Set([1, 2, 3, 5, 10].map((each) => Math.min(each, maxPrefetch)))]
}

/** The sequence of commands of a seed and a number. The same two give the same sequence. */
export function generate(seed: number, run: number, options: GenerateOptions): Command[] {
  return new Generator(
    new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(run + 1, 0x85ebca6b)),
    options,
  ).make()
}

class Generator {
  readonly #random: Random
  readonly #options: GenerateOptions
  readonly #waits: boolean
  readonly #hasAlternatives: boolean
  /** The queues that a sequence may be about. */
  readonly #names: readonly string[]
  /** The one queue that most of a sequence is about; undefined where it is about all of them alike. */
  readonly #home: string | undefined
  readonly #queues = new Set<string>()
  readonly #consumers = new Set<string>()
  readonly #messages: { readonly name: string; readonly guid: boolean }[] = []

  constructor(random: Random, options: GenerateOptions) {
    this.#random = random
    this.#options = options
    this.#waits = random.oneIn(options.waitsOneIn)
    const { features } = options
    const alternatives = features['single-path'] || features['one-at-a-time'] || features.batch
    this.#hasAlternatives = alternatives && random.oneIn(4)
    const { plain, odd } = options.queues
    this.#names = odd.length > 0 && random.oneIn(5) ? ['ab', random.pick(odd)] : plain
    this.#home = random.oneIn(4) ? undefined : random.pick(this.#names)
  }

  make(): Command[] {
    const r = this.#random
    if (this.#options.many && r.oneIn(40)) return this.#makeMany()
    const length = 10 + r.below(LONGEST - 9)
    const first = this.#home === undefined ? this.#names : [this.#home]
    const commands: Command[] = first.map((queue) => this.#create(queue))
    if (r.oneIn(2)) commands.push(this.#create(r.pick(this.#names)))
    for (let left = r.below(4); left > 0; left--) commands.push(this.#send())
    if (!this.#hasAlternatives || r.oneIn(2)) commands.push(this.#subscribe())
    if (this.#hasAlternatives) commands.push(...this.#joining())
    while (commands.length < length) commands.push(...this.#commands())
    // What was done shows at the end.
    for (const consumer of this.#consumers) commands.push({ do: 'read', consumer })
    for (const queue of this.#queues) commands.push({ do: 'browse', queue })
    return commands
  }

  /** Many messages, of which one consumer takes some. */
  #makeMany(): Command[] {
    const r = this.#random
    const queue = this.#names[0]!
    const consumer = 'A'
    const prefetch = Math.max(...this.#options.prefetches)
    const read: Command[] = [
      { do: 'read', consumer },
      { do: 'acknowledge', consumer, nth: r.below(4) },
    ]
    return [
      { do: 'create', queue },
      { do: 'send many', queue, message: 'm', count: MANY_MESSAGES },
      { do: 'browse', queue },
      { do: 'subscribe', consumer, to: [queue], prefetch },
      ...read,
      ...read,
      { do: 'read', consumer },
      { do: 'browse', queue },
    ]
  }

  #commands(): Command[] {
    const r = this.#random
    const reader = this.#consumers.size > 0
    const sent = this.#messages.length > 0
    const some = (weight: number, holds: boolean) => (holds ? weight : 0)
    return r.weighted<() => Command[]>([
      [some(10, this.#messages.length < MOST_MESSAGES), () => this.#sending()],
      [this.#consumers.size < 2 ? 7 : 2, () => [this.#subscribe()]],
      [some(10, reader), () => [{ do: 'read', consumer: this.#consumer() }]],
      [some(14, reader), () => this.#consuming()],
      [some(4, sent), () => [this.#repeat()]],
      [some(3, reader), () => this.#ending()],
      [some(1, reader), () => this.#looking()],
      [some(3, reader), () => [{ do: 'acknowledge again', consumer: this.#consumer(), nth: r.below(8) }]],
      [2, () => [{ do: 'browse', queue: this.#queue() }]],
      [1, () => [{ do: 'list' }]],
      [1, () => [this.#create(r.pick(this.#names))]],
      [1, () => this.#deleting()],
      [some(3, this.#waits && reader), () => [{ do: 'wait', until: r.oneIn(2) ? 'end' : 'part' }]],
      [some(2, this.#waits && reader), () => this.#staying()],
      [some(4, sent && reader), () => this.#together()],
      [some(1, this.#options.features.guid && this.#options.guids), () => this.#guidsAlike()],
      [some(3, reader && this.#options.features['ack-in-post']), () => this.#acknowledgingInPost()],
      [some(50, this.#hasAlternatives), () => this.#alternative()],
    ])()
  }

  #create(queue: string): Command {
    this.#queues.add(queue)
    return { do: 'create', queue, ...this.#cut(12) }
  }

  /** A send, which a client repeats mostly where it was cut off. */
  #sending(): Command[] {
    const send = this.#send()
    const isRepeated = send.cut !== undefined && send.by !== 'single-path' && !this.#random.oneIn(3)
    return isRepeated ? [send, { do: 'repeat', message: send.message }] : [send]
  }

  /** Two guids that somebody may take for one. */
  #guidsAlike(): Command[] {
    const first = this.#send('guid')
    const second = this.#send('guid')
    const long = this.#random.oneIn(3)
    const difference = long ? 'end' : this.#random.pick(['case', 'end', 'sign', 'space'] as const)
    return [
      { ...first, ...(long ? { guid: 'long' } : {}) },
      { ...second, guid: { unlike: first.message, in: difference } },
    ]
  }

  #send(way?: 'guid'): Extract<Command, { do: 'send' }> {
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
      ...({ do: 'send', queue: this.#queue(), message: name, by } as const),
      colour: r.oneIn(3) ? 'blue' : 'red',
      ...like,
      ...this.#cut(8),
    }
  }

  #repeat(): Command {
    const { name, guid } = this.#random.pick(this.#messages)
    const elsewhere = guid && this.#random.oneIn(2) ? { queue: this.#random.pick([...this.#queues]) } : {}
    const changed = this.#random.oneIn(5) ? ({ changed: true } as const) : {}
    return { do: 'repeat', message: name, ...elsewhere, ...changed }
  }

  #subscribe(): Command {
    const r = this.#random
    const { features, prefetches } = this.#options
    const free = CONSUMERS.filter((each) => !this.#consumers.has(each))
    const consumer = r.pick(free.length > 0 && !r.oneIn(6) ? free : CONSUMERS)
    this.#consumers.add(consumer)
    const below = features.wildcards && r.oneIn(8) ? { below: 'a' } : {}
    const to = 'below' in below && !r.oneIn(3) ? [] : this.#destinations()
    const selector = features.selector && r.oneIn(8) ? ({ selector: true } as const) : {}
    const prefetch = prefetches[Math.min(r.below(prefetches.length), r.below(prefetches.length + 1))]!
    return { do: 'subscribe', consumer, to, ...below, prefetch, ...selector, ...this.#cut(20) }
  }

  #destinations(): string[] {
    const r = this.#random
    const all = [...this.#queues]
    if (r.oneIn(12)) return Array.from({ length: 2 }, () => all[0]!)
    if (all.length < 2 || (this.#home !== undefined && !r.oneIn(3))) return [this.#queue()]
    return [...new Set([this.#queue(), r.pick(all), r.pick(all), r.pick(all)])]
  }

  /** Reads, acknowledges some of what it holds, and mostly reads on. */
  #consuming(): Command[] {
    const r = this.#random
    const consumer = this.#consumer()
    const commands: Command[] = [{ do: 'read', consumer }]
    for (
      let left = r.weighted([
        [4, 1],
        [2, 2],
        [1, 3],
      ]);
      left > 0;
      left--
    ) {
      commands.push({ do: 'acknowledge', consumer, nth: r.oneIn(2) ? 0 : r.below(4), ...this.#cut(12) })
    }
    return r.oneIn(3) ? commands : [...commands, { do: 'read', consumer }]
  }

  #acknowledgingInPost(): Command[] {
    const consumer = this.#consumer()
    const count = 1 + this.#random.below(2)
    return [
      { do: 'read', consumer },
      { do: 'acknowledge in a post', consumer, count },
      { do: 'read', consumer },
    ]
  }

  /** Somebody goes away, and mostly another looks for what is left. */
  #ending(): Command[] {
    const end = { do: 'end', consumer: this.#consumer(), ...this.#cut(10) } as const
    return this.#random.oneIn(3) ? [end] : [end, { do: 'read', consumer: this.#consumer() }]
  }

  #looking(): Command[] {
    const consumer = this.#consumer()
    const read = { do: 'read', consumer } as const
    return [read, { do: 'look', consumer, nth: this.#random.below(3) }, read]
  }

  /** A queue goes; mostly it comes again, and is used. */
  #deleting(): Command[] {
    const queue = this.#queue()
    const deletion = { do: 'delete', queue, ...this.#cut(8) } as const
    if (this.#random.oneIn(3)) return [deletion]
    const send = { ...this.#send(), queue }
    return [deletion, this.#create(queue), send, { do: 'browse', queue }]
  }

  /** Somebody goes on using a subscription for longer than a lease, while others may be silent. */
  #staying(): Command[] {
    const consumer = this.#consumer()
    const read = { do: 'read', consumer } as const
    const use = this.#random.oneIn(4) ? ({ do: 'acknowledge', consumer, nth: 0 } as const) : read
    const stay: Command[] = [{ do: 'wait', until: 'part' }, use]
    const silent: Command[] = this.#random.oneIn(2) ? [{ do: 'read', consumer: this.#consumer() }] : []
    return [...silent, read, ...Array.from({ length: 4 }, () => stay).flat(), read]
  }

  /** Two or three requests that meet. */
  #together(): Command[] {
    const r = this.#random
    const one = this.#consumer()
    const other = this.#consumer()
    const same = r.pick(this.#messages).name
    const creation = { do: 'create', queue: r.pick(this.#names) } as const
    this.#queues.add(creation.queue)
    const read = { do: 'read', consumer: one } as const
    const commands = r.pick<readonly Command[]>([
      [read, { do: 'read', consumer: other }],
      [read, read, read],
      [
        { do: 'acknowledge', consumer: one, nth: 0 },
        { do: 'acknowledge', consumer: one, nth: 1 },
      ],
      [
        { do: 'repeat', message: same },
        { do: 'repeat', message: same },
      ],
      [
        { do: 'acknowledge', consumer: one, nth: 0 },
        { do: 'read', consumer: other },
      ],
      [creation, creation],
    ])
    const together: Command = { do: 'together', commands }
    return commands[0] === read ? [together] : [read, together, read]
  }

  #joining(): Command[] {
    const { features } = this.#options
    if (!features['one-at-a-time'] && !features.batch) return []
    const queue = this.#queue()
    return ['X', 'Y'].map((consumer) => ({ do: 'join', consumer, queue }) as const)
  }

  #alternative(): Command[] {
    const r = this.#random
    const { features } = this.#options
    const consumer = r.pick(['X', 'Y'])
    const either = features['one-at-a-time'] || features.batch
    const queue = this.#queue()
    const lock = { do: 'lock', consumer, max: 1 + r.below(3) } as const
    const done = { do: 'acknowledge locked', consumer, nth: 0 } as const
    return r.weighted<Command[]>([
      [either ? 2 : 0, [{ do: 'join', consumer, queue }]],
      [either ? 1 : 0, [{ do: 'leave', consumer, queue }]],
      [features['one-at-a-time'] ? 5 : 0, [{ do: 'next', consumer }]],
      [
        features['one-at-a-time'] ? 4 : 0,
        [
          { do: 'next', consumer },
          { do: 'acknowledge next', consumer },
        ],
      ],
      [features.batch ? 4 : 0, [lock]],
      [features.batch ? 4 : 0, [lock, { do: 'acknowledge locked', consumer, nth: r.below(3) }]],
      [features.batch ? 1 : 0, [lock, { do: 'fetch', consumer, nth: r.below(3) }]],
      [features.batch ? 2 : 0, [lock, done, done, done, lock]],
      [
        features['single-path'] ? 2 : 0,
        [
          {
            do: 'together',
            commands: [
              { do: 'take', queue },
              { do: 'take', queue },
            ],
          },
        ],
      ],
      [features['single-path'] ? 3 : 0, [{ do: 'take', queue }]],
      [features['single-path'] ? 3 : 0, [{ do: 'take', queue, session: r.pick(['s', 't']) }]],
    ])
  }

  #queue(): string {
    const isHome = this.#home !== undefined && this.#queues.has(this.#home) && !this.#random.oneIn(4)
    return isHome ? this.#home! : this.#random.pick([...this.#queues])
  }

  #consumer(): string {
    return this.#random.pick([...this.#consumers])
  }

  #cut(oneIn: number): { cut?: 'body' | 'answer' } {
    return this.#random.oneIn(oneIn) ? { cut: this.#random.oneIn(2) ? 'body' : 'answer' } : {}
  }
}
