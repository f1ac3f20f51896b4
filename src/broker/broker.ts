import type { ConsumerTerms } from './consumers.js'
import type { Content } from './content.js'
import type { Delivery, Message, Queue, Subscription } from './entities.js'
import { Machine } from './machine.js'
import { parseCategory, parseDestination, parseQueueName } from './names.js'
import type { Page, PageRequest } from './page.js'
import type { BrokerOptions } from './parts.js'
import type { ListingEntry } from './queue-tree.js'
import type { SubscribeRequest } from './terms.js'
import { type Wake, watch } from './waiters.js'

export type { BrokerOptions, PageRequest, SubscribeRequest }

/**
 * The interface as a machine: every operation of the document, in its order, as one synchronous command, which
 * either happens wholly or is refused by a {@link Refusal} and has changed nothing, though a lease that it finds over ends. Names are given as text, in
 * either spelling. The work is done by the parts; here is what each command puts together of them. Whatever is to be
 * kept may also be refused by `out-of-memory` or `too-many-…`, see {@link BrokerLimits}.
 *
 * @example
 * ```ts
 * const broker: Broker = createBroker({ autoCreate: true })
 * broker.sendOnce('orders', 'order-1', { body: Buffer.from('a hat'), properties: new Map() })
 * ```
 */
export class Broker extends Machine {
  // Queues (section 4.1, clauses queues.* and browse.*) --------------------------------------------------

  /**
   * The immediate children of a category, the root being the empty name.
   *
   * @throws Refusal `bad-queue-name`, `unknown-path`, `bad-cursor`, `bad-parameter`
   */
  listQueues(category: string, page: PageRequest): Page<ListingEntry> {
    return this.parts.tree.list(parseCategory(category), page)
  }

  /**
   * A queue's pending messages, oldest first, held or not. Taking nothing, changing nothing.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`, `bad-cursor`, `bad-parameter`
   */
  // clause: browse.takes-nothing browse.changes-nothing
  browse(name: string, page: PageRequest): Page<Message> & { readonly queue: Queue } {
    const queue = this.queue(name)
    return { queue, ...this.parts.queues.page(queue, page) }
  }

  /**
   * Looks a queue up.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`
   */
  queue(name: string): Queue {
    return this.parts.queues.get(parseQueueName(name))
  }

  /**
   * Creates a queue. A queue that is there already stays as it is, with its messages.
   *
   * @throws Refusal `bad-queue-name`
   */
  createQueue(name: string): { readonly queue: Queue; readonly created: boolean } {
    return this.run(({ queues }) => queues.findOrCreate(parseQueueName(name)))
  }

  /**
   * Deletes a queue with its messages; held ones leave their feeds.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`
   */
  deleteQueue(name: string): void {
    this.run(({ queues }) => queues.delete(this.queue(name)))
  }

  // Sending (section 4.1, clauses send.* and dedup.*) ----------------------------------------------------

  /**
   * Step 1 of a send: issues a new-message address. It makes no message.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`
   */
  newAddress(name: string): string {
    return this.run(({ sending }) => sending.newAddress(parseQueueName(name)))
  }

  /**
   * Step 2 of a send: the message. A repeat, whatever its content and however late, changes nothing.
   *
   * @throws Refusal `unknown-address`, `address-expired`, `queue-deleted`
   */
  post(address: string, content: Content): { readonly replayed: boolean } {
    return this.run(({ sending }) => sending.post(address, content))
  }

  /**
   * A send in one request, with an id that the client made: a guid that was seen before, on whatever queue, is
   * ignored. A refused send does not use its guid up.
   *
   * @throws Refusal `bad-guid`, `bad-queue-name`, `unknown-queue`
   */
  sendOnce(name: string, guid: string, content: Content): { readonly replayed: boolean } {
    return this.run(({ sending }) => sending.sendOnce(parseQueueName(name), guid, content))
  }

  /**
   * A send without any protection: a repeat is another message.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`
   */
  send(name: string, content: Content): Message {
    return this.run(({ sending }) => sending.send(parseQueueName(name), content))
  }

  // Subscriptions (section 4.1, clauses subscribe.*, consume.*, prefetch.* and lease.*) ------------------

  /**
   * Begins a lease on one or more destinations.
   *
   * @throws Refusal `bad-destination`, `bad-parameter`, `bad-selector`
   */
  subscribe(request: SubscribeRequest): Subscription {
    return this.run(({ subscriptions }) => subscriptions.subscribe(request))
  }

