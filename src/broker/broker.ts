import { AlternativeCommands } from './alternative-commands.js'
import type { BrokerOptions } from './broker-core.js'
import { parseDestination } from './destination.js'
import type { Content, Delivery, Message } from './message.js'
import type { Queue } from './queue.js'
import { parseQueueName } from './queue-name.js'
import type { ListingEntry, Page } from './queue-tree.js'
import { checkCount, checkTimeout } from './ranges.js'
import { Refusal } from './refusals.js'
import { readSelector } from './selection.js'
import type { Subscription } from './subscription.js'
import { watch } from './wakes.js'

export type { BrokerOptions, BrokerParts } from './broker-core.js'

/** Which part of something longer is asked for. */
export interface PageRequest {
  /** The `next` of the page before. */
  readonly cursor?: string | undefined
  /** How many items at most. */
  readonly limit: number
}

/** What a new subscription is asked for. */
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
 * The interface as a machine: every operation of the document as one synchronous command, which either happens
 * wholly or is refused by a {@link Refusal} and has changed nothing. Names are given as text, in either spelling.
 *
 * The commands of the primary mapping stand here in its order, those of the alternative mappings in
 * `alternative-commands.ts`. It is a facade: it reads and checks what it is given, and leaves the work to the parts.
 */
export class Broker extends AlternativeCommands {
  // Queues ------------------------------------------------------------------------------------------------

  /**
   * The immediate children of a category, the root being the empty name.
   *
   * @throws Refusal `bad-queue-name`, `unknown-path`, `bad-cursor`, `bad-parameter`
   */
  listQueues(category: string, page: PageRequest): Page<ListingEntry> {
    checkLimit(page.limit)
    const segments = category === '' ? [] : parseQueueName(category)
    return this.parts.queues.list(segments, page.cursor, page.limit)
  }

  /**
   * A queue's pending messages, oldest first, held or not. Taking nothing, changing nothing.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`, `bad-cursor`, `bad-parameter`
   */
  // clause: browse.queue.entries browse.queue.empty browse.pending.held browse.takes-nothing
  // clause: browse.changes-nothing
  browse(name: string, page: PageRequest): Page<Message> & { readonly queue: Queue } {
    const queue = this.queue(name)
    const { cursor = '0', limit } = page
    checkLimit(limit)
    if (!/^\d{1,15}$/.test(cursor)) throw new Refusal('bad-cursor')
    const items: Message[] = []
    for (const message of queue.order.from(Number(cursor) + 1)) {
      if (items.length === limit) {
        return { queue, items, next: String(items[limit - 1]?.sequence), updatedAt: queue.updatedAt }
      }
      items.push(message)
    }
    return { queue, items, next: undefined, updatedAt: queue.updatedAt }
  }

  /**
   * Creates a queue. A queue that is there already stays as it is, with its messages.
   *
   * @throws Refusal `bad-queue-name`
   */
  // clause: queues.create.again.messages queues.create.again.one
  createQueue(name: string): { readonly queue: Queue; readonly created: boolean } {
    const segments = parseQueueName(name)
    const known = this.parts.queues.find(segments)
    if (known !== undefined) return { queue: known, created: false }
    const queue = this.create(segments)
    this.wakes.flush()
    return { queue, created: true }
  }

  /**
   * Deletes a queue with its messages; held ones leave their feeds.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`
   */
  // clause: queues.delete.unreadable
  deleteQueue(name: string): void {
    const queue = this.queue(name)
    const now = this.clock.now()
    queue.deleted = true
    this.parts.queues.remove(queue, now)
    this.byIdPrefix.delete(queue.messageIdPrefix)
    for (const message of queue.order.from(0)) this.parts.memory.free(message)
    this.parts.dispatch.abandon(queue)
    this.wakes.flush()
  }

  // Sending -----------------------------------------------------------------------------------------------

  /**
   * Step 1 of a send: issues a new-message address. It makes no message.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`, `too-many-addresses`
   */
  // clause: send.step-1.no-message
  newAddress(name: string): string {
    const segments = parseQueueName(name)
    if (!this.autoCreate) this.find(segments)
    this.parts.posting.makeRoom()
    const address = this.parts.posting.issue(this.findOrCreate(segments))
    this.wakes.flush()
    return address
  }

  /**
   * Step 2 of a send: the message. A repeat, whatever its content and however late, changes nothing.
   *
   * @throws Refusal `unknown-address`, `address-expired`, `queue-deleted`, `out-of-memory`
   */
  // clause: send.step-2.one-message send.two-step.same-body
  post(address: string, content: Content): { readonly replayed: boolean } {
    const queue = this.parts.posting.resolve(address)
    if (queue === 'used') return { replayed: true }
    this.parts.memory.check(content)
    this.parts.posting.spend(address)
    this.store(queue, content)
    return { replayed: false }
  }

  /**
   * A send in one request, with an id that the client made: a guid that was seen before, on whatever queue, is
   * ignored. A refused send does not use its guid up.
   *
   * @throws Refusal `bad-guid`, `bad-queue-name`, `unknown-queue`, `out-of-memory`
   */
  // clause: dedup.one-message dedup.repeat.other-body dedup.distinct
  sendOnce(name: string, guid: string, content: Content): { readonly replayed: boolean } {
    const segments = parseQueueName(name)
    if (this.parts.posting.knows(guid)) return { replayed: true }
    this.checkSend(segments, content)
    this.parts.posting.remember(guid)
    this.store(this.findOrCreate(segments), content)
    return { replayed: false }
  }

