import { parseSelector, type Selector, SelectorSyntaxError } from '../selector/selector.js'
import { LinkedList } from './collections/linked-list.js'
import type { Delivery, Message } from './message.js'
import { coversName, type Destination, formatName } from './names.js'
import type { Queue } from './queue.js'
import { Refusal } from './refusals.js'
import { bytesOfText, OVERHEAD, ownText } from './storing.js'
import type { Effort, Wake } from './waiters.js'

/** That one subscription covers one queue. It stands among the queue's consumers with room, or in the subscription's backlog. */
export interface Binding {
  readonly queue: Queue
  readonly subscription: Subscription
  /** How many of the subscription's destinations match the queue. */
  destinations: number
  /**
   * With a selector: no ready message of the queue before this sequence is accepted. So a message is evaluated
   * once for a subscription, however often that has room again.
   */
  scanFrom: number
  /** In which of the two lists it stands. */
  list: LinkedList<Binding>
  previous: Binding | undefined
  next: Binding | undefined
}

/** A binding that is yet to be put into its subscription's backlog. */
export function newBinding(queue: Queue, subscription: Subscription): Binding {
  const list = subscription.backlog
  return { queue, subscription, destinations: 1, scanFrom: 0, list, previous: undefined, next: undefined }
}

export function moveTo(binding: Binding, list: Binding['list']): void {
  binding.list.remove(binding)
  binding.list = list
  list.append(binding)
}

/**
 * What a new subscription is asked for.
 *
 * @example
 * ```ts
 * const request: SubscribeRequest = { destinations: ['orders/*'], prefetch: 5, timeout: 30_000 }
 * ```
 */
export interface SubscribeRequest {
  /** Queue names or wildcards, dotted or with slashes; one or more. */
  readonly destinations: readonly string[]
  /** Messages it may hold unacknowledged. */
  readonly prefetch?: number | undefined
  /** Length of the lease in milliseconds. */
  readonly timeout?: number | undefined
  readonly selector?: string | undefined
  /** Who makes it; the broker only keeps it. */
  readonly owner?: string | undefined
}

/**
 * Whose lease it is: a subscription of the primary mapping, which is handed messages as they arrive; a consumer of the
 * mappings one at a time and in batches, or a session of the single path, which are handed messages when they ask.
 */
export type LeaseKind = 'subscription' | 'consumer' | 'session'

/** What a lease is. */
export interface SubscriptionTerms {
  readonly kind: LeaseKind
  /** Those to begin with; a consumer of the alternative mappings may change them later. */
  readonly destinations: readonly Destination[]
  /** How many unacknowledged messages a subscription may hold; 0 for the other kinds, which hold what they asked for. */
  readonly prefetch: number
  readonly selector: Selector | undefined
  /** Length of the lease in milliseconds. */
  readonly timeout: number
  /** Who made it, as the layer above names principals; undefined where nobody is asked. */
  readonly owner: string | undefined
}

/**
 * A lease on one or more queues, and the messages that its consumer holds.
 *
 * @example
 * ```ts
 * const subscription: Subscription = mq.broker.subscribe({ destinations: ['orders/*'], prefetch: 5 })
 * subscription.prefetch    // 5
 * ```
 */
export class Subscription {
  /** Of a consumer or session the one that its client chose; no two of one kind that live have the same. */
  readonly id: string
  /** Orders subscriptions by their creation, so that the same input gives the same outcome. */
  readonly ordinal: number
  readonly terms: SubscriptionTerms
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** When its list of messages last changed. */
  updatedAt: number
  /** Length of its lease, in milliseconds. */
  timeout: number
  /** When its lease ends unless it is renewed before; milliseconds since the epoch. */
  leaseEndsAt: number
  /** Its lease was ended: it is handed nothing more. */
  ended = false
  /** Counts every change of its list of messages. */
  version = 0
  /** What it covers now, by canonical name. */
  readonly covered = new Map<string, Destination>()
  /** The messages held by delivery id, in the order in which they came. */
  readonly held = new Map<string, Delivery>()
  /** One for each queue covered. */
  readonly bindings = new Map<Queue, Binding>()
  /** Bindings whose queue had something for it when it was full, in turn. Empty while it has room. */
  readonly backlog = new LinkedList<Binding>()
  /** Messages that a consumer on demand has asked for and not yet got: between commands, 1 while it waits. */
  demand = 0
  /** Of what came on demand, that of which the consumer was not told yet: its answer may have come to nobody. */
  readonly unreported = new Set<Delivery>()
  /** How many of its queues were deleted: who waits for their messages waits in vain. */
  lostQueues = 0
  /** Called once each when a message comes, one of its queues is deleted, or the lease ends. */
  readonly waiters = new Set<Wake>()
  /** Cancels the timer of the lease's end. */
  cancelTimer: () => void = () => {}

