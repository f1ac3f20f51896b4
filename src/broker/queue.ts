import { LinkedList } from './collections/linked-list.js'
import { SequenceList } from './collections/sequence-list.js'
import { bytesOfContent, type Content, StoredContent } from './content.js'
import type { MemoryBudget } from './memory-budget.js'
import { Message } from './message.js'
import { formatName } from './names.js'
import { firstPage, type Page, type PageRequest } from './page.js'
import { Refusal } from './refusals.js'
import { bytesOfQueue } from './storing.js'
import type { Binding } from './subscription.js'
import type { Wake } from './waiters.js'

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
  /** A UUID, for life: a queue made anew under an old name is another queue. */
  readonly id: string
  /** What the ids of its messages begin with, up to and with the last hyphen. */
  readonly messageIdPrefix: string
  readonly segments: readonly string[]
  /** Canonical, with slashes: `uk/products`. */
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** When its feed last changed; milliseconds since the epoch. */
  updatedAt: number
  /** Counts every change that its feed shows. */
  version = 0
  /** What is remembered of it when it is deleted, by those who must not keep all of it. */
  readonly fate = { deleted: false }

  /** All its pending messages, ready or held. */
  readonly order = new SequenceList<Message>()
  /** The messages that nobody holds, oldest first; a released one returns to its old place. */
  readonly ready = new SequenceList<Message>()
  /** Every subscription that covers this queue. */
  readonly bindings = new Set<Binding>()
  /** How many of them have a selector, and so a place in the order that they have looked up to. */
  selective = 0
  /**
   * The bindings that may take what arrives, in turn. Each other binding stands in its subscription's backlog.
   * None of these would accept a message that is ready now: it would have taken it.
   */
  readonly consumersWithRoom = new LinkedList<Binding>()
  /** Called once each when a message arrives or the queue is deleted. */
  readonly waiters = new Set<Wake>()
  /** One of them is called for each message that becomes ready, in turn; all, when the queue is deleted. */
  readonly takers = new Set<Wake>()
  readonly #memory: MemoryBudget
  /** What its messages count together. */
  #bytes = 0
  #nextSequence = 1

  constructor(id: string, segments: readonly string[], memory: MemoryBudget, now: number) {
    this.id = id
    this.messageIdPrefix = `${id.slice(0, 14)}8${id.slice(15, 24)}`
    this.segments = segments
    this.name = formatName(segments)
    this.#memory = memory
    this.createdAt = now
    this.updatedAt = now
  }

  /** Whether it was deleted: addresses that were issued for it answer so. */
  get deleted(): boolean {
    return this.fate.deleted
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

  /**
   * Pending messages, oldest first, held or not; the cursor is the sequence of the last one given.
   *
   * @throws Refusal `bad-cursor`, `bad-parameter`
   */
  // clause: browse.queue.entries browse.queue.empty browse.pending.held
  // clause: browse.order browse.paging.steady
  page({ cursor = '0', limit }: PageRequest): Page<Message> {
    if (!/^\d{1,15}$/.test(cursor)) throw new Refusal('bad-cursor')
    const behind = this.order.from(Number(cursor) + 1)
    return firstPage(behind, limit, this.updatedAt, ({ sequence }) => String(sequence))
  }

  /** A new message at the end of the order, not yet held and not yet ready: whoever calls decides. */
  // clause: browse.queue.own
  join(content: Content, now: number, bytes = bytesOfContent(content)): Message {
    const message = new Message(this, this.#nextSequence++, new StoredContent(content), bytes, now)
    this.order.add(message)
    this.#bytes += bytes
    this.#memory.take(bytes)
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
    this.#bytes -= message.bytes
    this.#memory.free(message.bytes)
    this.changed(now)
  }

  /** Takes out everything, for good. */
  // clause: queues.delete.messages
  clear(): void {
    this.order.clear()
    this.ready.clear()
    this.#memory.free(this.#bytes)
    this.#bytes = 0
  }

  changed(now: number): void {
    this.version++
    this.updatedAt = now
  }
}
