import { DIFFERENCES, type Step } from '../scenario/step.js'
import { ordinalOf } from '../scenario/words.js'
import type { Random } from './random.js'
import { BODIES, type GenerateOptions, type SingleSteps } from './single-steps.js'

/** How many messages a scenario of many has: often a little more than a page. */
const MORE_THAN_FEW = 15
const SIZES = [MORE_THAN_FEW, 30, 60, 60, 110, 110, 300, 300] as const
/** So many may have bodies of the largest size: more together than a target may put into one answer. */
const HEAVY_FROM = 60
const HEAVY_TO = 110
/** How often a consumer is filled again. */
const MOST_ROUNDS = 4
/** How many messages one lock call of many asks for. */
const BATCHES = [20, 50] as const
/** Each order of them is tried. */
const MOST_AT_ONCE = 4
/** How often in a row the same is read. */
const MOST_READINGS = 12
/** More than most scenarios send. */
const MANY = 30

/** What a target may refuse of a message. */
const ODD = ['size', 'empty', 'every', 'bytes'] as const

const twice = (...steps: Step[]) => [...steps, ...steps]

/** Steps that belong together: what somebody does of which one step alone shows little. */
export class Stories {
  readonly #random: Random
  readonly #options: GenerateOptions
  readonly #one: SingleSteps

  constructor(random: Random, options: GenerateOptions, one: SingleSteps) {
    this.#random = random
    this.#options = options
    this.#one = one
  }

  /** The creation of a queue, which a client repeats mostly where it was cut off: the first may still be under way. */
  creating(queue?: string): Step[] {
    const creation = this.#one.create(queue)
    const isRepeated = creation.cut !== undefined && !this.#random.oneIn(3)
    return isRepeated ? [creation, { do: 'create', queue: creation.queue }] : [creation]
  }

  /** A send, which a client repeats mostly where it was cut off or may be refused, or sends something else in its place. */
  sending(): Step[] {
    const r = this.#random
    const send = this.#one.sendSome()
    const [message] = send.messages
    const isUnsure = send.cut !== undefined || ODD.some((each) => send[each] !== undefined)
    const isRepeated = isUnsure && send.by !== 'single-path' && !r.oneIn(3)
    const changed = send.by === undefined && r.oneIn(4) ? ({ changed: true } as const) : {}
    return isRepeated ? [send, { do: 'repeat', message: message!, ...changed }] : [send]
  }

