import { BoundedMap } from './collections/bounded-map.js'
import type { Delivery, Message } from './message.js'
import type { BrokerContext } from './parts.js'
import type { Queue } from './queue.js'
import type { Binding, Subscription } from './subscription.js'

/** How a delivery ended. */
export interface Settlement {
  readonly how: 'acknowledged' | 'released'
  /** Id of the subscription that held the message. */
  readonly subscription: string
}

/**
 * Who gets the next message, and what happens to messages when a consumer is gone.
 *
 * A message is bound to a subscription when it arrives, in turn, to the next one that covers its queue, accepts
 * it and has room (`chosen`); so reading a feed hands out nothing and is safe. Nobody is ever searched for: a
 * queue keeps the bindings that may take from it, a subscription those whose queue has something for it, and
 * every binding is in one of the two. Between commands this holds:
 *
 * - a binding among its queue's consumers with room accepts none of the queue's ready messages;
 * - a binding in its subscription's backlog belongs to a subscription without room.
 */
export class Dispatch {
  /** How deliveries ended, by delivery id, so that a repeated acknowledgement is known as one. */
  readonly settled: BoundedMap<string, Settlement>
  readonly #context: BrokerContext

  constructor(context: BrokerContext) {
    this.#context = context
    this.settled = new BoundedMap(context.limits.settledLimit)
  }

  /** A message that has just joined its queue: to the next in turn, or among the ready ones. */
  // clause: consume.delivered
  arrive(message: Message): void {
    if (!this.#offer(message)) message.queue.makeReady(message)
    this.#context.waiters.note(message.queue.waiters)
  }

  /** Hands a subscription what waits for it, as far as it has room: a message from each of its queues in turn. */
  // clause: consume.backlog consume.all prefetch.fills prefetch.refill prefetch.cap.destinations
  fill(subscription: Subscription): void {
    const { backlog } = subscription
    while (subscription.room > 0 && backlog.first !== undefined) {
      const binding = backlog.first.value
      const message = nextFor(binding)
      if (message === undefined) {
        moveTo(binding, binding.queue.consumersWithRoom)
        continue
      }
      binding.scanFrom = message.sequence + 1
      message.queue.unready(message)
      backlog.moveToEnd(binding.place)
      this.deliver(message, subscription)
    }
  }

  /** Hands a ready message to a consumer that asks for just this one, whatever it covers. */
  give(message: Message, subscription: Subscription): Delivery {
    message.queue.unready(message)
    return this.deliver(message, subscription)
  }

  /** Binds a subscription to a queue; another destination that matches the same queue only counts. */
  bind(subscription: Subscription, queue: Queue, destinations: number): void {
    const known = subscription.bindings.get(queue)
    if (known !== undefined) {
      known.destinations += destinations
      return
    }
    const list = subscription.backlog
    const binding = { queue, subscription, destinations, scanFrom: 0, list } as Omit<
      Binding,
      'place'
    > as Binding
    binding.place = list.append(binding)
    subscription.bindings.set(queue, binding)
    queue.bindings.add(binding)
    if (subscription.terms.selector !== undefined) queue.selective.add(binding)
  }

  /** Ends a binding: nothing more comes of it. What is held from that queue is not touched. */
  unbind(binding: Binding): void {
    binding.list.remove(binding.place)
    binding.subscription.bindings.delete(binding.queue)
    binding.queue.bindings.delete(binding)
    binding.queue.selective.delete(binding)
  }

  /** The message was processed: it is nowhere from now on, and its holder has room for another. */
  // clause: ack.leaves-feed ack.only-that ack.final.same ack.final.other one-at-a-time.ack.final
  // clause: batch.ack.final
  acknowledge(delivery: Delivery): void {
    const { message } = delivery
    const now = this.#context.clock.now()
    this.settle(delivery, 'acknowledged')
    message.queue.drop(message, now)
  }

  /**
   * Returns messages that are held to their old places, to be handed out anew. The subscription is either
   * unbound from their queues before, or it may be handed them again.
   */
  // clause: lease.delete.all lease.delete.only lease.expiry.all lease.expiry.only ack.final.deleted
  // clause: ack.final.lease
  release(deliveries: Iterable<Delivery>): void {
    const now = this.#context.clock.now()
    const released = new Map<Queue, Message[]>()
    for (const delivery of deliveries) {
      const { message } = delivery
      this.settle(delivery, 'released')
      message.holder = undefined
      message.updatedAt = now
      const others = released.get(message.queue)
      if (others === undefined) released.set(message.queue, [message])
      else others.push(message)
    }
    for (const [queue, messages] of released) this.#return(queue, messages, now)
  }

  /** Lets everybody go who takes from a queue that is being deleted, and empties it. */
  detachQueue(queue: Queue): void {
    const freed = new Set<Subscription>()
    for (const { holder } of queue.order.from(0)) {
      if (holder === undefined) continue
      this.settle(holder, 'released')
      freed.add(holder.subscription)
    }
    // An address that was issued for the queue may keep it for long; it must not keep its messages.
    queue.clear()
    for (const binding of queue.bindings) {
      const { subscription } = binding
      subscription.lostQueues++
      subscription.demand = 0
      this.#context.waiters.note(subscription.waiters)
      this.unbind(binding)
    }
    this.#context.waiters.note(queue.waiters)
    for (const subscription of freed) this.fill(subscription)
  }

  /** All messages first, then the offers: otherwise a younger one could be handed out before an older one. */
  // clause: lease.delete.waits lease.delete.again-ackable
  #return(queue: Queue, messages: Message[], now: number): void {
    messages.sort((a, b) => a.sequence - b.sequence)
    const oldest = messages[0]?.sequence ?? 0
    for (const message of messages) queue.makeReady(message)
    queue.changed(now)
    for (const binding of queue.selective) binding.scanFrom = Math.min(binding.scanFrom, oldest)
    for (const message of messages) if (this.#offer(message)) queue.unready(message)
    this.#context.waiters.note(queue.waiters)
  }

  /** Hands a message to the next consumer in turn. @returns whether somebody took it */
  // clause: consume.exactly-one prefetch.full.others subscribe.selector.rest
  #offer(message: Message): boolean {
    const { consumersWithRoom } = message.queue
    for (const binding of consumersWithRoom) {
      const { subscription } = binding
      if (subscription.room === 0) {
        binding.scanFrom = message.sequence
        moveTo(binding, subscription.backlog)
      } else if (subscription.accepts(message)) {
        consumersWithRoom.moveToEnd(binding.place)
        this.deliver(message, subscription)
        return true
      }
    }
    return false
  }

