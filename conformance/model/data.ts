import type { Answer, Consumer, Message, Place, Queue, Shown, Step, World } from './world.js'

// Reading worlds and making others of them. Nothing here is a rule of the interface.

/** Before anything was done. */
export const EMPTY: World = {
  ...{ queues: {}, addresses: {}, guids: {}, messages: [], consumers: {}, deliveries: {} },
}

/** Nobody knows whether such a request took effect. */
export const isLost = ({ status }: Answer): boolean => status === 0 || status >= 500
// clause: http.refused-changes-nothing
/** The document shows no refusals, so that any 4xx says no. */
export const isRefused = ({ status }: Answer): boolean => status >= 400 && status < 500

const NONE: Queue = { exists: false, mayCome: false, mayGo: false, born: 0 }
export const queueOf = ({ queues }: World, name: string): Queue => queues[name] ?? NONE
/** Whether a queue is there, or is not, whatever became of requests without an answer. */
export const isSure = (world: World, name: string): boolean =>
  queueOf(world, name).exists && !queueOf(world, name).mayGo
export const isGone = (world: World, name: string): boolean =>
  !queueOf(world, name).exists && !queueOf(world, name).mayCome
/** Whether that queue is there for sure, and not another of its name. */
export const isStill = (world: World, { queue, born }: Place): boolean =>
  isSure(world, queue) && queueOf(world, queue).born === born

/** The messages that a consumer holds, as indices. */
export function handOf({ messages }: World, key: string): number[] {
  return messages.flatMap(({ holder, life }, index) => (holder === key && life !== 'done' ? [index] : []))
}

export function withQueue(world: World, name: string, queue: Queue): World {
  return { ...world, queues: { ...world.queues, [name]: queue } }
}

export function withConsumer(world: World, key: string, consumer: Consumer): World {
  return { ...world, consumers: { ...world.consumers, [key]: consumer } }
}

export function withMessage(world: World, index: number, change: Partial<Message>): World {
  return { ...world, messages: world.messages.with(index, { ...world.messages[index]!, ...change }) }
}

/** With a change of those messages that are meant. */
export function withMessages(
  world: World,
  isMeant: (message: Message, index: number) => boolean,
  change: Partial<Message>,
): World {
  const messages = world.messages.map((each, index) => (isMeant(each, index) ? { ...each, ...change } : each))
  return { ...world, messages }
}

export function withDelivery(world: World, uri: string, delivery: Shown): World {
  return { ...world, deliveries: { ...world.deliveries, [uri]: delivery } }
}

/** After a message was given back: what it was shown under before need not mean it any more. */
export function withPastUris(world: World, message: number): World {
  const deliveries = Object.entries(world.deliveries).map(
    ([uri, each]) => [uri, each.message === message ? { ...each, past: true } : each] as const,
  )
  return { ...world, deliveries: Object.fromEntries(deliveries) }
}

/** Goes on in each of several ways: what is possible after any of them; a broken clause, where nothing is. */
export function inEach<T>(ways: readonly T[] | Extract<Step, string>, next: (way: T) => Step): Step {
  if (typeof ways === 'string') return ways
  const after: World[] = []
  let broken: Step = []
  for (const way of ways) {
    const step = next(way)
    if (typeof step === 'string') broken = step
    else after.push(...step)
  }
  return after.length > 0 ? after : broken
}

/** The same worlds, each once. */
export function distinct(step: Step): Step {
  if (typeof step === 'string' || step.length < 2) return step
  return [...new Map(step.map((world) => [JSON.stringify(world), world])).values()]
}