  constructor(id: string, ordinal: number, terms: SubscriptionTerms, now: number) {
    this.id = id
    this.ordinal = ordinal
    this.terms = terms
    this.createdAt = now
    this.updatedAt = now
    this.timeout = terms.timeout
    this.leaseEndsAt = now + terms.timeout
  }

  /** How many more messages it may be handed at this time: none when its lease is over, though it may not have been ended yet. */
  roomAt(now: number): number {
    return now < this.leaseEndsAt ? this.room : 0
  }

  /** How many more messages it may be handed while its lease lives. */
  // clause: prefetch.cap prefetch.cap.at-once prefetch.cap.one-by-one prefetch.cap.after-acks
  // clause: prefetch.cap.parallel
  get room(): number {
    if (this.ended) return 0
    return this.isOnDemand ? this.demand : this.terms.prefetch - this.held.size
  }

  get kind(): LeaseKind {
    return this.terms.kind
  }

  /** Whether it is handed messages only when its consumer asks, or waits, for them. */
  get isOnDemand(): boolean {
    return this.terms.kind !== 'subscription'
  }

  // clause: prefetch.asked prefetch.per-consumer
  get prefetch(): number {
    return this.terms.prefetch
  }

  get owner(): string | undefined {
    return this.terms.owner
  }

  /** The text of its selector. */
  get selector(): string | undefined {
    return this.terms.selector?.text
  }

  /** Its destinations as they were given. */
  get destinations(): readonly string[] {
    return [...this.covered.values()].map((destination) => destination.text)
  }

  /** Whether a destination, in whatever spelling, is one of its own. */
  covers({ segments }: Destination): boolean {
    return this.covered.has(formatName(segments))
  }

  /** Whether one of its destinations, as they are now, covers a queue. */
  coversQueue({ segments }: Queue): boolean {
    for (const destination of this.covered.values()) if (coversName(destination, segments)) return true
    return false
  }

  /**
   * Whether its selector, if it has one, picks the message.
   *
   * @param effort is lessened by what it took to find out
   */
  // clause: subscribe.selector subscribe.selector.only
  accepts(message: Message, effort?: Effort): boolean {
    const { selector } = this.terms
    if (selector === undefined) return true
    let read = 0
    const selected = selector.matches((identifier) => {
      const value = lookUp(identifier, message)
      if (typeof value === 'string') read += value.length
      return value
    })
    if (effort !== undefined) effort.left -= selector.cost + read * selector.costOfCharacter
    return selected
  }

  /** Of what it holds, that which came first. */
  get first(): Delivery | undefined {
    return this.held.values().next().value
  }

  /** What it holds, in the order in which it came. */
  get deliveries(): readonly Delivery[] {
    return [...this.held.values()]
  }

  /** What it takes, in bytes, beside its bindings and what it holds. */
  get bytes(): number {
    const { selector, owner } = this.terms
    let bytes = OVERHEAD.subscription + bytesOfText(this.id) + bytesOfText(owner)
    if (selector !== undefined) bytes += OVERHEAD.selector + OVERHEAD.selectorCharacter * selector.text.length
    return bytes
  }

  changed(now: number): void {
    this.version++
    this.updatedAt = now
  }
}

/**
 * What an identifier of a selector stands for: the queue, the media type, how often the message would then
 * have been delivered, or a property. Names are case-insensitive, as the properties' own are.
 */
// clause: subscribe.selector.identifiers
function lookUp(identifier: string, message: Message): string | number | undefined {
  const name = identifier.toLowerCase()
  switch (name) {
    case 'queue':
      return message.queue.name
    case 'content_type':
      return message.content.contentType
    case 'deliveries':
      return message.deliveries + 1
    default:
      return message.content.properties.get(name)
  }
}

/**
 * The selector of a subscription. A blank one is none, as in JMS.
 *
 * @param longest how many characters it may have
 * @throws Refusal `bad-selector`, with the column of the mistake, or the limit
 */
// clause: subscribe.selector.syntax
export function readSelector(text: string | undefined, longest: number): Selector | undefined {
  if (text === undefined || text.trim() === '') return undefined
  if (text.length > longest) {
    throw new Refusal('bad-selector', `A selector has at most ${longest} characters.`, { limit: longest })
  }
  try {
    return parseSelector(ownText(text))
  } catch (error) {
    if (!(error instanceof SelectorSyntaxError)) throw error
    throw new Refusal('bad-selector', error.message, { column: error.column })
  }
}
