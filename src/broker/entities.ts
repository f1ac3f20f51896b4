/**
 * What a broker keeps: queues and their messages, leases, the deliveries by which leases hold messages, and the bindings by
 * which queues find them. They point at each other, and so stand together.
 */
import { LinkedList } from './collections/linked-list.js'
import { SortedList } from './collections/sorted-list.js'
import { bytesOfContent, type Content, StoredContent } from './content.js'
import type { MemoryBudget } from './memory-budget.js'
import { type Destination, formatName } from './names.js'
import type { Effort } from './selecting.js'
import { selects } from './selecting.js'
import { bytesOfQueue, bytesOfText, OVERHEAD } from './storing.js'
import type { LeaseKind, SubscriptionTerms } from './terms.js'
import type { Wake } from './waiters.js'

/** How those refer to a queue who may outlive it: it leads to the queue until that is deleted, so that nobody keeps it longer. */
export interface QueueReference {
  queue: Queue | undefined
}

/**
 * What tells of a guid, or of a used address, whether its message is still pending. It leads neither to the message
 * nor to a queue that is deleted, so that whoever remembers it keeps neither.
 */
export interface SentOnce {
  /** Set to false when the message is acknowledged or taken. */
  pending: boolean
  /** Of the message's queue, with which its messages go. */
  readonly origin: Readonly<QueueReference>
}

/**
 * A message, from its send to its acknowledgement. It belongs to one queue, and to at most one holder.
 *
 * @example
 * ```ts
 * const messages: readonly Message[] = mq.broker.browse('orders/new', { limit: 10 }).items
 * messages.length    // 0
 * ```
 */
export class Message {
  /** When it was last sent, delivered or released; milliseconds since the epoch. */
  updatedAt: number
  /** How often it was handed to a consumer: 0 until the first time. */
  deliveries = 0
  /** The delivery that holds it; undefined while it is ready. */
  holder: Delivery | undefined
  /** Whether it stands among those of its queue that nobody holds. */
  ready = false
  /** Whether it was acknowledged, or taken by somebody without a lease. */
  consumed = false
  /** What keeps its guid or address from being forgotten; undefined where it was sent without either. */
  sentOnce: SentOnce | undefined

  constructor(
    readonly queue: Queue,
    /** Its place in its queue: later messages have higher numbers, and redelivery does not change it. */
    readonly sequence: number,
    readonly content: Content,
    /** What it counts against the memory limit, in bytes. */
    readonly bytes: number,
    /** Milliseconds since the epoch. */
    readonly publishedAt: number,
  ) {
    this.updatedAt = publishedAt
  }

  /** Whether it is consumed, or went with its queue: nothing may hand it out again. */
  get gone(): boolean {
    return this.consumed || this.queue.deleted
  }

  /**
   * A UUID (RFC 9562, version 8), for life: the random part is its queue's, the last 48 bits are its sequence. So
   * an id costs a message neither memory nor randomness, and leads to the message without an index.
   */
  // clause: browse.atom.ids-unique browse.atom.ids-own browse.atom.ids-stable
  get id(): string {
    return this.queue.messageIdPrefix + this.sequence.toString(16).padStart(12, '0')
  }
}

/**
 * One handing over of one message to one consumer; ends with its acknowledgement, or when the consumer is gone.
 *
 * @example
 * ```ts
 * const subscription = mq.broker.subscribe({ destinations: ['orders/new'] })
 * const deliveries: readonly Delivery[] = mq.broker.consume(subscription.id).deliveries
 * deliveries.length    // 0
 * ```
 */
export interface Delivery {
  /** 128 random bits, fresh for each delivery, so that a late acknowledgement never means another's. */
  readonly id: string
  readonly message: Message
  readonly subscription: Subscription
  /** Milliseconds since the epoch. */
  readonly deliveredAt: number
}

/**
 * One queue's messages in order, and who takes from it.
 *
 * @example
 * ```ts
 * const { queue }: { readonly queue: Queue } = mq.broker.browse('orders/new', { limit: 1 })
 * queue.name    // 'orders/new'
 * ```
 */
export class Queue {
  /** What the ids of its messages begin with, up to and with the last hyphen. */
  readonly messageIdPrefix: string
  /** Canonical, with slashes: `uk/products`. */
  readonly name: string
  /** When its feed last changed; milliseconds since the epoch. */
  updatedAt: number
  /** Counts every change that its feed shows. */
  version = 0
  /** What guids and addresses keep of it, which outlive it: it leads to the queue until that is deleted. */
  readonly reference: QueueReference = { queue: this }

  /** All its pending messages, ready or held. */
  readonly order = new SortedList(sequenceOf)
  /** The messages that nobody holds, oldest first; a released one returns to its old place. */
  readonly ready = new SortedList(sequenceOf)
  /** Every subscription that covers this queue. */
  readonly bindings = new Set<Binding>()
  /** How many of them have a selector, and so use `scanFrom`. */
  selective = 0
  /**
   * The bindings to which what arrives is offered, in turn; each other binding stands in its subscription's backlog, and one that
   * has become full goes there when it is met. None of them accepts a message that is ready now: it would have taken it.
   */
  readonly inTurn = new LinkedList<Binding>()
  /** Called once each when a message arrives or comes back, or the queue is deleted. */
  readonly waiters = new Set<Wake>()
  /** One of them is called for each message that becomes ready, in turn; all, when the queue is deleted. */
  readonly takers = new Set<Wake>()
  /** What its messages count together. */
  #messageBytes = 0
  #nextSequence = 1

