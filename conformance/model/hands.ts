import type { ClauseId } from '../requirements/index.js'
import {
  handOf,
  inEach,
  withConsumer,
  withDelivery,
  withMessage,
  withMessages,
  withPastUris,
} from './data.js'
import { recognize } from './recognize.js'
import type { Answer, Consumer, Message, Step, Subscribing, World } from './world.js'

// What all operations have in common: whose a message is, and how long a consumer lasts.

// clause: subscribe.several subscribe.destinations.* subscribe.wildcard.* subscribe.selector.*
/** Whether a consumer is for a message. A queue made anew under its name may be meant or not. */
function takes(
  { destinations, selector }: Consumer,
  { queue, born, colour }: Message,
): 'yes' | 'maybe' | 'no' {
  if (selector !== undefined && selector !== colour) return 'no'
  const parent = queue.slice(0, Math.max(0, queue.lastIndexOf('/')))
  const meant = destinations.filter((each) =>
    'below' in each ? each.below === parent : each.queue === queue,
  )
  if (meant.some((each) => 'below' in each || each.born === born)) return 'yes'
  return meant.length > 0 ? 'maybe' : 'no'
}

// clause: prefetch.*
/** The prefetch: whether a consumer may hold one more. What may be gone already takes no place for sure. */
function mayHoldMore(world: World, key: string): boolean {
  const held = handOf(world, key).filter((index) => world.messages[index]!.life === 'pending')
  return held.length < world.consumers[key]!.prefetch
}

// clause: consume.exactly-one consume.own-view consume.parallel ack.final.*
/** Section 1, 3: each message goes to exactly one consumer. May this one be given that message? */
function give(world: World, index: number, key: string, settled: boolean): World | ClauseId {
  const message = world.messages[index]!
  const consumer = world.consumers[key]!
  const { life, holder } = message
  // What it has just acknowledged may be shown for a moment more, where effects take their time.
  if (life === 'done' && holder === key) return settled ? 'ack.final.same' : world
  if (life === 'done') return 'ack.final.other'
  if (holder !== key && takes(consumer, message) === 'no') {
    return consumer.selector === undefined ? 'subscribe.destinations.only' : 'subscribe.selector.only'
  }
  if (holder !== undefined && holder !== key) return 'consume.exactly-one'
  const given = {
    life: life === 'unsure' ? 'pending' : life,
    holder: key,
    seen: true,
    givenBack: undefined,
  } as const
  return withMessage(world, index, given)
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
    let given = world
    for (const [at, message] of way.entries()) {
      const one = give(given, message, key, settled)
      if (typeof one === 'string') return one
      const isAgain = given.messages[message]!.holder !== key
      given = withDelivery(isAgain ? withPastUris(one, message) : one, entries[at]!.uri, {
        message,
        consumer: key,
      })
    }
    return next(
      given,
      way.filter((index) => given.messages[index]!.life !== 'done'),
    )
  })
}

// clause: consume.delivered consume.all consume.later consume.after-idle consume.in-turn consume.on-arrival prefetch.fills prefetch.refill subscribe.selector.rest lease.reassign
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
  const others = Object.entries(world.consumers).flatMap(([other, consumer]) => {
    const mayHave =
      consumer.over === undefined && takes(consumer, message) !== 'no' && mayHoldMore(world, other)
    return other !== key && mayHave ? [other] : []
  })
  if (others.length === 0) {
    if (message.givenBack === undefined) return broken
    return message.givenBack === 'deleted' ? 'lease.delete.hands-over' : 'lease.expiry.hands-over'
  }
  return inEach(others, (holder) => lack(withMessage(world, lacking, { holder, seen: false }), key, broken))
}

// clause: lease.reassign lease.delete.* lease.expiry.* lease.redelivered-often lease.redelivered-as-one consume.old-place
/** Section 1: when a consumer goes away, what it held goes to another. */
export function release(world: World, key: string, over: 'deleted' | 'expired'): World {
  const ended = withConsumer(world, key, { ...world.consumers[key]!, over })
  const isHeld = ({ holder, life }: Message) => holder === key && life !== 'done'
  return withMessages(ended, isHeld, { holder: undefined, seen: false, givenBack: over })
}

// clause: lease.asked lease.from-creation
/** A consumer that begins with an answer. */
export function begin(world: World, { destinations, ...data }: Subscribing, { from, to }: Answer): Consumer {
  const { length, grace } = data.lease
  const meant = destinations.map((each) =>
    'queue' in each ? { queue: each.queue, born: world.queues[each.queue]?.born ?? 0 } : each,
  )
  return { ...data, destinations: meant, endsFrom: from + length, endsBy: to + length + grace }
}

// clause: lease.renew.*
/** Section 8: a subscription is a lease. It runs from its creation, or from its last use where a use renews it. */
export function renew(world: World, key: string, use: 'read' | 'ack' | 'other', answer: Answer): World {
  const consumer = world.consumers[key]!
  if (consumer.over !== undefined) return world
  const { length, grace, renewedBy } = consumer.lease
  const isRenewed = answer.status >= 200 && answer.status < 300 && renewedBy.some((each) => each === use)
  return withConsumer(world, key, {
    ...consumer,
    endsFrom: isRenewed ? Math.max(consumer.endsFrom, answer.from + length) : consumer.endsFrom,
    endsBy: Math.max(consumer.endsBy, answer.to + length + grace),
  })
}

// clause: lease.active lease.expires lease.expiry.* lease.forgotten
/** The worlds by the time of an answer, whatever the request is about: each lease has ended, has not, or may have. */
export function lapse(world: World, { from, to }: Answer): readonly World[] {
  return Object.entries(world.consumers).reduce<readonly World[]>(
    (worlds, [key, { endsFrom, endsBy, over }]) => {
      if (over !== undefined || to < endsFrom) return worlds
      const ended = worlds.map((each) => release(each, key, 'expired'))
      return from > endsBy ? ended : ended.concat(worlds)
    },
    [world],
  )
}
