import type { ClauseId } from '../requirements/index.js'
import {
  change,
  followable,
  heldBy,
  inEach,
  isLost,
  isStill,
  mayHaveShifted,
  put,
  queueOf,
  those,
} from './data.js'
import { recognize } from './recognize.js'
import type {
  Answer,
  Consumer,
  Content,
  Delivery,
  Message,
  Place,
  Step,
  Subscribing,
  World,
} from './world.js'

// What several operations have in common: what a send does, whose a message is, and how long a consumer lasts.

/** A message that was sent for the first time. */
export function sent(world: World, content: Content & Place, answer: Answer): World {
  const { queue, born } = content
  const isThere = isStill(world, content)
  const life = !isThere ? 'ending' : isLost(answer) ? 'unsure' : 'pending'
  const next = { ...world, messages: [...world.messages, { ...content, life } as const] }
  // A target may make a queue of whatever is sent to.
  const mayBeMade = !isThere && answer.status < 400
  return mayBeMade ? put(next, 'queues', queue, { ...queueOf(world, queue), born, mayCome: true }) : next
}

/** What is sent again is ignored, but where the first has no answer: then any of the two may be the one that came. */
export function sentAgain(known: World, index: number, content: Content & Place, answer: Answer): World[] {
  const { life: before, body, others = [] } = known.messages[index]!
  const isOther = body !== content.body && !others.includes(content.body)
  const world = isOther ? change(known, [index], { others: [...others, body, content.body] }) : known
  // The first of a queue that may go has no answer, or had one: the message may go in both cases.
  if (before === 'ending') return [world, change(world, [index], content)]
  if (before !== 'unsure') return [world]
  const life = isLost(answer) ? 'unsure' : 'pending'
  return [change(world, [index], { life }), change(world, [index], { ...content, life })]
}

// clause: subscribe.several subscribe.destinations.* subscribe.wildcard.* subscribe.selector.*
/** Whether a consumer is for a message. A queue made anew under its name may be meant or not. */
function takes(consumer: Consumer, message: Message): 'yes' | 'maybe' | 'no' {
  return consumer.selector === undefined || consumer.selector === message.colour
    ? covers(consumer, message)
    : 'no'
}

/** Whether a consumer's destinations mean a queue. */
export function covers({ destinations }: Consumer, { queue, born }: Place): 'yes' | 'maybe' | 'no' {
  const parent = queue.slice(0, Math.max(0, queue.lastIndexOf('/')))
  const fit = destinations.map((each) => {
    if ('below' in each) return each.below === parent ? 'yes' : 'no'
    return each.queue !== queue ? 'no' : each.born === born ? 'yes' : 'maybe'
  })
  return fit.find((each) => each === 'yes') ?? fit.find((each) => each === 'maybe') ?? 'no'
}

// clause: prefetch.*
/** How many more a consumer may hold. What may be gone already takes no place for sure. */
function roomOf(world: World, key: string): number {
  return world.consumers[key]!.prefetch - heldBy(world, key, 'pending').length
}

// clause: consume.exactly-one consume.own-view consume.parallel ack.status ack.final.*
/** Section 1, 3: each message goes to exactly one consumer. May this one be given that message? */
function give(world: World, index: number, key: string, settled: boolean): World | ClauseId {
  const message = world.messages[index]!
  const consumer = world.consumers[key]!
  const { life, holder, among = [], isRefused } = message
  // Each entry of a feed has an address at which a DELETE is answered with 200.
  if (isRefused && holder === key) return settled ? 'ack.status' : world
  // What it has just acknowledged may be shown for a moment more, where effects take their time.
  if (life === 'done' && holder === key) return settled ? 'ack.final.same' : world
  if (life === 'done') {
    const over = holder && world.consumers[holder]?.over
    return over === 'deleted' ? 'ack.final.deleted' : over ? 'ack.final.lease' : 'ack.final.other'
  }
  if (holder !== key && !among.includes(key) && takes(consumer, message) === 'no') {
    return consumer.selector === undefined ? 'subscribe.destinations.only' : 'subscribe.selector.only'
  }
  // Where nobody was shown that another has it, that was only supposed.
  if (holder !== undefined && holder !== key) return 'consume.exactly-one'
  const now = life === 'unsure' ? 'pending' : life
  return change(world, [index], {
    ...{ life: now, holder: key, among: undefined, givenBack: undefined, isRefused: undefined },
  })
}