  /**
   * Looks at a subscription without renewing its lease.
   *
   * @throws Refusal `subscription-ended`, `unknown-subscription`
   */
  subscription(id: string): Subscription {
    return this.run(({ subscriptions }) => subscriptions.get(id))
  }

  /**
   * Ends a subscription: its messages go to others, in their old places.
   *
   * @throws Refusal `subscription-ended`, `unknown-subscription`
   */
  unsubscribe(id: string): void {
    this.run(({ subscriptions }) => subscriptions.end(subscriptions.get(id), 'deleted'))
  }

  /**
   * What a subscription holds, in the order in which it came. Its consumer is there, so the lease is renewed.
   *
   * @throws Refusal `subscription-ended`, `unknown-subscription`
   */
  // clause: consume.repeat consume.entries consume.empty consume.later consume.after-idle subscribe.own-feed
  consume(id: string): { readonly subscription: Subscription; readonly deliveries: readonly Delivery[] } {
    return this.run(({ subscriptions, dispatch }) => {
      const subscription = subscriptions.get(id)
      subscriptions.renew(subscription)
      // A search for which an earlier command had no time left goes on.
      dispatch.fill(subscription)
      return { subscription, deliveries: subscription.deliveries }
    })
  }

  // Messages (section 4.1, clauses ack.* and ack-in-post.*) ----------------------------------------------

  /**
   * Looks at a message that a subscription holds.
   *
   * @throws Refusal `subscription-ended`, `unknown-subscription`, `delivery-released`, `unknown-message`
   */
  delivery(subscriptionId: string, deliveryId: string): Delivery {
    return this.parts.acknowledgements.delivery(this.subscription(subscriptionId), deliveryId)
  }

  /**
   * Looks at a pending message by its own id, held or not.
   *
   * @throws Refusal `unknown-message`
   */
  message(id: string): Message {
    return this.parts.queues.message(id)
  }

  /**
   * The message was processed: it is taken out of its queue for good. A repeat of a successful acknowledgement
   * succeeds while it is remembered and the lease lives. The lease is renewed.
   *
   * @throws Refusal `subscription-ended`, `unknown-subscription`, `delivery-released`, `unknown-message`
   */
  acknowledge(subscriptionId: string, deliveryId: string): { readonly repeated: boolean } {
    return this.run(({ subscriptions, acknowledgements }) =>
      acknowledgements.acknowledge(subscriptions.get(subscriptionId), deliveryId),
    )
  }

  /**
   * Acknowledges several messages of one subscription, all or, when it does not hold one of them, none.
   *
   * @throws Refusal `subscription-ended`, `unknown-subscription`, `message-not-held` with the ids concerned
   */
  acknowledgeAll(subscriptionId: string, deliveryIds: readonly string[]): void {
    this.run(({ subscriptions, acknowledgements }) =>
      acknowledgements.acknowledgeAll(subscriptions.get(subscriptionId), deliveryIds),
    )
  }

  // Waiting (chosen, clauses consume.wait.*) -------------------------------------------------------------

  /**
   * Calls back once, when a message comes to a subscription, one of its queues is deleted, it ends, or the broker is reset or closed.
   *
   * @returns cancels; harmless afterwards
   * @throws Refusal `subscription-ended`, `unknown-subscription`
   */
  whenSubscriptionChanges(id: string, wake: () => void): () => void {
    return this.wait(
      () => this.parts.subscriptions.get(id),
      ({ waiters }) => watch(waiters, wake),
    )
  }

  /**
   * Calls back once, when a message arrives in a queue or comes back to it, it is deleted, or the broker is reset or closed.
   *
   * @returns cancels; harmless afterwards
   * @throws Refusal `bad-queue-name`, `unknown-queue`
   */
  whenQueueChanges(name: string, wake: () => void): () => void {
    return this.wait(
      () => this.queue(name),
      ({ waiters }) => watch(waiters, wake),
    )
  }

  /**
   * Calls back one of those who wait to take a message, in turn, for each that becomes ready; all of them when the
   * queue is deleted, or the broker is reset or closed. Who is called alone takes the message at once.
   *
   * @returns cancels; harmless afterwards
   * @throws Refusal `bad-queue-name`, `unknown-queue`
   */
  whenMessageReady(name: string, wake: Wake): () => void {
    return this.wait(
      () => this.queue(name),
      ({ takers }) => watch(takers, wake),
    )
  }

  // The single path (section 4.2, clauses single-path.*) -------------------------------------------------

  /**
   * Takes the next message of a queue that nobody holds out of it for good.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`
   */
  take(name: string): Message | undefined {
    return this.run(({ dispatch }) => dispatch.take(this.queue(name)))
  }

