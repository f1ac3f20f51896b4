import type { Broker } from '../../broker/broker.js'
import type { Message, Queue, Subscription } from '../../broker/entities.js'
import type { ClockState } from '../clock/clock-control.js'
import { isDuplicate } from '../faults/duplicate-delivery.js'
import { type Given, type Readers, readMembers, readText, readWhole } from '../input/read.js'
import { keyed, type RecordedBody, shownContent } from '../journal/exchange-record.js'
import { idOfLease, nameOfLease } from '../leases/lease-name.js'

/** Bytes of a body that the state shows; the rest is to be read from the message itself. */
const MOST_BODY = 4096

/**
 * A pending message.
 *
 * @example
 * ```ts
 * const messages: readonly MessageState[] = mq.state().queues[0]?.messages ?? []
 * ```
 */
export interface MessageState extends RecordedBody {
  readonly id: string
  /** Its place in its queue, from 1; redelivery does not change it. */
  readonly sequence: number
  /** Milliseconds since the epoch. */
  readonly publishedAt: number
  /** How often it was handed to a consumer. */
  readonly deliveries: number
  /** Id of the subscription, consumer or session that holds it; null while nobody does. */
  readonly holder: string | null
  readonly contentType: string | null
  readonly properties: Readonly<Record<string, string>>
}

/**
 * A queue.
 *
 * @example
 * ```ts
 * const [queue]: readonly QueueState[] = mq.state().queues
 * queue?.name    // 'orders/new'
 * ```
 */
export interface QueueState {
  readonly id: string
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Messages not yet acknowledged, held ones included. */
  readonly pending: number
  readonly held: number
  /** How many subscriptions and consumers cover it. */
  readonly subscriptions: number
  /** How many requests wait for a message to arrive in it. */
  readonly waiting: number
  /** Oldest first; fewer than `pending` where there are more than asked for. */
  readonly messages: readonly MessageState[]
}

/**
 * A message that is held.
 *
 * @example
 * ```ts
 * const held: readonly HeldState[] = mq.subscriptions()[0]?.holds ?? []
 * ```
 */
export interface HeldState {
  /** Last segment of the message URI. */
  readonly id: string
  readonly message: string
  readonly queue: string
  /** Milliseconds since the epoch. */
  readonly deliveredAt: number
  /** Whether the fault `duplicate-delivery` put it there. */
  readonly duplicate: boolean
}

/**
 * A subscription, or a consumer or session of the mappings without a feed.
 *
 * @example
 * ```ts
 * const leases: SubscriptionState[] = mq.subscriptions()
 * leases.map(({ name }) => name)    // ['B']
 * ```
 */
export interface SubscriptionState {
  /** That of a consumer begins with `consumer:`; that of a session is `session:` and its owner and name in JSON. */
  readonly id: string
  /** What a person calls it: the id that a consumer chose, or `A`, `B`, … in the order of their beginning. */
  readonly name: string
  /** Which mapping it belongs to: `subscription`, or `consumer` or `session` of the alternative ones. */
  readonly kind: 'subscription' | 'consumer' | 'session'
  readonly destinations: readonly string[]
  readonly selector: string | null
  /** Messages it may hold; 0 for a consumer that is handed messages only when it asks. */
  readonly prefetch: number
  /** Length of the lease in milliseconds. */
  readonly timeout: number
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** When the lease ends unless it is renewed; milliseconds since the epoch. */
  readonly leaseEndsAt: number
  /** The principal that made it; null where nobody is asked who it is. */
  readonly owner: string | null
  /** How many requests wait for a message to come to it. */
  readonly waiting: number
  /** How many messages it holds. */
  readonly held: number
  /** What it holds, in the order in which it came; the first 1000. */
  readonly holds: readonly HeldState[]
}

/**
 * All that a server knows, as plain JSON. Looking changes nothing: no lease is renewed, nothing handed out.
 *
 * @example
 * ```ts
 * const state: ServerState = mq.state()
 * state.guids.remembered    // 1
 * ```
 */
export interface ServerState {
  readonly clock: ClockState
  /** In the order of their names. */
  readonly queues: readonly QueueState[]
  /** In the order of their creation. */
  readonly subscriptions: readonly SubscriptionState[]
  /** Consumers of one-at-a-time delivery and of batches, in the order of their creation. */
  readonly consumers: readonly SubscriptionState[]
  /** Sessions of the single path that hold something, in the order of their creation. */
  readonly sessions: readonly SubscriptionState[]
  readonly addresses: {
    /** New-message addresses that wait for their message. */
    readonly open: number
  }
  readonly guids: {
    /** How many are remembered. */
    readonly remembered: number
  }
  readonly memory: {
    /** Bytes that all that is kept counts for now. */
    readonly used: number
    readonly limit: number
  }
}

/**
 * Which part of the state is shown, where all of it would be much.
 *
 * @example
 * ```ts
 * const second: StateOptions = { queue: 'orders/new', messages: 100, after: 100 }
 * mq.state(second)
 * ```
 */
export interface StateOptions {
  /** How many messages of each queue; 1000 unless given. */
  readonly messages?: number | undefined
  /**
   * Name of the only queue whose messages are shown; of all of them unless given. Where there is no such queue, no message is
   * shown: nothing is thrown.
   */
  readonly queue?: string | undefined
  /** Shows messages behind the one of this sequence. */
  readonly after?: number | undefined
  /** How many queues; 10,000 unless given. */
  readonly queues?: number | undefined
  /** Shows queues whose names come behind this one. */
  readonly afterQueue?: string | undefined
}

const readCount = (given: Given) => readWhole(given, 0, 1_000_000_000_000)

