import type { ClauseId } from '../requirements/index.js'
import {
  type Answer,
  type Consumer,
  type Entry,
  inEach,
  type Message,
  type Step,
  type World,
  withConsumer,
  withMessage,
  withMessages,
} from './world.js'

/** Whether a consumer's destinations and selector take a message. A queue made anew under its name may be meant or not. */
export function takes(consumer: Consumer, message: Message): 'yes' | 'maybe' | 'no' {
  if (consumer.selector !== undefined && consumer.selector !== message.colour) return 'no'
  const { queue, born } = message
  const names = consumer.destinations.map((each) => {
    if ('below' in each) return queue.replace(/\/[^/]*$/, '/') === `${each.below}/` ? 'yes' : 'no'
    return each.queue !== queue ? 'no' : each.born === born ? 'yes' : 'maybe'
  })
  return names.includes('yes') ? 'yes' : names.includes('maybe') ? 'maybe' : 'no'
}

/** What a consumer holds, as indices. */
export function handOf({ messages }: World, key: string): number[] {
  return messages.flatMap(({ holder, life }, index) => (holder === key && life !== 'done' ? [index] : []))
}

/** The prefetch: whether a consumer may hold one more. What may be gone already takes no place for sure. */
function mayHoldMore(world: World, key: string): boolean {
  const held = handOf(world, key).filter((index) => world.messages[index]!.life === 'pending')
  return held.length < world.consumers[key]!.prefetch
}

/**
 * Which message each entry is: one with its body, and the one that its URI stood for before. Messages with one body
 * can be told apart by nothing else, so that there is a world for each way.
 */
export function identify(
  world: World,
  entries: readonly Entry[],
  among: (message: Message) => boolean,
): number[][] {
  const [entry, ...rest] = entries
  if (entry === undefined) return [[]]
  const same = world.messages.flatMap((each, index) => (each.body === entry.body ? [index] : []))
  const known = world.deliveries[entry.uri]?.message
  const fits =
    known !== undefined && same.includes(known) ? [known] : same.filter((at) => among(world.messages[at]!))
  const ways = identify(world, rest, among)
  return fits.flatMap((index) =>
    ways.filter((others) => !others.includes(index)).map((others) => [index, ...others]),
  )
}

/** Why entries are no messages that were sent: one stands there too often, or nobody sent its body. */
export function unknownEntry({ messages, guids }: World, entries: readonly Entry[]): ClauseId {
  for (const { body } of entries) {
    const sent = messages.findIndex((message) => message.body === body)
    if (sent < 0) return 'send.body.text'
    const shown = entries.filter((entry) => entry.body === body).length
    if (shown > messages.filter((message) => message.body === body).length) {
      return Object.values(guids).includes(sent) ? 'dedup.one-message' : 'send.step-2.one-message'
    }
  }
  return 'consume.entries'
}

/** Section 1, 3: each message goes to exactly one consumer. May this one be given that message? */
function give(world: World, index: number, key: string, settled: boolean): World | ClauseId {
  const message = world.messages[index]!
  const consumer = world.consumers[key]!
  if (message.life === 'done') {
    // What it has just acknowledged may be shown for a moment more, where effects take their time.
    if (message.holder === key) return settled ? 'ack.final.same' : world
    return 'ack.final.other'
  }
  if (message.holder !== key && takes(consumer, message) === 'no') {
    return consumer.selector === undefined ? 'subscribe.destinations.only' : 'subscribe.selector.only'
  }
  if (message.holder !== undefined && message.holder !== key) return 'consume.exactly-one'
  const life = message.life === 'unsure' ? 'pending' : message.life
  return withMessage(world, index, { life, holder: key, seen: true, givenBack: undefined })
}

/** Shows messages to a consumer. Goes on with those that were shown and not acknowledged before, as indices. */
export function show(
  world: World,
  key: string,
  { entries = [], settled = false }: Answer,
  next: (world: World, shown: readonly number[]) => Step,
): Step {
  const ways = identify(world, entries, () => true)
  if (ways.length === 0) return unknownEntry(world, entries)
  return inEach(ways, (way) => {
    let given = world
    for (const [at, message] of way.entries()) {
      const one = give(given, message, key, settled)
      if (typeof one === 'string') return one
      const delivery = { message, consumer: key }
      given = { ...one, deliveries: { ...one.deliveries, [entries[at]!.uri]: delivery } }
    }
    const fresh = way.filter((index) => given.messages[index]!.life !== 'done')
    return next(given, fresh)
  })
}

/**
 * Section 4.1, rule 4: a consumer with room goes on receiving. What waits for it, and is not shown to it, has to be
 * bound to another: there is a world for each who may have it.
 */
export function lack(world: World, key: string, broken: ClauseId = 'consume.delivered'): Step {
  const lacking = world.messages.findIndex(
    (each) =>
      each.life === 'pending' && each.holder === undefined && takes(world.consumers[key]!, each) === 'yes',
  )
  if (lacking < 0) return [world]
  const message = world.messages[lacking]!
  const others = Object.keys(world.consumers).filter(
    (other) =>
      other !== key &&
      world.consumers[other]!.over === undefined &&
      takes(world.consumers[other]!, message) !== 'no' &&
      mayHoldMore(world, other),
  )
  if (others.length === 0) return givenBack(message) ?? broken
  const bound = others.map((holder) => withMessage(world, lacking, { holder, seen: false }))
  return inEach(bound, (next) => lack(next, key, broken))
}

function givenBack(message: Message): ClauseId | undefined {
  if (message.givenBack === undefined) return undefined
  return message.givenBack === 'deleted' ? 'lease.delete.hands-over' : 'lease.expiry.hands-over'
}

/** Section 1: when a consumer goes away, what it held goes to another. */
export function release(world: World, key: string, over: 'deleted' | 'expired'): World {
  const ended = withConsumer(world, key, { ...world.consumers[key]!, over })
  return withMessages(ended, (message) =>
    message.holder === key && message.life !== 'done'
      ? { ...message, holder: undefined, seen: false, givenBack: over }
      : message,
  )
}

/** Section 8: a subscription is a lease. The worlds by the time of an answer, whatever the request is about. */
export function lapse(world: World, { from, to }: Answer): World[] {
  let worlds = [world]
  for (const [key, { endsFrom, endsBy, over }] of Object.entries(world.consumers)) {
    if (over !== undefined || to < endsFrom) continue
    const ended = worlds.map((each) => release(each, key, 'expired'))
    worlds = from > endsBy ? ended : [...ended, ...worlds]
  }
  return worlds
}

/** Section 2: a lease runs from the creation, or from its last use where a use renews it. */
export function renew(world: World, key: string, by: 'read' | 'ack', answer: Answer): World {
  const consumer = world.consumers[key]!
  if (consumer.over !== undefined) return world
  const { length, grace, renewedBy } = consumer.lease
  const renewed = renewedBy.includes(by) && answer.status < 300 && answer.status > 0
  return withConsumer(world, key, {
    ...consumer,
    endsFrom: renewed ? Math.max(consumer.endsFrom, answer.from + length) : consumer.endsFrom,
    endsBy: Math.max(consumer.endsBy, answer.to + length + grace),
  })
}

/** A consumer that begins with an answer. */
export function begin(
  { lease, ...consumer }: Pick<Consumer, 'destinations' | 'prefetch' | 'selector' | 'lease'>,
  { from, to }: Answer,
): Consumer {
  return { ...consumer, lease, endsFrom: from + lease.length, endsBy: to + lease.length + lease.grace }
}
