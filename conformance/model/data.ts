import type { Answer, Message, Place, Queue, Step, World } from './world.js'

// Reading worlds and making others of them. No rule of the interface is here but how an answer is taken, which comes first.

/** Nobody knows whether such a request took effect; a 429 is about how much was asked, and says no more than no answer. */
export const isLost = ({ status }: Answer): boolean => status === 0 || status === 429 || status >= 500
// clause: http.refused-changes-nothing
/** The document shows no refusals, so that any 4xx says no. */
export const isRefused = ({ status }: Answer): boolean => status >= 400 && status < 500 && status !== 429

/** While the first is under way, which one that was cut may still be, a repeat may be refused. */
export const isTooEarly = (answer: Answer): boolean => isRefused(answer) && !answer.settled

/** What comes or goes while pages are read may be on either or on none, and what that moves may be passed over. */
export const mayHaveShifted = ({ inPages, settled }: Answer): boolean => inPages === true && !settled

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

/** The messages that are meant, as indices. */
export function those({ messages }: World, isMeant: (message: Message) => boolean): number[] {
  return messages.flatMap((each, index) => (isMeant(each) ? [index] : []))
}

const indicesByBody = new WeakMap<World['messages'], ReadonlyMap<string, readonly number[]>>()

/** The messages of a body, as indices: found once for all entries of a long feed. */
export function withBody({ messages }: World, body: string): readonly number[] {
  let byBody = indicesByBody.get(messages)
  if (byBody === undefined) {
    const found = new Map<string, number[]>()
    for (const [index, message] of messages.entries()) {
      const same = found.get(message.body)
      if (same === undefined) found.set(message.body, [index])
      else same.push(index)
    }
    byBody = found
    indicesByBody.set(messages, found)
  }
  return byBody.get(body) ?? []
}

/** The messages that a consumer holds, or those of them whose life is so. */
export function heldBy(world: World, key: string, life?: Message['life']): number[] {
  return those(world, (each) => each.holder === key && (life ? each.life === life : each.life !== 'done'))
}

/** Whether acknowledgements in a POST of some consumer were taken no notice of. */
export function ignoresAcksInPost({ consumers }: World): boolean {
  return Object.values(consumers).some(({ acksInPost }) => acksInPost === 'ignored')
}

/** With a change of some messages. */
export function change(world: World, indices: readonly number[], to: Partial<Message>): World {
  if (indices.length === 0) return world
  const messages = [...world.messages]
  for (const index of indices) messages[index] = { ...messages[index]!, ...to }
  return { ...world, messages }
}

/** With an entry of one of its tables. */
export function put<T extends Exclude<keyof World, 'messages'>>(
  world: World,
  table: T,
  key: string,
  entry: World[T][string],
): World {
  return { ...world, [table]: { ...world[table], [key]: entry } }
}

/** Nothing is concluded any more. */
export class TooManyWays extends Error {
  constructor() {
    super('there are more ways in which things may stand than can be followed')
  }
}

const MOST_WAYS = 20_000

/** @throws {TooManyWays} before they take all the time and memory that there is */
export function followable<T>(ways: readonly T[]): readonly T[] {
  if (ways.length > MOST_WAYS) throw new TooManyWays()
  return ways
}

/** Goes on in each of several ways: what is possible after any of them; a broken clause, where nothing is. @throws {TooManyWays} */
export function inEach<T>(ways: readonly T[] | Extract<Step, string>, next: (way: T) => Step): Step {
  if (typeof ways === 'string') return ways
  const after: World[] = []
  let broken: Extract<Step, string> | undefined
  for (const way of ways) {
    const step = next(way)
    if (typeof step === 'string') broken = step
    else for (const world of step) after.push(world)
    followable(after)
  }
  return after.length > 0 ? after : (broken ?? [])
}

/** The same worlds, each once. @param keyOf what is equal of those that are the same */
export function distinct(
  worlds: readonly World[],
  keyOf: (world: World) => string = (world) => JSON.stringify(world),
): readonly World[] {
  return worlds.length < 2 ? worlds : [...new Map(worlds.map((world) => [keyOf(world), world])).values()]
}

/** A world without the order in which the entries of its tables came. */
export function unordered({ messages, ...tables }: World): string {
  const sorted = Object.values(tables).map((table) =>
    Object.entries(table).sort(([one], [other]) => (one < other ? -1 : 1)),
  )
  return JSON.stringify([messages, sorted])
}
