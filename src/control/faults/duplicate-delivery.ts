import type { Broker } from '../../broker/broker.js'
import type { Dispatch } from '../../broker/dispatch.js'
import type { Delivery, Message } from '../../broker/message.js'
import type { Queue } from '../../broker/queue.js'

/**
 * A fault for those who test consumers: lets the first message that is delivered in the course of `act` go to a
 * second subscription too, where one accepts it and has room, as if it had been redelivered without the first one's
 * knowing. The second delivery can be acknowledged, or lost, without any effect on the message.
 */
export function deliveringTwice<T>(
  { parts: { dispatch } }: Broker,
  act: () => T,
): { readonly result: T; readonly happened: boolean } {
  const duplicates = Duplicates.of(dispatch)
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

/** The second deliveries of one broker. They stand around its dispatch, which knows nothing of them. */
class Duplicates {
  static readonly #known = new WeakMap<Dispatch, Duplicates>()
  readonly #dispatch: Dispatch
  readonly #deliveries = new Set<Delivery>()
  /** Whether the next message that is delivered is to be delivered twice. */
  wanted = false

  static of(dispatch: Dispatch): Duplicates {
    let known = Duplicates.#known.get(dispatch)
    if (known === undefined) {
      known = new Duplicates(dispatch)
      Duplicates.#known.set(dispatch, known)
    }
    return known
  }

  private constructor(dispatch: Dispatch) {
    this.#dispatch = dispatch
    const deliver = dispatch.deliver.bind(dispatch)
    const acknowledge = dispatch.acknowledge.bind(dispatch)
    const release = dispatch.release.bind(dispatch)
    const detachQueue = dispatch.detachQueue.bind(dispatch)
    dispatch.deliver = (message, subscription) => {
      const first = deliver(message, subscription)
      if (this.wanted) this.#deliverAgain(message, first, deliver)
      return first
    }
    dispatch.acknowledge = (delivery) => {
      if (!this.#settle(delivery, 'acknowledged')) acknowledge(delivery)
    }
    dispatch.release = (deliveries) => {
      release([...deliveries].filter((delivery) => !this.#settle(delivery, 'released')))
    }
    dispatch.detachQueue = (queue) => {
      detachQueue(queue)
      this.#releaseAllOf(queue)
    }
  }

  #deliverAgain(message: Message, first: Delivery, deliver: Dispatch['deliver']): void {
    for (const { subscription } of message.queue.bindings) {
      if (subscription === first.subscription || subscription.room === 0 || !subscription.accepts(message))
        continue
      this.wanted = false
      this.#deliveries.add(deliver(message, subscription))
      message.holder = first
      return
    }
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