  constructor(
    /** A UUID, for life: a queue made anew under an old name is another queue. */
    readonly id: string,
    readonly segments: readonly string[],
    private readonly memory: MemoryBudget,
    /** Milliseconds since the epoch. */
    readonly createdAt: number,
  ) {
    this.messageIdPrefix = `${id.slice(0, 14)}8${id.slice(15, 24)}`
    this.name = formatName(segments)
    this.updatedAt = createdAt
  }

  /** Whether it was deleted: addresses that were issued for it answer so. */
  get deleted(): boolean {
    return this.reference.queue === undefined
  }

  /** What it takes itself, in bytes, without its messages. */
  get bytes(): number {
    return bytesOfQueue(this.segments)
  }

  /** How many messages are not yet acknowledged, held ones included. */
  get pending(): number {
    return this.order.size
  }

  /** How many messages consumers hold. */
  get held(): number {
    return this.order.size - this.ready.size
  }

  /** How many subscriptions cover it. */
  get subscriptions(): number {
    return this.bindings.size
  }

  /** A new message at the end of the order, not yet held and not yet ready: whoever calls decides. */
  // clause: browse.queue.own
  join(content: Content, now: number, bytes = bytesOfContent(content)): Message {
    const message = new Message(this, this.#nextSequence++, new StoredContent(content), bytes, now)
    this.order.add(message)
    this.#messageBytes += bytes
    this.memory.take(bytes)
    this.changed(now)
    return message
  }

  /** Puts a message that nobody holds where it belongs by its sequence. */
  makeReady(message: Message): void {
    message.ready = true
    this.ready.add(message)
  }

  /** Takes a message from among the ready ones. */
  unready(message: Message): void {
    if (!message.ready) return
    message.ready = false
    this.ready.delete(message)
  }

  /** Takes a message out for good. */
  // clause: ack.leaves-queue browse.pending.acknowledged
  drop(message: Message, now: number): void {
    this.unready(message)
    message.consumed = true
    message.holder = undefined
    if (message.sentOnce !== undefined) message.sentOnce.pending = false
    this.order.delete(message)
    this.#messageBytes -= message.bytes
    this.memory.free(message.bytes)
    this.changed(now)
  }

  /** Takes out everything, for good. */
  // clause: queues.delete.messages
  clear(): void {
    this.order.clear()
    this.ready.clear()
    this.memory.free(this.#messageBytes)
    this.#messageBytes = 0
  }

  changed(now: number): void {
    this.version++
    this.updatedAt = now
  }
}

const sequenceOf = ({ sequence }: Message): number => sequence

/** That one subscription covers one queue. It stands in the queue's list of those in turn, or in the subscription's backlog. */
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

/**
 * A lease, the queues that it covers, if any, and the messages that its consumer holds.
 *
 * @example
 * ```ts
 * const subscription: Subscription = mq.broker.subscribe({ destinations: ['orders/*'], prefetch: 5 })
 * subscription.prefetch    // 5
 * ```
 */
export class Subscription {
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
  /** Bindings whose queue may have something for it, in turn: of a subscription that is full, or that searches. */
  readonly backlog = new LinkedList<Binding>()
  /** How many messages a consumer on demand still asks for in the command that runs; 0 between commands. */
  asked = 0
  /** What came on demand and no answer has named yet: who waited for it may have gone. */
  readonly unreported = new Set<Delivery>()
  /** Whether something has come since the last reading of its feed: then that is not waited for. Who answers the reading unsets it. */
  hasNews = false
  /** How many of its queues were deleted: who waits for their messages waits in vain. */
  lostQueues = 0
  /** Called once each when a message comes, one of its queues is deleted, or the lease ends. */
  readonly waiters = new Set<Wake>()
  /** Cancels the timer of the lease's end. */
  cancelTimer: () => void = () => {}
  /** Cancels the command in which it searches on; undefined while it does not search. */
  cancelSearch: (() => void) | undefined

  constructor(
    /** Of a consumer or session the one that its client chose; no two of one kind that live have the same. */
    readonly id: string,
    /** Orders subscriptions by their creation, so that the same input gives the same outcome. */
    readonly ordinal: number,
    readonly terms: SubscriptionTerms,
    /** Milliseconds since the epoch. */
    readonly createdAt: number,
  ) {
    this.updatedAt = createdAt
    this.timeout = terms.timeout
    this.leaseEndsAt = createdAt + terms.timeout
  }

  /**
   * How many more messages it may be handed while its lease lives. On demand: as many as it asks for, or one while it waits.
   */
  // clause: prefetch.cap prefetch.cap.at-once prefetch.cap.one-by-one prefetch.cap.after-acks
  // clause: prefetch.cap.parallel
  get room(): number {
    if (this.ended) return 0
    return this.isOnDemand
      ? Math.max(this.asked, Math.min(1, this.waiters.size))
      : this.prefetch - this.held.size
  }

  get kind(): LeaseKind {
    return this.terms.kind
  }

  /** Whether it is handed messages only when its consumer asks, or waits, for them. */
  get isOnDemand(): boolean {
    return this.terms.kind !== 'subscription'
  }

  /** How many unacknowledged messages it may hold without having asked for them; none, unless it is a subscription. */
  // clause: prefetch.asked prefetch.per-consumer
  get prefetch(): number {
    return this.terms.prefetch ?? 0
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

  /**
   * Whether its selector, if it has one, picks the message.
   *
   * @param effort is lessened by what it took to find out
   */
  // clause: subscribe.selector subscribe.selector.only
  accepts(message: Message, effort?: Effort): boolean {
    const { selector } = this.terms
    return selector === undefined || selects(selector, message, effort)
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
