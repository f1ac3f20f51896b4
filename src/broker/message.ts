import type { Queue } from './queue.js'
import type { Subscription } from './subscription.js'

/**
 * What a producer handed over, exactly as it did.
 *
 * @example
 * ```ts
 * const content: Content = { body: Buffer.from('a hat'), contentType: 'text/plain', properties: new Map([['colour', 'blue']]) }
 * ```
 */
export interface Content {
  /** To be read only: the bytes of a stored message are its own. */
  readonly body: Uint8Array
  /** Media type of the body as sent; undefined where the producer named none. */
  readonly contentType?: string | undefined
  readonly contentEncoding?: string | undefined
  readonly contentLanguage?: string | undefined
  /** Application properties: names in lower case, `-` read as `_`. */
  readonly properties: ReadonlyMap<string, string>
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
  /** Acknowledged, or gone with its queue: nothing may hand it out again. */
  gone = false

  constructor(queue: Queue, sequence: number, content: Content, bytes: number, now: number) {
    this.queue = queue
    this.sequence = sequence
    this.content = content
    this.bytes = bytes
    this.publishedAt = now
    this.updatedAt = now
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
