import { BrokerCore } from './broker-core.js'
import type { ConsumerTerms } from './consumers.js'
import { parseDestination } from './destination.js'
import type { Delivery, Message } from './message.js'
import type { Queue } from './queue.js'
import type { Subscription } from './subscription.js'

/** The commands of the alternative mappings (section 4.2), for the same queues and messages. */
export abstract class AlternativeCommands extends BrokerCore {
  // Single path -------------------------------------------------------------------------------------------

  /**
   * Takes the next message of a queue that nobody holds out of it for good.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`
   */
  // clause: single-path.another
  take(name: string): Message | undefined {
    const queue = this.queue(name)
    const message = queue.ready.first?.value
    if (message === undefined) return undefined
    this.parts.memory.free(message)
    queue.drop(message, this.clock.now())
    return message
  }

  /**
   * Looks at the message that {@link take} would take.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`
   */
  peek(name: string): Message | undefined {
    return this.queue(name).ready.first?.value
  }

  /**
   * Acknowledges what a session was handed before, from whatever queue, and hands it the next message of this one.
   * A session that falls silent for a lease loses what it holds.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`, `too-many-subscriptions`
   */
  takeFor(session: string, name: string): Delivery | undefined {
    const queue = this.queue(name)
    this.parts.sessions.acknowledge(session)
    return this.#handTo(session, queue)
  }

  /**
   * The same for a request that has waited. What the session was handed meanwhile it was handed after that request
   * was made, so this acknowledges nothing.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`, `too-many-subscriptions`
   */
  takeFurtherFor(session: string, name: string): Delivery | undefined {
    return this.#handTo(session, this.queue(name))
  }

  #handTo(session: string, queue: Queue): Delivery | undefined {
    const delivery = this.parts.sessions.take(session, queue)
    this.wakes.flush()
    return delivery
  }

  // One at a time, and batches ----------------------------------------------------------------------------

  /**
   * Lets a consumer receive the messages of a destination; the first time, it begins its lease.
   *
   * @throws Refusal `bad-consumer-id`, `bad-destination`, `bad-parameter`, `too-many-subscriptions`
   */
  subscribeConsumer(id: string, destination: string, terms: ConsumerTerms = {}): void {
    this.parts.consumers.subscribe(id, parseDestination(destination), terms)
    this.wakes.flush()
  }

  /**
   * The opposite: what the consumer holds from queues that it no longer covers goes to others.
   *
   * @throws Refusal `bad-destination`, `consumer-ended`, `unknown-consumer`
   */
  unsubscribeConsumer(id: string, destination: string): void {
    const parsed = parseDestination(destination)
    this.parts.consumers.unsubscribe(this.consumer(id), parsed)
    this.wakes.flush()
  }

  /**
   * Looks at a consumer without renewing its lease.
   *
   * @throws Refusal `consumer-ended`, `unknown-consumer`
   */
  consumer(id: string): Subscription {
    try {
      return this.parts.consumers.get(id)
    } finally {
      this.wakes.flush()
    }
  }

  /**
   * The consumer's next message: the same until it is acknowledged.
   *
   * @throws Refusal `consumer-ended`, `unknown-consumer`
   */
  next(id: string): Delivery | undefined {
    const delivery = this.parts.consumers.next(this.consumer(id))
    this.wakes.flush()
    return delivery
  }

  /**
   * Acknowledges messages of a consumer, all or none, and locks up to `max` further ones for it.
   *
   * @throws Refusal `consumer-ended`, `unknown-consumer`, `bad-parameter`, `not-your-message`
   */
  lock(id: string, max: number, acknowledged: readonly string[] = []): readonly Delivery[] {
    const deliveries = this.parts.consumers.lock(this.consumer(id), max, acknowledged)
    this.wakes.flush()
    return deliveries
  }

  /**
   * A message in a consumer's hand. Its lease is renewed.
   *
   * @throws Refusal `consumer-ended`, `unknown-consumer`, `message-withdrawn`, `unknown-message`
   */
  consumerDelivery(id: string, deliveryId: string): Delivery {
    const consumer = this.consumer(id)
    const delivery = this.parts.hands.delivery(consumer, deliveryId)
    this.parts.subscriptions.renew(consumer)
    return delivery
  }

  /**
   * The message was processed by a consumer: it is taken out of its queue for good.
   *
   * @throws Refusal `consumer-ended`, `unknown-consumer`, `message-withdrawn`, `unknown-message`
   */
  acknowledgeConsumer(id: string, deliveryId: string): { readonly repeated: boolean } {
    const outcome = this.parts.hands.acknowledge(this.consumer(id), deliveryId)
    this.wakes.flush()
    return outcome
  }

  /**
   * Calls back once, when a message comes to a consumer that waits for one, or when its lease ends, or the broker is
   * reset or closed. The message is then in its hand.
   *
   * @returns ends the wait; harmless afterwards
   * @throws Refusal `consumer-ended`, `unknown-consumer`
   */
  whenConsumerChanges(id: string, wake: () => void): () => void {
    const cancel = this.parts.consumers.wait(this.consumer(id), wake)
    this.wakes.flush()
    return cancel
  }
}
