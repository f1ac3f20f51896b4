import type { ClauseId } from '../requirements/index.js'

/**
 * One way in which things may stand at a target, as plain data. No operation changes a world: each makes new ones.
 * What nobody outside can know is either left open in a world (a message without a holder waits, or is bound to a
 * consumer that has not read since), or there is a world for each way.
 */
export interface World {
  readonly queues: Readonly<Record<string, Queue>>
  /** By new-message address. */
  readonly addresses: Readonly<Record<string, Address>>
  /** From guid to message. */
  readonly guids: Readonly<Record<string, number>>
  readonly messages: readonly Message[]
  /** By subscription URI, or by the id that a consumer or a session of section 4.2 gives itself. */
  readonly consumers: Readonly<Record<string, Consumer>>
  /** By message URI. */
  readonly deliveries: Readonly<Record<string, Delivery>>
}

export interface Queue {
  /** Its address, where an answer has told it. */
  readonly address?: string | undefined
  readonly exists: boolean
  /** A request without an answer may still create it, or delete it. */
  readonly mayCome: boolean
  readonly mayGo: boolean
  /** How many queues have had this name before. */
  readonly born: number
}

export interface Address {
  readonly queue: string
  readonly born: number
  /** The message that was posted to it. */
  readonly message: number | undefined
}

export interface Message {
  readonly body: string
  /** What a selector picks it by. */
  readonly colour: string
  readonly queue: string
  readonly born: number
  /**
   * - `unsure`: its send has no answer, so that it may be there, or may come yet.
   * - `pending`: it was sent, and not acknowledged.
   * - `ending`: it may go, now or later: its acknowledgement has no answer, or its queue was deleted, or a GET took it.
   * - `done`: it was acknowledged.
   */
  readonly life: 'unsure' | 'pending' | 'ending' | 'done'
  /** The consumer that it is bound to, or that it was bound to when it was acknowledged. */
  readonly holder?: string | undefined
  /** Whether its holder was shown it. */
  readonly seen?: boolean
  /** How the consumer ended that gave it back. */
  readonly givenBack?: 'deleted' | 'expired' | undefined
}

export interface Consumer {
  readonly destinations: readonly Destination[]
  readonly prefetch: number
  /** The colour that its selector picks. */
  readonly selector?: string | undefined
  readonly lease: Lease
  /** Its lease may end from the one time on, and has ended by the other: milliseconds. */
  readonly endsFrom: number
  readonly endsBy: number
  readonly over?: 'deleted' | 'expired' | undefined
}

/** A queue, with the number of its namesakes before it; or a wildcard over all that is right below a prefix. */
export type Destination = { readonly queue: string; readonly born: number } | { readonly below: string }

export interface Lease {
  /** Milliseconds. */
  readonly length: number
  /** How late a target may notice its end: milliseconds. */
  readonly grace: number
  readonly renewedBy: readonly ('read' | 'ack')[]
}

export interface Delivery {
  readonly message: number
  readonly consumer: string
}

/** What came of a request. */
export interface Answer {
  /** 0 where no answer came. */
  readonly status: number
  readonly location?: string | undefined
  /** What a feed shows, or what was handed out. A queue's feed gives no message URIs. */
  readonly entries?: readonly Entry[] | undefined
  /** Whether what was done before has had the time to show. */
  readonly settled?: boolean
  /** When the request was sent, and when its answer was there: milliseconds of the target's time, as far as known. */
  readonly from: number
  readonly to: number
}

export interface Entry {
  readonly body: string
  readonly uri: string
}

/** The worlds that an answer leaves possible, or a clause that is broken by it. */
export type Step = readonly World[] | ClauseId

/** Before anything was done. */
export const EMPTY: World = {
  queues: {},
  addresses: {},
  guids: {},
  messages: [],
  consumers: {},
  deliveries: {},
}

/** Nobody knows whether such a request took effect. */
export const isLost = ({ status }: Answer): boolean => status === 0 || status >= 500
/** The document shows no refusals, so that any 4xx says no. */
export const isRefused = ({ status }: Answer): boolean => status >= 400 && status < 500
export const isSure = (queue?: Queue): boolean => queue?.exists === true && !queue.mayGo
export const isGone = (queue?: Queue): boolean => queue === undefined || (!queue.exists && !queue.mayCome)

export function withQueue(world: World, name: string, queue: Queue): World {
  return { ...world, queues: { ...world.queues, [name]: queue } }
}

export function withMessage(world: World, index: number, change: Partial<Message>): World {
  return {
    ...world,
    messages: world.messages.map((message, at) => (at === index ? { ...message, ...change } : message)),
  }
}

export function withMessages(world: World, change: (message: Message, index: number) => Message): World {
  return { ...world, messages: world.messages.map(change) }
}

export function withConsumer(world: World, key: string, consumer: Consumer): World {
  return { ...world, consumers: { ...world.consumers, [key]: consumer } }
}

/** Goes on in each of several ways: what is possible after any of them; a broken clause, where nothing is. */
export function inEach<T>(ways: readonly T[], next: (way: T) => Step): Step {
  const after: World[] = []
  let broken: Step = []
  for (const way of ways) {
    const step = next(way)
    if (typeof step === 'string') broken = step
    else after.push(...step)
  }
  return after.length > 0 ? after : broken
}