const READERS: Readers<StateOptions> = {
  messages: readCount,
  queue: readText,
  after: readCount,
  queues: readCount,
  afterQueue: readText,
}

/** How many messages of each queue the state shows unless it is asked for more, and how many queues. */
const DEFAULT_MESSAGES = 1000
const DEFAULT_QUEUES = 10_000

/**
 * What one state shows at most: messages in all and what they take as JSON, leases, and what one lease and all of them show of what
 * they hold.
 */
const MOST_MESSAGES = 20_000
const MOST_BYTES = 8 * 1024 * 1024
const MOST_LEASES = 5000
const MOST_HELD = 1000
const MOST_HELD_IN_ALL = 10_000

/** A state whose lists are made while they are read, each item as it is then. */
export interface ToldState extends Omit<ServerState, 'queues' | 'subscriptions' | 'consumers' | 'sessions'> {
  readonly queues: Iterable<Omit<QueueState, 'messages'> & { readonly messages: Iterable<MessageState> }>
  readonly subscriptions: Iterable<SubscriptionState>
  readonly consumers: Iterable<SubscriptionState>
  readonly sessions: Iterable<SubscriptionState>
}

/** A state with its lists as they are at this moment. */
export function wholeState({ queues, subscriptions, consumers, sessions, ...more }: ToldState): ServerState {
  return {
    ...more,
    queues: Array.from(queues, (queue) => ({ ...queue, messages: [...queue.messages] })),
    subscriptions: [...subscriptions],
    consumers: [...consumers],
    sessions: [...sessions],
  }
}

/** All that a server knows, or the part of it that is asked for, to be told in the order in which it stands. */
export function toldState(broker: Broker, clock: ClockState, options: StateOptions): ToldState {
  const { subscriptions, deduplication } = broker.parts
  const all = [...subscriptions].slice(0, MOST_LEASES)
  const left = { held: MOST_HELD_IN_ALL }
  return {
    clock,
    queues: queueStates(broker, readMembers({ value: options, at: '' }, READERS)),
    subscriptions: leaseStates(all, 'subscription', left),
    consumers: leaseStates(all, 'consumer', left),
    sessions: leaseStates(all, 'session', left),
    addresses: { open: deduplication.openAddresses },
    guids: { remembered: deduplication.rememberedGuids },
    memory: { used: broker.memory, limit: broker.limits.maxMemory },
  }
}

function* leaseStates(
  all: readonly Subscription[],
  wanted: SubscriptionState['kind'],
  left: { held: number },
): Generator<SubscriptionState, void> {
  for (const subscription of all) {
    if (subscription.kind !== wanted) continue
    const shown = subscriptionState(subscription, Math.min(left.held, MOST_HELD))
    left.held -= shown.holds.length
    yield shown
  }
}

function* queueStates(broker: Broker, options: StateOptions) {
  const { messages = DEFAULT_MESSAGES, queue: only, after = 0, queues = DEFAULT_QUEUES, afterQueue } = options
  const left = { messages: MOST_MESSAGES, bytes: MOST_BYTES, queues }
  const behind = afterQueue?.split('/')
  for (const queue of broker.parts.queues) {
    if (queue.deleted || (behind !== undefined && !isBehind(queue.segments, behind))) continue
    if (left.queues-- <= 0) return
    const { id, name, createdAt, pending, held, subscriptions, waiters, takers } = queue
    const most = only === undefined || name === only ? messages : 0
    const waiting = waiters.size + takers.size
    const shown = messageStates(queue, after, most, left)
    yield { id, name, createdAt, pending, held, subscriptions, waiting, messages: shown }
  }
}

/** In the order of names: segment by segment, and a name before those below it. */
function isBehind(segments: readonly string[], other: readonly string[]): boolean {
  for (const [index, segment] of segments.entries()) {
    const one = other[index]
    if (one === undefined || segment > one) return true
    if (segment < one) return false
  }
  return false
}

/** Looked for one by one: between two of them the queue may become another. */
function* messageStates(
  { order }: Queue,
  after: number,
  most: number,
  left: { messages: number; bytes: number },
): Generator<MessageState, void> {
  for (let [at, shown] = [after + 1, 0]; shown < most && left.messages > 0 && left.bytes > 0; shown++) {
    const message = order.at(at)
    if (message === undefined) return
    const state = messageState(message)
    left.messages--
    left.bytes -= JSON.stringify(state).length
    at = message.sequence + 1
    yield state
  }
}

function messageState(message: Message): MessageState {
  return {
    id: message.id,
    sequence: message.sequence,
    publishedAt: message.publishedAt,
    deliveries: message.deliveries,
    holder: message.holder ? idOfLease(message.holder.subscription) : null,
    properties: keyed(message.content.properties),
    ...shownContent(message.content, MOST_BODY),
  }
}

/** One lease as plain data. @param most how much of what it holds is shown */
export function subscriptionState(subscription: Subscription, most = MOST_HELD): SubscriptionState {
  const { kind, destinations, prefetch, timeout, createdAt, leaseEndsAt } = subscription
  return {
    id: idOfLease(subscription),
    name: nameOfLease(subscription),
    kind,
    destinations,
    selector: subscription.selector ?? null,
    prefetch,
    timeout,
    createdAt,
    leaseEndsAt,
    owner: subscription.owner ?? null,
    waiting: subscription.waiters.size,
    held: subscription.held.size,
    holds: [...subscription.held.values()].slice(0, most).map((delivery) => ({
      id: delivery.id,
      message: delivery.message.id,
      queue: delivery.message.queue.name,
      deliveredAt: delivery.deliveredAt,
      duplicate: isDuplicate(delivery),
    })),
  }
}