// clause: consume.order consume.message-uri.*
/** Shows messages to a consumer. Goes on with those that were shown and not acknowledged before, as indices. */
export function show(
  world: World,
  key: string,
  { entries = [], settled = false }: Answer,
  next: (world: World, shown: readonly number[]) => Step,
): Step {
  return inEach(recognize(world, entries), (way) => {
    let now = world
    const deliveries: Record<string, Delivery> = {}
    for (const [at, message] of way.entries()) {
      const given = give(now, message, key, settled)
      if (typeof given === 'string') return given
      now = now.messages[message]!.holder === key ? given : withPastUris(given, message)
      deliveries[entries[at]!.uri] = { message, consumer: key }
    }
    now = { ...now, deliveries: { ...now.deliveries, ...deliveries } }
    return next(
      now,
      way.filter((index) => now.messages[index]!.life !== 'done'),
    )
  })
}

// clause: prefetch.cap subscribe.delete.unreadable lease.expiry.unreadable consume.message-uri.own
/** A subscription's feed: not of more than its prefetch, and of none that is over. */
export function showFeed(world: World, uri: string, answer: Answer, next: Parameters<typeof show>[3]): Step {
  const { over, prefetch } = world.consumers[uri]!
  if (over !== undefined)
    return over === 'deleted' ? 'subscribe.delete.unreadable' : 'lease.expiry.unreadable'
  if (isOfAnother(world, answer)) return 'consume.message-uri.own'
  return show(renew(world, uri, 'read', answer), uri, answer, (now, shown) =>
    shown.length > prefetch && !mayHaveShifted(answer) ? 'prefetch.cap' : next(now, shown),
  )
}

/** Whether an entry gives the address that another message has, or had. */
function isOfAnother({ deliveries, messages }: World, { entries = [] }: Answer): boolean {
  const first = new Map<string, string>()
  return entries.some(({ body, uri }) => {
    const known = deliveries[uri]
    if (!first.has(uri)) first.set(uri, body)
    return (known !== undefined && messages[known.message]!.body !== body) || first.get(uri) !== body
  })
}

/** After a message was given back: what it was shown under before need not mean it any more. */
function withPastUris(world: World, message: number): World {
  return Object.entries(world.deliveries)
    .filter(([, each]) => each.message === message)
    .reduce((now, [uri, each]) => put(now, 'deliveries', uri, { ...each, past: true }), world)
}

// clause: consume.delivered consume.all consume.later consume.after-idle consume.in-turn consume.on-arrival
// clause: prefetch.fills prefetch.refill subscribe.selector.rest lease.reassign
/**
 * Section 4.1, rule 4: a consumer with room goes on receiving. What waits for it, and is not shown to it, has to be
 * bound to another: to one of those who may have it, all of whom have room for what is bound to them.
 */
export function lack(world: World, key: string, broken: ClauseId = 'consume.delivered'): Step {
  const asker = world.consumers[key]!
  const lacking = those(world, (each) => {
    if (each.life !== 'pending' || each.holder !== undefined) return false
    const fit = takes(asker, each)
    return each.among === undefined ? fit === 'yes' : each.among.includes(key) && fit !== 'no'
  })
  const others = Object.keys(world.consumers).filter(
    (other) => other !== key && !world.consumers[other]!.over,
  )
  const next = lacking.reduce((now, index) => {
    const message = world.messages[index]!
    const may = (other: string) =>
      roomOf(world, other) > 0 && takes(world.consumers[other]!, message) !== 'no'
    return change(now, [index], { among: message.among?.filter((one) => one !== key) ?? others.filter(may) })
  }, world)
  const without = withoutRoom(next, lacking)
  if (without === undefined) return [next]
  const { among, givenBack } = world.messages[without]!
  if (among !== undefined || givenBack === undefined) return broken
  return givenBack === 'deleted' ? 'lease.delete.hands-over' : 'lease.expiry.hands-over'
}