  /** Guids that somebody may take for one: all that differ from one, or some of them. */
  guidsAlike(): Step[] {
    const r = this.#random
    const { cut: _, like: __, ...first } = this.#one.send('guid')
    const base = r.pick(['number', 'long', undefined] as const)
    const { queue } = first
    const unlike = first.messages[0]!
    const some =
      base === 'long' ? (['end'] as const) : r.some(DIFFERENCES, r.pick([1, 2, DIFFERENCES.length]))
    const others = some.map((each): Step => {
      return {
        do: 'send',
        messages: [this.#one.message(true)],
        queue,
        by: 'guid',
        guid: { unlike, in: each },
      }
    })
    return [{ ...first, ...(base && { guid: base }) }, ...others]
  }

  /** Reads, acknowledges some of what it holds, and mostly reads on. */
  consuming(): Step[] {
    const r = this.#random
    const consumer = this.#one.consumer()
    const read = { do: 'read', consumer } as const
    const count = r.pick([1, 1, 1, 1, 2, 2, 3])
    const acks = Array.from({ length: count }, () => ({
      ...this.#one.acknowledge(consumer),
      ...this.#one.cut(12),
    }))
    return r.oneIn(3) ? [read, ...acks] : [read, ...acks, read]
  }

  acknowledgingInPost(): Step[] {
    const consumer = this.#one.consumer()
    const read = { do: 'read', consumer } as const
    return [read, this.#one.acknowledgeInPost(consumer), read]
  }

  /** Somebody goes away, and mostly another looks for what is left, also when the first says so once more. */
  ending(): Step[] {
    const r = this.#random
    const consumer = this.#one.consumer()
    const end = { do: 'end', consumer, ...this.#one.cut(10) } as const
    const look = { do: 'read', consumer: this.#one.consumer() } as const
    return r.pick<Step[]>([[end], [end, look], [end, look, { do: 'end', consumer }, look]])
  }

  /** A consumer of few messages at a time is filled again and again. */
  refilling(): Step[] {
    const consumer = this.#one.consumer()
    const queue = this.#one.queue()
    const round: Step[] = [
      { do: 'read', consumer },
      { do: 'ack', consumer, messages: ['each'] },
    ]
    return [
      { do: 'subscribe', consumer, to: [queue], prefetch: this.#options.prefetches[0]! },
      { ...this.#one.send(undefined, MOST_ROUNDS + 2), queue },
      ...Array.from({ length: MOST_ROUNDS + 1 }, () => round).flat(),
      { do: 'read', consumer },
    ]
  }

  /** The same is read again and again, and then something comes. */
  lingering(): Step[] {
    const r = this.#random
    const consumer = this.#one.consumer()
    const read = { do: 'read', consumer } as const
    const again = r.pick<Step>([read, read, { do: 'browse', queue: this.#one.queue() }])
    return [...Array.from({ length: MOST_READINGS }, () => again), this.#one.send(), read]
  }

  /** Looks at a message, or by a HEAD at the feed: neither changes anything. */
  looking(): Step[] {
    const r = this.#random
    const consumer = this.#one.consumer()
    const read = { do: 'read', consumer } as const
    const look = { do: 'look', consumer, message: r.pick(['1st', '2nd', 'last']) } as const
    return [read, r.oneIn(3) ? { do: 'head', consumer } : look, read]
  }

  /** The two steps of a send, and something between them. */
  apart(): Step[] {
    const r = this.#random
    const message = this.#one.message(false)
    const address = { do: 'address', message, queue: this.#one.queue() } as const
    const between: Step[] = r.oneIn(2) ? [{ do: 'visit', message }] : this.sending()
    return [address, ...between, { do: 'post', message }]
  }

  /** A queue goes; mostly it comes again, and is used. */
  deleting(): Step[] {
    const queue = this.#one.queue()
    const deletion = { do: 'delete', queue, ...this.#one.cut(8) } as const
    if (this.#random.oneIn(3)) return [deletion]
    const again = this.creating(queue)
    return [deletion, ...again, { ...this.#one.send(), queue }, { do: 'browse', queue }]
  }

  /** A queue comes, and what is sent to it, while consumers are there already: mostly by the wildcard that covers it. */
  coming(): Step[] {
    const r = this.#random
    const { names, queues, consumers } = this.#one
    const missing = names.filter((each) => !queues.has(each))
    const queue = r.pick(missing.length > 0 ? missing : names)
    const wildcard = this.#one.wildcardOver(queue)
    const count = wildcard.length > 0 ? r.pick([0, 1, 2]) : 0
    const subscriptions = Array.from({ length: count }, () => this.#one.subscribe(wildcard))
    const send = { ...this.#one.send(undefined, r.pick([1, 3])), queue }
    const reads = [...consumers].map((consumer): Step => ({ do: 'read', consumer }))
    return [...subscriptions, ...this.creating(queue), send, ...reads]
  }

  /** Somebody subscribes, and reads at once. */
  arriving(): Step[] {
    const subscription = this.#one.subscribe()
    return [subscription, { do: 'read', consumer: subscription.consumer }]
  }

  /** A send with a guid comes before its queue is there, and once more when it is. */
  early(): Step[] {
    const { names, queues } = this.#one
    const [queue = names[0]!] = names.filter((each) => !queues.has(each))
    const { cut: _, like: __, ...send } = this.#one.send('guid')
    const repeat = { do: 'repeat', message: send.messages[0]! } as const
    return [
      ...(queues.has(queue) ? [{ do: 'delete', queue } as const] : []),
      ...[{ ...send, queue }, this.#one.create(queue), repeat],
      { do: 'browse', queue },
    ]
  }

  /** Time passes: mostly a little before or after some lease may end, or any part of one. */
  passing(lease: number): Step[] {
    const r = this.#random
    const time = r.pick([
      1 + r.below(lease),
      lease - 1 - r.below(Math.min(500, lease - 1)),
      lease + r.below(50),
    ])
    const consumer = this.#one.consumer()
    const use = r.pick<() => Step>([
      () => ({ do: 'read', consumer }),
      () => this.#one.acknowledge(consumer, '1st'),
      () => this.#one.repeat(),
    ])()
    return r.oneIn(3) ? [{ do: 'advance', time }] : [{ do: 'advance', time }, use]
  }

  /** Somebody goes on using a subscription for longer than a lease, or others do something that is no use of it. */
  staying(): Step[] {
    const r = this.#random
    const consumer = this.#one.consumer()
    const read = { do: 'read', consumer } as const
    const other = { do: 'read', consumer: this.#one.consumer() } as const
    const browse = { do: 'browse', queue: this.#one.queue() } as const
    const use = r.pick<() => Step[]>([
      () => [read],
      () => [read],
      () => [this.#one.acknowledge(consumer, '1st')],
      () => [other],
      () => [browse],
      () => (this.#one.maySend ? [this.#one.send()] : [browse]),
      () => this.arriving(),
    ])
    const stay = () => [{ do: 'wait', until: 'part' } as const, ...use()]
    const silent: Step[] = r.oneIn(2) ? [other] : []
    const after = r.oneIn(2) ? this.arriving() : []
    return [...silent, read, ...Array.from({ length: 4 }, stay).flat(), ...after, read, ...silent]
  }

  /** The lease of one ends, which may come late, while another's goes on. */
  outlasting(): Step[] {
    const consumer = this.#one.consumer()
    const read = { do: 'read', consumer } as const
    const other = { do: 'read', consumer: this.#one.consumer() } as const
    const [arrival, later] = this.#random.oneIn(2) ? [this.arriving(), undefined] : [[other], other]
    const after = later ?? arrival.at(-1)!
    const late = this.#random.pick<Step[]>([[], [read], [this.#one.acknowledge(consumer)]])
    return [
      read,
      { do: 'wait', until: 'part' },
      ...arrival,
      { do: 'wait', until: 'end', consumer },
      after,
      ...late,
      after,
    ]
  }

  /** Somebody holds messages, is silent until the lease has ended, and comes late; others get what was held, and may do alike. */
  lapsing(): Step[] {
    const r = this.#random
    const lapse = (): Step[] => {
      const consumer = this.#one.consumer()
      const read = { do: 'read', consumer } as const
      const late = r.pick<Step>([this.#one.acknowledge(consumer), read])
      return [read, { do: 'wait', until: 'end' }, ...(r.oneIn(2) ? [late] : []), ...this.arriving()]
    }
    const other = { do: 'read', consumer: this.#one.consumer() } as const
    return [...Array.from({ length: r.pick([1, 1, 2, 4]) }, lapse).flat(), other]
  }

  /** Messages go from hand to hand: consumers come, take what they can, and go; then a sender may repeat what it sent. */
  wandering(): Step[] {
    const { queues, consumers } = this.#one
    const consumer = this.#one.consumer()
    const round: Step[] = [
      { do: 'subscribe', consumer, to: [this.#random.pick([...queues])], prefetch: this.#one.prefetch() },
      { do: 'read', consumer },
      { do: 'end', consumer },
    ]
    const others = [...consumers].filter((each) => each !== consumer)
    const ends = others.map((each): Step => ({ do: 'end', consumer: each }))
    const rounds = Array.from({ length: this.#random.pick([2, 4, 12]) }, () => round).flat()
    const after = this.#random.oneIn(2) ? [this.#one.repeat()] : [...this.arriving(), ...this.arriving()]
    return [...ends, ...rounds, ...after]
  }

  /** Two or three requests that meet: any, but mostly of one consumer or one queue. */
  together(): Step[] {
    const r = this.#random
    const hasReader = this.#one.consumers.size > 0
    const consumers = hasReader ? [this.#one.consumer(), ...(r.oneIn(2) ? [] : [this.#one.consumer()])] : []
    const queue = this.#one.queue()
    const queues = [queue, ...(r.oneIn(3) ? [this.#one.queue()] : [])]
    const read: Step[] = consumers.slice(0, 1).map((consumer) => ({ do: 'read', consumer }))
    const one = this.#one.meeting(consumers, queues)
    const isTwice = one.do !== 'send' && r.oneIn(3)
    const other = isTwice ? one : this.#one.meeting(consumers, queues)
    const more = r.oneIn(3) ? [r.oneIn(3) ? other : this.#one.meeting(consumers, queues)] : []
    const steps = [one, other, ...more].flatMap((step): Step[] =>
      step.do === 'send' && r.oneIn(2) && step.by !== 'single-path'
        ? [step, { do: 'repeat', message: step.messages[0]! }]
        : [step],
    )
    const together: Step = { do: 'together', steps: steps.slice(0, MOST_AT_ONCE) }
    return r.pick<Step[]>([[together], [together, ...read], [...read, together, ...read]])
  }

  /** The same is asked for several times at one moment: of each of some messages, or by one client. */
  crowding(): Step[] {
    const r = this.#random
    const { features, byId, subscribers } = this.#one
    const count = 2 + r.below(MOST_AT_ONCE - 1)
    const { cut: _, ...send } = this.#one.send(undefined, 2 * count + 1)
    const { queue } = send
    const another = this.#one.message(false)
    const crowd = (make: (place: string) => Step): Step => ({
      do: 'together',
      steps: Array.from({ length: count }, (_, at) => make(ordinalOf(at + 1))),
    })
    const consumer = r.pick(byId)
    const join: Step = { do: 'join', consumer, queue }
    const lock: Step = { do: 'lock', consumer, max: count }
    const take: Step = { do: 'take', queue }
    const reading = (make: (reader: string, place: string) => Step): Step[] => {
      const reader = r.pick(subscribers)
      this.#one.consumers.add(reader)
      const read = { do: 'read', consumer: reader } as const
      const subscribe: Step = {
        do: 'subscribe',
        consumer: reader,
        to: [queue],
        prefetch: count,
        atMost: true,
      }
      return [subscribe, read, crowd((place) => make(reader, place)), read]
    }
    const where = (holds: boolean) => (holds ? 2 : 0)
    const reads = where(subscribers.length > 0)
    const more = r.weighted<() => Step[]>([
      [3 * reads, () => reading((reader, place) => ({ do: 'ack', consumer: reader, messages: [place] }))],
      [reads, () => reading((reader) => ({ do: 'read', consumer: reader }))],
      [
        2,
        () => [{ do: 'address', message: another, queue }, crowd(() => ({ do: 'post', message: another }))],
      ],
      [1, () => [crowd(() => ({ do: 'create', queue }))]],
      [
        where(features.batch),
        () => [join, lock, crowd((message) => ({ do: 'done', consumer, message })), lock],
      ],
      [where(features['one-at-a-time']), () => [join, crowd(() => ({ do: 'next', consumer }))]],
      [where(features['single-path']), () => [crowd(() => take)]],
    ])()
    return [send, ...more, { do: 'browse', queue }]
  }

  /** All go away, and one who comes takes all that is left. */
  succeeding(): Step[] {
    const r = this.#random
    const { consumers, queues, subscribers } = this.#one
    if (subscribers.length === 0) return []
    const consumer = r.pick(subscribers)
    const read = { do: 'read', consumer } as const
    const ends = [...consumers].map((each): Step => ({ do: 'end', consumer: each }))
    const order = r.oneIn(2) ? ({ order: 'backwards' } as const) : {}
    return [
      ...ends,
      { do: 'subscribe', consumer, to: [...queues], prefetch: MANY, atMost: true },
      ...[read, { do: 'ack', consumer, messages: ['each'], ...order } as const, read],
    ]
  }

  joining(): Step[] {
    const { features, byId } = this.#one
    if (!features['one-at-a-time'] && !features.batch) return []
    const queue = this.#one.queue()
    return byId.map((consumer) => ({ do: 'join', consumer, queue }) as const)
  }

  /** Consumers by an id take what is left, and so show what is not. */
  draining(): Step[] {
    const { features, byId, messages } = this.#one
    return byId.flatMap((consumer): Step[] => {
      const all = { do: 'done', consumer, message: 'each' } as const
      if (features.batch) return twice(all, { do: 'lock', consumer, max: 12 })
      const next = { do: 'next', consumer } as const
      const rounds = features['one-at-a-time'] ? Math.ceil(messages.length / byId.length) + 1 : 0
      return Array.from({ length: rounds }, () => [all, next]).flat()
    })
  }

  alternative(): Step[] {
    const r = this.#random
    const { features, byId } = this.#one
    const consumer = r.pick(byId)
    const either = features['one-at-a-time'] || features.batch
    const queue = this.#one.queue()
    const lock = this.#one.lock(consumer)
    const done = { do: 'done', consumer, message: '1st' } as const
    const take = { do: 'take', queue } as const
    const leave = { do: 'leave', consumer, queue } as const
    const acksInLock: Step = {
      do: 'ack',
      consumer,
      messages: r.pick([['1st'], ['1st', '2nd'], ['each']]),
      locks: lock.max,
    }
    const other = r.pick(byId)
    const some = r.pick(['1st', '2nd', 'last'])
    const oneAtATime = features['one-at-a-time'] ? 1 : 0
    const batch = features.batch ? 1 : 0
    const singlePath = features['single-path'] ? 1 : 0
    return r.weighted<Step[]>([
      [either ? 2 : 0, [{ do: 'join', consumer, queue }]],
      [either ? 1 : 0, [{ do: 'leave', consumer, queue }]],
      [5 * oneAtATime, [{ do: 'next', consumer }]],
      [
        4 * oneAtATime,
        [
          { do: 'next', consumer },
          { ...done, message: 'last' },
        ],
      ],
      [4 * batch, [lock]],
      [4 * batch, [lock, { ...done, message: some }]],
      [3 * batch, [lock, ...twice({ do: 'fetch', consumer, message: some })]],
      [features['ack-in-post'] ? 2 * batch : 0, [lock, acksInLock, lock]],
      [
        either ? 2 : 0,
        [
          { ...done, message: 'unknown' },
          { do: 'browse', queue },
        ],
      ],
      [2 * batch, [lock, { ...done, message: 'each' }, lock]],
      [2 * oneAtATime, [{ do: 'next', consumer }, leave, { do: 'next', consumer: other }]],
      [batch, [lock, leave, { ...lock, consumer: other }]],
      [2 * singlePath, [{ do: 'together', steps: [take, take] }]],
      [3 * singlePath, [take]],
      [3 * singlePath, [{ ...take, consumer: r.pick(['S', 'T']) }]],
    ])
  }

  /** A whole scenario of many messages: more than a target may remember, or so many that consumers take some at a time. */
  many(large?: 'guid' | 'two-step'): Step[] {
    const r = this.#random
    const { features } = this.#options
    const queue = this.#one.names[0]!
    const isByGuid = features.guid && (large === undefined ? r.oneIn(3) : large === 'guid')
    const by = isByGuid ? ({ by: 'guid' } as const) : {}
    const isLarge = large !== undefined
    const count = isLarge ? (isByGuid ? 2100 : 1100) : r.pick(this.#options.many ? SIZES : [MORE_THAN_FEW])
    const messages = Array.from({ length: count }, (_, index) => `m${index + 1}`)
    const picks = features.selector && !isLarge && r.oneIn(4)
    const isHeavy = count >= HEAVY_FROM && count <= HEAVY_TO && this.#options.anyBodies && r.oneIn(4)
    const size = isHeavy ? { size: Math.max(...BODIES) } : {}
    const sends: Step[] = picks
      ? [
          { do: 'send', messages, queue, ...by, colour: 'blue' },
          { do: 'send', messages: [`m${count + 1}`], queue },
        ]
      : [{ do: 'send', messages, queue, ...by, ...size }]
    const repeat = { do: 'repeat', message: 'm1' } as const
    const browse = { do: 'browse', queue } as const
    return [
      ...[{ do: 'create', queue } as const, ...sends, repeat, browse],
      ...(features.batch && r.oneIn(4) ? this.#lockingMany(queue) : this.#takingMany(queue, count, picks)),
      ...[repeat, browse],
    ]
  }

  #lockingMany(queue: string): Step[] {
    const r = this.#random
    const lock = { do: 'lock', consumer: 'X', max: r.pick(BATCHES) } as const
    const few = { ...lock, max: 1 + r.below(8) }
    const all = { do: 'done', consumer: 'X', message: 'each' } as const
    const locks: Step[] = r.oneIn(2) ? [lock, lock, all, lock] : [...twice(few, all, few, all), few]
    return [{ do: 'join', consumer: 'X', queue }, ...locks]
  }

  #takingMany(queue: string, count: number, picks: boolean): Step[] {
    const r = this.#random
    const { mostPrefetch, features, lease } = this.#options
    const prefetch = Math.min(mostPrefetch, r.pick([1, 10, 50, count, count, count]))
    const of = (consumer: string, most = prefetch): Step[] => [
      { do: 'end', consumer },
      { do: 'subscribe', consumer, to: [queue], prefetch: most },
      { do: 'read', consumer },
    ]
    const read = { do: 'read', consumer: 'A' } as const
    const end = { do: 'end', consumer: 'A' } as const
    if (picks) return [{ do: 'subscribe', consumer: 'A', to: [queue], prefetch, selector: 'red' }, read]
    const order = r.pick(['backwards', 'mixed', undefined] as const)
    const reads = features['ack-in-post'] && r.oneIn(4) ? ({ reads: true } as const) : {}
    const each: Step = { do: 'ack', consumer: 'A', messages: ['each'], ...(order && { order }), ...reads }
    const some: Step = { do: 'ack', consumer: 'A', messages: [ordinalOf(1 + r.below(12))] }
    const all = Math.min(MOST_ROUNDS, Math.ceil(count / prefetch))
    // Mostly some messages are left.
    const rounds = Array.from({ length: 1 + r.below(all) }, () => [each, read])
    const browse = { do: 'browse', queue } as const
    const stories: (() => Step[])[] = [
      () => [...of('A'), each, read],
      () => [...of('A'), some, read, each, read],
      () => [...of('A'), some, some, read, ...of('B')],
      () => [...of('A'), ...rounds.flat()],
      // One keeps the oldest while another works on all that came later.
      () => [...of('B', 1), ...of('A'), ...rounds.flat(), browse, { do: 'end', consumer: 'B' }, read],
      // All that is held is given back at once.
      () => [...of('A'), end, read, ...of('B')],
      () => [...of('A'), lease === undefined ? end : { do: 'wait', until: 'end' }, read, ...of('B')],
    ]
    return r.some(stories, 2).flatMap((make) => make())
  }
}