  /** Delivers a message, which is neither held nor ready, to a subscription. */
  // clause: consume.own-view consume.parallel one-at-a-time.exclusive batch.exclusive single-path.exactly-one
  deliver(message: Message, subscription: Subscription): Delivery {
    const now = this.#context.clock.now()
    const delivery: Delivery = { id: this.#context.ids.key(), message, subscription, deliveredAt: now }
    message.holder = delivery
    message.deliveries++
    message.updatedAt = now
    message.queue.changed(now)
    subscription.held.set(delivery.id, delivery)
    subscription.changed(now)
    if (subscription.demand > 0) {
      subscription.demand--
      subscription.unreported.add(delivery)
    }
    this.#context.waiters.note(subscription.waiters)
    return delivery
  }

  /** The opposite: the delivery is over, and how it ended is remembered. What becomes of the message is said elsewhere. */
  settle(delivery: Delivery, how: Settlement['how']): void {
    const { id, subscription } = delivery
    subscription.held.delete(id)
    subscription.unreported.delete(delivery)
    subscription.changed(this.#context.clock.now())
    this.settled.set(id, { how, subscription: subscription.id })
  }
}

/** The oldest ready message of a binding's queue that its subscription accepts. */
function nextFor(binding: Binding): Message | undefined {
  const { queue, subscription } = binding
  if (subscription.terms.selector === undefined) return queue.ready.first?.value
  let place = queue.order.readyFrom(binding.scanFrom)?.ready
  while (place !== undefined && !subscription.accepts(place.value)) place = place.next
  return place?.value
}

function moveTo(binding: Binding, list: Binding['list']): void {
  binding.list.remove(binding.place)
  binding.list = list
  binding.place = list.append(binding)
}
