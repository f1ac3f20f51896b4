import type { Broker } from '../../broker/broker.js'
import { MessageCopy } from '../../broker/copies.js'
import type { Delivery, Message, Queue } from '../../broker/entities.js'
import type { BrokerEvent } from '../../broker/events.js'

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
  const duplicates = DUPLICATES.get(broker) ?? new Duplicates(broker)
  duplicates.wanted = true
  try {
    const result = act()
    return { result, happened: !duplicates.wanted }
  } finally {
    duplicates.wanted = false
  }
}

/** Whether it is the second delivery of a message, which the message does not know of. */
export function isDuplicate({ message }: Pick<Delivery, 'message'>): boolean {
  return message instanceof MessageCopy
}

/** The part of a broker's memory that copies of what is gone may take beside it. */
const COPIES = 8

const DUPLICATES = new WeakMap<Broker, Duplicates>()

/** The second deliveries of one broker: what happens there says when to make one, and when it is over. */
class Duplicates {
  /** Those that consumers hold. */
  readonly #held = new Set<Delivery>()
  /** Whether the next message that is handed out is to be handed out twice. */
  wanted = false

  constructor(private readonly broker: Broker) {
    DUPLICATES.set(broker, this)
    broker.on((event) => this.#see(event))
  }

  #see(event: BrokerEvent): void {
    const { copies } = this.broker.parts.dispatch
    switch (event.kind) {
      case 'delivered': {
        const { message } = event.delivery
        if (message instanceof MessageCopy) {
          this.#held.add(event.delivery)
          message.original.deliveries = message.deliveries
        } else if (this.wanted) this.#deliverAgain(event.delivery)
        return
      }
      case 'taken':
        if (!this.wanted || event.message instanceof MessageCopy || this.#isFull(event.message)) return
        this.wanted = false
        copies.add(new MessageCopy(event.message))
        return
      case 'acknowledged':
      case 'released':
        this.#held.delete(event.delivery)
        for (const copy of copies) if (copy.original === event.delivery.message) copies.delete(copy)
        return
      case 'queue-deleted':
        this.#leave(event.queue)
        return
      case 'reset':
        this.#held.clear()
    }
  }

  /** Whether a message that is gone may not be kept as well: nobody may ask for its copy, and no queue counts it. */
  #isFull({ bytes }: Message): boolean {
    const { context, dispatch } = this.broker.parts
    let kept = bytes
    for (const { original } of dispatch.copies) if (original.gone) kept += original.bytes
    return kept > context.limits.maxMemory / COPIES
  }

  #deliverAgain(first: Delivery): void {
    const { context, dispatch } = this.broker.parts
    const { message } = first
    if (message.holder !== first) return
    const copy = new MessageCopy(message, first)
    const now = context.clock.now()
    for (const { subscription } of message.queue.bindings) {
      if (dispatch.roomOf(subscription, now) <= 0 || !copy.mayGoTo(subscription)) continue
      this.wanted = false
      context.commands.run(() => dispatch.deliver(copy, subscription))
      return
    }
    if (!first.subscription.isOnDemand) return
    this.wanted = false
    dispatch.copies.add(copy)
  }

  /** No copy stays when its queue is deleted. */
  #leave(queue: Queue): void {
    const { context, dispatch } = this.broker.parts
    for (const copy of dispatch.copies) if (copy.queue === queue) dispatch.copies.delete(copy)
    const lost = [...this.#held].filter(({ message }) => message.queue === queue)
    context.commands.run(() => {
      dispatch.release(lost, 'queue-deleted')
      for (const { subscription } of lost) dispatch.fill(subscription)
    })
  }
}