  /**
   * Looks at the message that {@link take} would take.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`
   */
  peek(name: string): Message | undefined {
    return this.parts.dispatch.next(this.queue(name))
  }

  /**
   * Acknowledges what a session was handed before, from whatever queue, and hands it the next message of this one.
   * A session that falls silent for a lease loses what it holds. Undefined where nothing is left, or no place to hold more.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`
   */
  takeFor(session: string, name: string): Delivery | undefined {
    return this.run(({ sessions }) => {
      const queue = this.queue(name)
      sessions.acknowledge(session)
      return sessions.take(session, queue)
    })
  }

  /**
   * The same for a request that has waited: what the session was handed meanwhile it does not acknowledge.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`
   */
  takeFurtherFor(session: string, name: string): Delivery | undefined {
    return this.run(({ sessions }) => sessions.take(session, this.queue(name)))
  }

  // One at a time, and batches (section 4.2, clauses one-at-a-time.* and batch.*) ------------------------

  /**
   * Lets a consumer receive the messages of a destination; the first time, it begins its lease.
   *
   * @throws Refusal `bad-consumer-id`, `bad-destination`, `bad-parameter`
   */
  // clause: one-at-a-time.wildcards
  subscribeConsumer(id: string, destination: string, terms: ConsumerTerms = {}): void {
    this.run(({ consumers }) => consumers.subscribe(id, parseDestination(destination), terms))
  }

  /**
   * Takes a destination from a consumer: what it holds from queues that it no longer covers goes to others.
   *
   * @throws Refusal `bad-destination`, `consumer-ended`, `unknown-consumer`
   */
  unsubscribeConsumer(id: string, destination: string): void {
    this.run(({ consumers }) => {
      const parsed = parseDestination(destination)
      consumers.unsubscribe(consumers.get(id), parsed)
    })
  }

  /**
   * Looks at a consumer without renewing its lease.
   *
   * @throws Refusal `consumer-ended`, `unknown-consumer`
   */
  consumer(id: string): Subscription {
    return this.run(({ consumers }) => consumers.get(id))
  }

  /**
   * The consumer's next message: the same until it is acknowledged.
   *
   * @throws Refusal `consumer-ended`, `unknown-consumer`
   */
  next(id: string): Delivery | undefined {
    return this.run(({ consumers }) => consumers.next(consumers.get(id)))
  }

  /**
   * Acknowledges messages of a consumer, all or none, and locks up to `max` further ones for it.
   *
   * @throws Refusal `consumer-ended`, `unknown-consumer`, `bad-parameter`, `message-not-held`
   */
  lock(id: string, max: number, acknowledged: readonly string[] = []): readonly Delivery[] {
    return this.run(({ consumers }) => consumers.lock(consumers.get(id), max, acknowledged))
  }

  /**
   * Fetches a message that a consumer holds. Its lease is renewed, unless who asks only looks.
   *
   * @throws Refusal `consumer-ended`, `unknown-consumer`, `delivery-released`, `unknown-message`
   */
  consumerDelivery(id: string, deliveryId: string, { looks = false } = {}): Delivery {
    return this.run(({ consumers, subscriptions, acknowledgements }) => {
      const consumer = consumers.get(id)
      const delivery = acknowledgements.delivery(consumer, deliveryId)
      if (!looks) subscriptions.renew(consumer)
      return delivery
    })
  }

  /**
   * The message was processed by a consumer: it is taken out of its queue for good.
   *
   * @throws Refusal `consumer-ended`, `unknown-consumer`, `delivery-released`, `unknown-message`
   */
  acknowledgeConsumer(id: string, deliveryId: string): { readonly repeated: boolean } {
    return this.run(({ consumers, acknowledgements }) =>
      acknowledgements.acknowledge(consumers.get(id), deliveryId),
    )
  }

  /**
   * Calls back once, when a message comes to a consumer that waits for one, one of its queues is deleted, its lease ends, or the
   * broker is reset or closed. It then holds the message.
   *
   * @returns ends the wait; harmless afterwards
   * @throws Refusal `consumer-ended`, `unknown-consumer`
   */
  whenConsumerChanges(id: string, wake: () => void): () => void {
    const { consumers } = this.parts
    return this.wait(
      () => consumers.get(id),
      (consumer) => consumers.wait(consumer, wake),
    )
  }
}

/**
 * A broker with nothing in it.
 *
 * @example
 * ```ts
 * const broker = createBroker({ autoCreate: true })
 * ```
 */
export const createBroker = (options: BrokerOptions = {}): Broker => new Broker(options)
