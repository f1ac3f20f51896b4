import type { Broker } from '../../broker/broker.js'
import type { Delivery, Message } from '../../broker/message.js'
import type { Queue } from '../../broker/queue.js'

/**
 * How a delivery ended.
 *
 * @example
 * ```ts
 * DELIVERY_ENDS.includes('lease-expired')    // true
 * ```
 */
export const DELIVERY_ENDS = [
  'acknowledged',
  'lease-expired',
  'lease-deleted',
  'queue-deleted',
  'unsubscribed',
] as const

/**
 * One of {@link DELIVERY_ENDS}.
 *
 * @example
 * ```ts
 * const how: DeliveryEnd = 'acknowledged'
 * ```
 */
export type DeliveryEnd = (typeof DELIVERY_ENDS)[number]

/** Is told what happens to messages, when it has happened. */
export interface MessageObserver {
  /** @param guid with which it was sent */
  sent(message: Message, guid: string | undefined): void
  delivered(delivery: Delivery): void
  settled(delivery: Delivery, how: DeliveryEnd): void
  /** It was handed out for good, to somebody without a lease. */
  taken(message: Message): void
  /** A queue was deleted with what was pending in it. */
  lost(queue: Queue): void
}

/**
 * Watches what a broker does to messages. It stands around the parts of the broker, which know nothing of it; a reset
 * makes new parts, to be watched anew.
 */
export function observeBroker(broker: Broker, observer: MessageObserver): void {
  const { dispatch, subscriptions, sending, queues } = broker.parts
  let guid: string | undefined
  let released: DeliveryEnd = 'unsubscribed'

  const during = <T>(end: DeliveryEnd, act: () => T): T => {
    const before = released
    released = end
    try {
      return act()
    } finally {
      released = before
    }
  }

  const sendOnce = sending.sendOnce.bind(sending)
  sending.sendOnce = (segments, id, content) => {
    guid = id
    try {
      return sendOnce(segments, id, content)
    } finally {
      guid = undefined
    }
  }
  const arrive = dispatch.arrive.bind(dispatch)
  dispatch.arrive = (message) => {
    observer.sent(message, guid)
    arrive(message)
  }
  const deliver = dispatch.deliver.bind(dispatch)
  dispatch.deliver = (message, subscription) => {
    const delivery = deliver(message, subscription)
    observer.delivered(delivery)
    return delivery
  }
  const settle = dispatch.settle.bind(dispatch)
  dispatch.settle = (delivery, how) => {
    settle(delivery, how)
    observer.settled(delivery, how === 'acknowledged' ? how : released)
  }
  const end = subscriptions.end.bind(subscriptions)
  subscriptions.end = (subscription, ending) =>
    during(ending === 'expired' ? 'lease-expired' : 'lease-deleted', () => end(subscription, ending))
  const deleteQueue = queues.delete.bind(queues)
  queues.delete = (queue) => {
    during('queue-deleted', () => deleteQueue(queue))
    observer.lost(queue)
  }
}

/**
 * Watches what is taken without a lease, which no part of a broker but the broker itself knows of.
 *
 * @param observer of now: it may become another with a reset
 */
export function observeTaking(broker: Broker, observer: MessageObserver): void {
  const take = broker.take.bind(broker)
  broker.take = (name) => {
    const message = take(name)
    if (message !== undefined) observer.taken(message)
    return message
  }
}
