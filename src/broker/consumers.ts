import type { Acknowledgements } from './acknowledgements.js'
import type { BrokerContext } from './context.js'
import type { Dispatch } from './dispatch.js'
import type { Delivery, Subscription } from './entities.js'
import { checkCount, checkDestinations, checkTimeout } from './limits.js'
import type { Destination } from './names.js'
import { Refusal } from './refusals.js'
import { ownText } from './storing.js'
import type { Subscriptions } from './subscriptions.js'
import { watch } from './waiters.js'

/** How a consumer begins. A timeout that is left out stays as it is, or gets its default. */
export interface ConsumerTerms {
  /** Length of its lease in milliseconds, from now on. */
  readonly timeout?: number | undefined
  /** Who makes it: kept when its lease begins, and only then. */
  readonly owner?: string | undefined
}

/**
 * The consumers of one-at-a-time delivery and of batches (section 4.2): leases under ids that clients choose.
 *
 * A consumer is handed messages only when it asks, or while it waits.
 * `chosen`: every request of a consumer renews its lease, and it lives as long as that, with or without
 * destinations. One whose lease ran out begins anew when it subscribes again.
 */
export class Consumers {
  constructor(
    private readonly context: BrokerContext,
    private readonly dispatch: Dispatch,
    private readonly subscriptions: Subscriptions,
    private readonly acknowledgements: Acknowledgements,
  ) {}

  /** @throws Refusal `consumer-ended` while the end of its lease is remembered, `unknown-consumer` otherwise */
  // clause: one-at-a-time.unknown batch.unknown
  get(id: string): Subscription {
    const consumer = this.subscriptions.find(id, 'consumer')
    if (consumer !== undefined) return consumer
    const name = JSON.stringify(id)
    if (this.subscriptions.endingOf(id, 'consumer') === undefined) {
      throw new Refusal('unknown-consumer', `There is no consumer ${name}; subscribe it to a destination.`)
    }
    throw new Refusal(
      'consumer-ended',
      `The lease of the consumer ${name} ran out, and its messages went to others; subscribe it again.`,
    )
  }

  /** @throws Refusal `bad-consumer-id`, `bad-parameter`, `too-many-subscriptions` */
  // clause: one-at-a-time.again one-at-a-time.lease batch.consumers
  subscribe(id: string, destination: Destination, { timeout, owner }: ConsumerTerms): void {
    checkConsumerId(id)
    if (timeout !== undefined) checkTimeout(timeout, this.context.limits)
    const known = this.subscriptions.find(id, 'consumer')
    if (known === undefined) {
      this.subscriptions.create(ownText(id), {
        kind: 'consumer',
        destinations: [destination],
        timeout: timeout ?? this.context.limits.defaultTimeout,
        owner: owner && ownText(owner),
      })
      return
    }
    if (!known.covers(destination)) {
      checkDestinations(known.destinations.length + 1, this.context.limits)
      this.subscriptions.extend(known, destination)
    }
    this.subscriptions.renew(known, timeout)
  }

  /** Again, or of a destination that it was never subscribed to: no change. */
  unsubscribe(consumer: Subscription, destination: Destination): void {
    this.subscriptions.uncover(consumer, destination)
    this.subscriptions.renew(consumer)
  }

  /** Of the messages held the one that came first; where none is held, the next one. */
  // clause: one-at-a-time.one one-at-a-time.same
  next(consumer: Subscription): Delivery | undefined {
    this.subscriptions.renew(consumer)
    if (consumer.first === undefined) this.#ask(consumer, 1)
    const delivery = consumer.first
    if (delivery !== undefined) consumer.unreported.delete(delivery)
    return delivery
  }

  /**
   * Acknowledges messages, all or none, and then hands out up to `max` further ones.
   *
   * @throws Refusal `bad-parameter`, `message-not-held`
   */
  // clause: batch.max.per-call batch.further batch.max.range
  lock(consumer: Subscription, max: number, acknowledged: readonly string[]): Delivery[] {
    checkCount('max', max, 1, this.context.limits.maxBatch)
    this.acknowledgements.acknowledgeAll(consumer, acknowledged)
    this.#ask(consumer, max - consumer.unreported.size)
    const locked: Delivery[] = []
    for (const delivery of consumer.unreported) {
      if (locked.length === max) break
      consumer.unreported.delete(delivery)
      locked.push(delivery)
    }
    return locked
  }

  /**
   * Somebody waits for a consumer: it takes its turn at the next message that arrives for it, just one. The
   * consumer then holds it, and every later request of it finds it, whoever waited.
   *
   * @returns ends the wait, so that nothing more is bound to the consumer because of it
   */
  wait(consumer: Subscription, wake: () => void): () => void {
    const cancel = watch(consumer.waiters, wake)
    this.dispatch.fill(consumer)
    return cancel
  }

  #ask(consumer: Subscription, messages: number): void {
    consumer.asked = messages
    this.dispatch.fill(consumer)
    consumer.asked = 0
  }
}

/**
 * `chosen`: 1 to 255 characters without a slash. A dot alone, or two, would be resolved away by whoever follows a
 * link with it.
 */
// clause: one-at-a-time.consumer-id
function checkConsumerId(id: string): void {
  if (id.length >= 1 && id.length <= 255 && !id.includes('/') && id !== '.' && id !== '..') return
  throw new Refusal(
    'bad-consumer-id',
    'A consumer id has 1 to 255 characters, no slash, and is not "." or "..".',
  )
}