/** One of these messages that fits with none of the consumers it is among, however the others are spread; undefined where all fit. */
function withoutRoom(world: World, some: readonly number[]): number | undefined {
  const bound = those(world, ({ life, among }) => life === 'pending' && among !== undefined)
  const placed = new Map(Object.keys(world.consumers).map((key) => [key, new Set<number>()]))
  /** Finds a place, for which what is there already may have to go elsewhere. */
  const place = (index: number, tried: Set<string>): boolean => {
    for (const key of world.messages[index]!.among!) {
      if (tried.has(key)) continue
      tried.add(key)
      const there = placed.get(key)!
      if (there.size >= roomOf(world, key)) {
        const other = [...there].find((each) => place(each, tried))
        if (other === undefined) continue
        there.delete(other)
      }
      there.add(index)
      return true
    }
    return false
  }
  // What was bound before has its place, if there is one.
  for (const index of bound.filter((each) => !some.includes(each))) place(index, new Set())
  return some.find((index) => !place(index, new Set()))
}

/** What this consumer was only supposed to have may be anybody's, or nobody's, again. */
export function free(world: World, key: string, isMeant: (message: Message) => boolean = () => true): World {
  const meant = those(world, (each) => each.among?.includes(key) === true && isMeant(each))
  return change(world, meant, { among: undefined })
}

// clause: lease.reassign lease.delete.* lease.expiry.* lease.pending-however-often lease.redelivered-often lease.redelivered-as-one consume.old-place
/** Section 1: when a consumer goes away, what it held goes to another. */
export function release(world: World, key: string, over: 'deleted' | 'expired'): World {
  const ended = put(world, 'consumers', key, { ...world.consumers[key]!, over })
  const held = those(world, ({ life, holder, among }) => {
    return life !== 'done' && (holder === key || (among?.length === 1 && among[0] === key))
  })
  return change(free(ended, key), held, { holder: undefined, givenBack: over })
}

// clause: lease.asked lease.from-creation
/** A consumer that begins with an answer. */
export function begin(world: World, { destinations, ...data }: Subscribing, { from, to }: Answer): Consumer {
  const { length, grace } = data.lease
  const meant = destinations.map((each) =>
    'queue' in each ? { queue: each.queue, born: queueOf(world, each.queue).born } : each,
  )
  return { ...data, destinations: meant, endsFrom: from + length, endsBy: to + length + grace }
}

/** With a consumer that joins: what nobody was shown may be dealt anew. */
export function withConsumer(world: World, key: string, consumer: Consumer): World {
  const unseen = those(world, ({ among }) => among !== undefined)
  return put(change(world, unseen, { among: undefined }), 'consumers', key, consumer)
}

// clause: lease.renew.*
/** Section 8: a subscription is a lease. It runs from its creation, or from its last use where a use renews it. */
export function renew(world: World, key: string, use: 'read' | 'ack' | 'other', answer: Answer): World {
  const consumer = world.consumers[key]!
  if (consumer.over !== undefined) return world
  const { length, grace, renewedBy } = consumer.lease
  const isRenewed = answer.status >= 200 && answer.status < 300 && renewedBy.some((each) => each === use)
  return put(world, 'consumers', key, {
    ...consumer,
    endsFrom: isRenewed ? Math.max(consumer.endsFrom, answer.from + length) : consumer.endsFrom,
    endsBy: Math.max(consumer.endsBy, answer.to + length + grace),
  })
}

// clause: lease.active lease.expires lease.expiry.* lease.forgotten
/** The worlds by the time of an answer, whatever the request is about: each lease has ended, has not, or may have. */
export function lapse(world: World, { from, to }: Answer): readonly World[] {
  let worlds: readonly World[] = [world]
  for (const [key, { endsFrom, endsBy, over }] of Object.entries(world.consumers)) {
    if (over !== undefined || to < endsFrom) continue
    const ended = worlds.map((each) => release(each, key, 'expired'))
    worlds = followable(from > endsBy ? ended : [...ended, ...worlds])
  }
  return worlds
}