  /**
   * A send without any protection: a repeat is another message.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`, `out-of-memory`
   */
  send(name: string, content: Content): Message {
    const segments = parseQueueName(name)
    this.checkSend(segments, content)
    return this.store(this.findOrCreate(segments), content)
  }

  // Subscriptions -----------------------------------------------------------------------------------------

  /**
   * Begins a lease on one or more destinations.
   *
   * @throws Refusal `bad-destination`, `bad-parameter`, `bad-selector`, `too-many-subscriptions`
   */
  // clause: subscribe.own-address
  subscribe(request: SubscribeRequest): Subscription {
    const { limits } = this
    const { prefetch = limits.defaultPrefetch, timeout = limits.defaultTimeout } = request
    checkCount('The number of destinations', request.destinations.length, 1, limits.maxDestinations)
    checkCount('prefetch', prefetch, 1, limits.maxPrefetch)
    checkTimeout(timeout, limits)
    const subscription = this.parts.subscriptions.create(this.ids.key(), {
      destinations: request.destinations.map(parseDestination),
      prefetch,
      selector: readSelector(request.selector),
      timeout,
      owner: request.owner,
    })
    this.wakes.flush()
    return subscription
  }

  /**
   * Looks at a subscription without renewing its lease.
   *
   * @throws Refusal `subscription-ended`, `unknown-subscription`
   */
  subscription(id: string): Subscription {
    // Consumers and sessions are leases too, under names of their own, and are not reached by this one.
    if (id.includes(':')) throw new Refusal('unknown-subscription')
    try {
      return this.parts.subscriptions.get(id)
    } finally {
      this.wakes.flush()
    }
  }

  /**
   * Ends a subscription: its messages go to others, in their old places.
   *
   * @throws Refusal `subscription-ended`, `unknown-subscription`
   */
  unsubscribe(id: string): void {
    this.parts.subscriptions.end(this.subscription(id), 'deleted')
    this.wakes.flush()
  }

  /**
   * What a subscription holds, in the order in which it came. Its consumer is there, so the lease is renewed.
   *
   * @throws Refusal `subscription-ended`, `unknown-subscription`
   */
  // clause: consume.repeat consume.entries consume.empty consume.later subscribe.own-feed
  consume(id: string): { readonly subscription: Subscription; readonly deliveries: readonly Delivery[] } {
    const subscription = this.subscription(id)
    this.parts.subscriptions.renew(subscription)
    return { subscription, deliveries: [...subscription.held.values()] }
  }

  // Messages ----------------------------------------------------------------------------------------------

  /**
   * Looks at a message in a consumer's hand.
   *
   * @throws Refusal `subscription-ended`, `unknown-subscription`, `message-withdrawn`, `unknown-message`
   */
  delivery(subscriptionId: string, deliveryId: string): Delivery {
    return this.parts.hands.delivery(this.subscription(subscriptionId), deliveryId)
  }

  /**
   * Looks at a pending message by its own id, held or not.
   *
   * @throws Refusal `unknown-message`
   */
  message(id: string): Message {
    const queue = this.byIdPrefix.get(id.slice(0, 24))
    const sequence = Number.parseInt(id.slice(24), 16)
    const found = Number.isNaN(sequence) ? undefined : queue?.order.from(sequence).next().value
    if (found === undefined || found.id !== id) throw new Refusal('unknown-message')
    return found
  }

  /**
   * The message was processed: it is taken out of its queue for good. A repeat of a successful acknowledgement
   * succeeds while it is remembered and the lease lives. The lease is renewed.
   *
   * @throws Refusal `subscription-ended`, `unknown-subscription`, `message-withdrawn`, `unknown-message`
   */
  acknowledge(subscriptionId: string, deliveryId: string): { readonly repeated: boolean } {
    const outcome = this.parts.hands.acknowledge(this.subscription(subscriptionId), deliveryId)
    this.wakes.flush()
    return outcome
  }

  /**
   * Acknowledges several messages of one subscription, all or, when one is not in its hand, none.
   *
   * @throws Refusal `subscription-ended`, `unknown-subscription`, `not-your-message` with the ids concerned
   */
  acknowledgeAll(subscriptionId: string, deliveryIds: readonly string[]): void {
    this.parts.hands.acknowledgeAll(this.subscription(subscriptionId), deliveryIds)
    this.wakes.flush()
  }

  // Waiting -----------------------------------------------------------------------------------------------

  /**
   * Calls back once, when a message comes to a subscription, or when it ends, or the broker is reset or closed.
   * Who waits asks again then. Nothing is bound to a waiter.
   *
   * @returns cancels; harmless afterwards
   * @throws Refusal `subscription-ended`, `unknown-subscription`
   */
  whenSubscriptionChanges(id: string, wake: () => void): () => void {
    return watch(this.subscription(id).waiters, wake)
  }

  /**
   * Calls back once, when a message arrives in a queue, or when it is deleted, or the broker is reset or closed.
   *
   * @returns cancels; harmless afterwards
   * @throws Refusal `bad-queue-name`, `unknown-queue`
   */
  whenQueueChanges(name: string, wake: () => void): () => void {
    return watch(this.queue(name).waiters, wake)
  }
}

/** A broker with nothing in it. */
export function createBroker(options: BrokerOptions = {}): Broker {
  return new Broker(options)
}

/** How long a page may be is for the layer above to say; one without items would lead nowhere. */
function checkLimit(limit: number): void {
  checkCount('limit', limit, 1, Number.MAX_SAFE_INTEGER)
}
