import type { Feature, Profile } from '../client/profile.js'
import type { Command } from './command.js'
import { Random } from './random.js'

const CONSUMERS = ['A', 'B', 'C'] as const
/** The longest sequence, and how many messages it sends at most: few, so that most of them meet. */
const LONGEST = 36
const MOST_MESSAGES = 7

export interface GenerateOptions {
  readonly features: Readonly<Record<Feature, boolean>>
  /** The names of queues. */
  readonly queues: readonly string[]
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
  /** The one queue that most of a sequence is about. */
  readonly #home: string
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
    this.#home = random.pick(options.queues)
  }

  make(): Command[] {
    const r = this.#random
    const length = 10 + r.below(LONGEST - 9)
    const commands: Command[] = [this.#create(this.#home)]
    if (r.oneIn(2)) commands.push(this.#create(r.pick(this.#options.queues)))
    for (let left = r.below(4); left > 0; left--) commands.push(this.#send())
    if (!this.#hasAlternatives || r.oneIn(2)) commands.push(this.#subscribe())
    if (this.#hasAlternatives) commands.push(...this.#joining())
    while (commands.length < length) commands.push(...this.#commands())
    // What was done shows at the end.
    for (const consumer of this.#consumers) commands.push({ do: 'read', consumer })
    for (const queue of this.#queues) commands.push({ do: 'browse', queue })
    return commands
  }

  #commands(): Command[] {
    const r = this.#random
    const reader = this.#consumers.size > 0
    const sent = this.#messages.length > 0
    const some = (weight: number, holds: boolean) => (holds ? weight : 0)
    return r.weighted<() => Command[]>([
      [some(10, this.#messages.length < MOST_MESSAGES), () => [this.#send()]],
      [this.#consumers.size < 2 ? 7 : 2, () => [this.#subscribe()]],
      [some(10, reader), () => [{ do: 'read', consumer: this.#consumer() }]],
      [some(14, reader), () => this.#consuming()],
      [some(4, sent), () => [this.#repeat()]],
      [some(3, reader), () => [this.#end()]],
      [some(3, reader), () => [{ do: 'acknowledge again', consumer: this.#consumer(), nth: r.below(8) }]],
      [2, () => [{ do: 'browse', queue: this.#queue() }]],
      [1, () => [{ do: 'list' }]],
      [1, () => [this.#create(r.pick(this.#options.queues))]],
      [1, () => [{ do: 'delete', queue: this.#queue(), ...this.#cut(8) }]],
      [some(4, this.#waits && reader), () => [{ do: 'wait', until: r.oneIn(2) ? 'end' : 'part' }]],
      [some(4, sent && reader), () => this.#together()],
      [some(3, reader && this.#options.features['ack-in-post']), () => this.#acknowledgingInPost()],
      [some(50, this.#hasAlternatives), () => this.#alternative()],
    ])()
  }

  #create(queue: string): Command {
    this.#queues.add(queue)
    return { do: 'create', queue, ...this.#cut(12) }
  }

  #send(): Command {
    const r = this.#random
    const { features } = this.#options
    const name = `m${this.#messages.length + 1}`
    const by = r.weighted<'two-step' | 'guid' | 'single-path'>([
      [3, 'two-step'],
      [features.guid ? 2 : 0, 'guid'],
      [features['single-path'] && this.#hasAlternatives ? 2 : 0, 'single-path'],
    ])
    const like = this.#messages.length > 0 && r.oneIn(8) ? { like: r.pick(this.#messages).name } : {}
    this.#messages.push({ name, guid: by === 'guid' })
    return {
      ...{ do: 'send', queue: this.#queue(), message: name, by },
      colour: r.oneIn(3) ? 'blue' : 'red',
      ...like,
      ...this.#cut(8),
    }
  }

  #repeat(): Command {
    const { name, guid } = this.#random.pick(this.#messages)
    const elsewhere = guid && this.#random.oneIn(2) ? { queue: this.#random.pick([...this.#queues]) } : {}
    return { do: 'repeat', message: name, ...elsewhere }
  }

  #subscribe(): Command {
    const r = this.#random
    const { features, prefetches } = this.#options
    const free = CONSUMERS.filter((each) => !this.#consumers.has(each))
    const consumer = r.pick(free.length > 0 && !r.oneIn(6) ? free : CONSUMERS)
    this.#consumers.add(consumer)
    const below = features.wildcards && r.oneIn(8) ? { below: 'a' } : {}
    const to = 'below' in below ? [] : this.#destinations()
    const selector = features.selector && r.oneIn(8) ? ({ selector: true } as const) : {}
    const prefetch = prefetches[Math.min(r.below(prefetches.length), r.below(prefetches.length + 1))]!
    return { do: 'subscribe', consumer, to, ...below, prefetch, ...selector, ...this.#cut(20) }
  }

  #destinations(): string[] {
    const r = this.#random
    const all = [...this.#queues]
    if (all.length < 2 || !r.oneIn(3)) return [this.#queue()]
    return [...new Set([this.#queue(), r.pick(all), r.pick(all)])]
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

  #end(): Command {
    return { do: 'end', consumer: this.#consumer(), ...this.#cut(10) }
  }

  /** Two or three requests that meet. */
  #together(): Command[] {
    const r = this.#random
    const one = this.#consumer()
    const other = this.#consumer()
    const same = r.pick(this.#messages).name
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
    ])
    const together: Command = { do: 'together', commands }
    return commands[0] === read ? [together] : [read, together, read]
  }

  #joining(): Command[] {
    const { features } = this.#options
    if (!features['one-at-a-time'] && !features.batch) return []
    return ['X', 'Y'].map((consumer) => ({ do: 'join', consumer, queue: this.#home }) as const)
  }

  #alternative(): Command[] {
    const r = this.#random
    const { features } = this.#options
    const consumer = r.pick(['X', 'Y'])
    const either = features['one-at-a-time'] || features.batch
    const queue = this.#queue()
    const lock = { do: 'lock', consumer, max: 1 + r.below(3) } as const
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
      [features['single-path'] ? 3 : 0, [{ do: 'take', queue }]],
      [features['single-path'] ? 3 : 0, [{ do: 'take', queue, session: r.pick(['s', 't']) }]],
    ])
  }

  #queue(): string {
    return this.#queues.has(this.#home) && !this.#random.oneIn(4)
      ? this.#home
      : this.#random.pick([...this.#queues])
  }

  #consumer(): string {
    return this.#random.pick([...this.#consumers])
  }

  #cut(oneIn: number): { cut?: 'body' | 'answer' } {
    return this.#random.oneIn(oneIn) ? { cut: this.#random.oneIn(2) ? 'body' : 'answer' } : {}
  }
}
