import type { Content } from './content.js'
import type { Queue } from './queue.js'
import type { Subscription } from './subscription.js'

export type { Content } from './content.js'

/**
 * What tells of a guid, or of a used address, whether its message is still pending. It leads neither to the message
 * nor to the queue, so that whoever remembers it keeps neither.
 */
export interface SentOnce {
  /** Set to false when the message is acknowledged or taken. */
  pending: boolean
  /** Of the message's queue, with which its messages go. */
  readonly fate: { readonly deleted: boolean }
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
  readonly queue: Queue
  /** Its place in its queue: later messages have higher numbers, and redelivery does not change it. */
  readonly sequence: number
  readonly content: Content
  /** What it counts against the memory limit, in bytes. */
  readonly bytes: number
  /** Milliseconds since the epoch. */
  readonly publishedAt: number
  /** When it was last delivered or released; milliseconds since the epoch. */
  updatedAt: number
  /** How often it was handed to a consumer: 0 until the first time. */
  deliveries = 0
  /** The delivery that holds it; undefined while it is ready. */
  holder: Delivery | undefined
  /** Whether it may be handed out: nobody holds it, and it is not gone. */
  ready = false
  /** Whether it was acknowledged, or taken by somebody without a lease. */
  consumed = false
  /** What keeps its guid or address from being forgotten; undefined where it was sent without either. */
  sentOnce: SentOnce | undefined

  constructor(queue: Queue, sequence: number, content: Content, bytes: number, now: number) {
    this.queue = queue
    this.sequence = sequence
    this.content = content
    this.bytes = bytes
    this.publishedAt = now
    this.updatedAt = now
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
