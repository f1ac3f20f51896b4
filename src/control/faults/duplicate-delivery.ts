import type { Broker } from '../../broker/broker.js'
import type { Dispatch } from '../../broker/dispatch.js'
import type { Delivery, Message } from '../../broker/message.js'
import type { BrokerParts } from '../../broker/parts.js'
import type { Queue } from '../../broker/queue.js'
import type { Subscription, SubscriptionTerms } from '../../broker/subscription.js'

/**
 * A fault for those who test consumers: lets the first message that is handed out in the course of `act` go to a
 * second consumer too, as if it had been redelivered without the first one's knowing: to one that accepts it and has
 * room, or, where the first one got it by an alternative mapping, to the next that asks there. The second delivery can
 * be acknowledged, or lost, without any effect on the message.
 */
export function deliveringTwice<T>(
  broker: Broker,
  act: () => T,
): { readonly result: T; readonly happened: boolean } {
  const duplicates = Duplicates.of(broker)
  duplicates.wanted = true
  try {
    const result = act()
    return { result, happened: !duplicates.wanted }
  } finally {
    duplicates.wanted = false
  }
}

/** Whether it is the second delivery of a message, which the message does not know of. */
export function isDuplicate(delivery: Delivery): boolean {
  return delivery.message.holder !== delivery
}

/** The second deliveries of one broker. They stand around its parts, which know nothing of them. */
class Duplicates {
  static readonly #known = new WeakMap<Dispatch, Duplicates>()
  static readonly #watched = new WeakSet<Broker>()
  readonly #dispatch: Dispatch
  readonly #deliveries = new Set<Delivery>()
  /** First deliveries whose message goes to the next consumer that asks, too. */
  readonly #owed = new Set<Delivery>()
  /** Messages that were taken without a lease, and are there for the next who takes. */
  readonly #left = new Map<Queue, Message>()
  /** Whether the next message that is handed out is to be handed out twice. */
  wanted = false

  static of(broker: Broker): Duplicates {
    const { dispatch } = broker.parts
    let known = Duplicates.#known.get(dispatch)
    if (known === undefined) {
      known = new Duplicates(broker.parts)
      Duplicates.#known.set(dispatch, known)
    }
    if (!Duplicates.#watched.has(broker)) {
      Duplicates.#watched.add(broker)
      const take = broker.take.bind(broker)
      broker.take = (name) =>
        Duplicates.#known.get(broker.parts.dispatch)?.take(broker, name, take) ?? take(name)
    }
    return known
  }

  private constructor({ context, dispatch, sessions, subscriptions }: BrokerParts) {
    this.#dispatch = dispatch
    const deliver = dispatch.deliver.bind(dispatch)
    const acknowledge = dispatch.acknowledge.bind(dispatch)
    const release = dispatch.release.bind(dispatch)
    const fill = dispatch.fill.bind(dispatch)
    const detachQueue = dispatch.detachQueue.bind(dispatch)
    const take = sessions.take.bind(sessions)
    dispatch.deliver = (message, subscription) => {
      const first = deliver(message, subscription)
      if (this.wanted) this.#deliverAgain(first, deliver)
      return first
    }
    dispatch.acknowledge = (delivery) => {
      this.#owed.delete(delivery)
      if (!this.#settle(delivery, 'acknowledged')) acknowledge(delivery)
    }
    dispatch.release = (deliveries) => {
      const all = [...deliveries]
      for (const delivery of all) this.#owed.delete(delivery)
      release(all.filter((delivery) => !this.#settle(delivery, 'released')))
    }
    // A consumer that is handed messages only when it asks gets what is owed before anything else.
    dispatch.fill = (subscription) => {
      for (const first of this.#owed) {
        if (!subscription.isOnDemand || subscription.room === 0) break
        const { message } = first
        if (!subscription.bindings.has(message.queue) || !mayHave(subscription, first)) continue
        this.#second(first, subscription, deliver)
      }
      fill(subscription)
    }
    sessions.take = (session, queue) => {
      const known = subscriptions.find(session, 'session')
      const first = [...this.#owed].find(
        ({ message, subscription }) => message.queue === queue && subscription !== known,
      )
      if (first === undefined) return take(session, queue)
      const lease = known ?? subscriptions.create(session, sessionTerms(context.limits.defaultTimeout))
      subscriptions.renew(lease)
      return this.#second(first, lease, deliver)
    }
    dispatch.detachQueue = (queue) => {
      this.#left.delete(queue)
      detachQueue(queue)
      this.#releaseAllOf(queue)
    }
  }

  /** A message that somebody has taken already, or the next one. */
  take(broker: Broker, name: string, take: (name: string) => Message | undefined): Message | undefined {
    const queue = broker.queue(name)
    const left = this.#left.get(queue)
    if (left !== undefined) {
      this.#left.delete(queue)
      return left
    }
    const message = take(name)
    if (message !== undefined && this.wanted) {
      this.wanted = false
      this.#left.set(queue, message)
    }
    return message
  }

  #deliverAgain(first: Delivery, deliver: Dispatch['deliver']): void {
    for (const { subscription } of first.message.queue.bindings) {
      if (subscription.room === 0 || !mayHave(subscription, first)) continue
      this.wanted = false
      this.#second(first, subscription, deliver)
      return
    }
    if (!first.subscription.isOnDemand) return
    this.wanted = false
    this.#owed.add(first)
  }

  #second(first: Delivery, subscription: Subscription, deliver: Dispatch['deliver']): Delivery {
    this.#owed.delete(first)
    const second = deliver(first.message, subscription)
    first.message.holder = first
    this.#deliveries.add(second)
    return second
  }

  #releaseAllOf(queue: Queue): void {
    for (const delivery of this.#deliveries) {
      if (delivery.message.queue !== queue) continue
      this.#settle(delivery, 'released')
      this.#dispatch.fill(delivery.subscription)
    }
  }

  /** @returns whether it was one of the second deliveries */
  #settle(delivery: Delivery, how: 'acknowledged' | 'released'): boolean {
    if (!this.#deliveries.delete(delivery)) return false
    this.#dispatch.settle(delivery, how)
    return true
  }
}

function mayHave(subscription: Subscription, first: Delivery): boolean {
  return subscription !== first.subscription && subscription.accepts(first.message)
}

/** As `broker/sessions.ts` has them. */
function sessionTerms(timeout: number): SubscriptionTerms {
  return { kind: 'session', destinations: [], prefetch: 0, selector: undefined, timeout, owner: undefined }
}
