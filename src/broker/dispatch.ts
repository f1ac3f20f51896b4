import { BoundedMap } from './collections/bounded-map.js'
import type { MemoryBudget } from './memory-budget.js'
import type { Delivery, Message } from './message.js'
import type { BrokerContext } from './parts.js'
import type { Queue } from './queue.js'
import { OVERHEAD } from './storing.js'
import { type Binding, newBinding, type Subscription } from './subscription.js'

/** How a delivery ended. */
export interface Settlement {
  readonly how: 'acknowledged' | 'released'
  /** Id of the subscription that held the message. */
  readonly subscription: string
}

/** What a message, a binding and a delivery that are only touched take, in microseconds. */
const TOUCH = 0.1

/**
 * Who gets the next message, and what happens to messages when a consumer is gone.
 *
 * A message is bound to a subscription when it arrives, in turn, to the next one that covers its queue, accepts
 * it and has room (`chosen`); so reading a feed hands out nothing and is safe. Nobody is ever searched for: a
 * queue keeps the bindings that may take from it, a subscription those whose queue has something for it, and
 * every binding is in one of the two. Between commands this holds:
 *
 * - a binding among its queue's consumers with room accepts none of the queue's ready messages;
 * - a binding in its subscription's backlog belongs to a subscription without room, or to one that searches.
 *
 * A subscription searches when there is more to ask its selector than one command may: it goes on in slices.
 */
export class Dispatch {
  /** How deliveries ended, by delivery id, so that a repeated acknowledgement is known as one. */
  readonly settled: BoundedMap<Settlement>
  readonly #context: BrokerContext
  readonly #memory: MemoryBudget
  /** Those that have room, and have not yet asked for all that waits for them. */
  readonly #searching = new Set<Subscription>()
  #searchGoesOn = false
  #bindings = 0

  constructor(context: BrokerContext, memory: MemoryBudget) {
    this.#context = context
    this.#memory = memory
    this.settled = new BoundedMap(context.limits.settledLimit, {
      of: () => OVERHEAD.settlement,
      ...memory.share(1 / 16),
    })
  }

  /** How many bindings there are. */
  get bindings(): number {
    return this.#bindings
  }

  /** Whether a subscription still searches for messages. */
  isSearching(subscription: Subscription): boolean {
    return this.#searching.has(subscription)
  }

  /** A message that has just joined its queue: to the next in turn, or among the ready ones. */
  // clause: consume.delivered
  arrive(message: Message): void {
    const { queue } = message
    const { waiters } = this.#context
    if (!this.#offer(message)) {
      queue.makeReady(message)
      waiters.noteFirst(queue.takers, 1)
    }
    waiters.note(queue.waiters)
  }

  /** Hands a subscription what waits for it, as far as it has room: a message from each of its queues in turn. */
  // clause: consume.backlog consume.all prefetch.fills prefetch.refill prefetch.cap.destinations
  fill(subscription: Subscription): void {
    const { backlog } = subscription
    while (subscription.room > 0 && backlog.first !== undefined) {
      const binding = backlog.first
      const message = this.#nextFor(binding)
      if (message === 'unknown yet') {
        this.#search(subscription)
        return
      }
      if (message === undefined) {
        moveTo(binding, binding.queue.consumersWithRoom)
        continue
      }
      binding.scanFrom = message.sequence + 1
      message.queue.unready(message)
      backlog.moveToEnd(binding)
      this.deliver(message, subscription)
    }
  }

  /** Hands a ready message to a consumer that asks for just this one, whatever it covers. */
  give(message: Message, subscription: Subscription): Delivery {
    message.queue.unready(message)
    return this.deliver(message, subscription)
  }

  /**
   * Binds a subscription to a queue; another destination that matches the same queue only counts. What waits there
   * comes when the subscription is filled.
   */
  bind(subscription: Subscription, queue: Queue, destinations: number): void {
    const known = subscription.bindings.get(queue)
    if (known !== undefined) {
      known.destinations += destinations
      return
    }
    const waits = queue.ready.size > 0 || subscription.room === 0
    const list = waits ? subscription.backlog : queue.consumersWithRoom
    const binding = newBinding(queue, subscription, destinations, list)
    list.append(binding)
    subscription.bindings.set(queue, binding)
    queue.bindings.add(binding)
    if (subscription.terms.selector !== undefined) queue.selective++
    this.#bindings++
    this.#memory.take(OVERHEAD.binding)
  }

  /** Ends a binding: nothing more comes of it. What is held from that queue is not touched. */
  unbind(binding: Binding): void {
    binding.list.remove(binding)
    binding.subscription.bindings.delete(binding.queue)
    binding.queue.bindings.delete(binding)
    if (binding.subscription.terms.selector !== undefined) binding.queue.selective--
    this.#bindings--
    this.#memory.free(OVERHEAD.binding)
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
      if (message.queue.deleted) continue
      message.updatedAt = now
      const others = released.get(message.queue)
      if (others === undefined) released.set(message.queue, [message])
      else others.push(message)
    }
    for (const [queue, messages] of released) this.#return(queue, messages, now)
  }

  /** Lets everybody go who takes from a queue that was deleted, and empties it, in slices where it is long. */
  detachQueue(queue: Queue): void {
    const { slices, waiters } = this.#context
    for (const binding of queue.bindings) {
      const { subscription } = binding
      subscription.lostQueues++
      subscription.demand = 0
      waiters.note(subscription.waiters)
      this.unbind(binding)
    }
    waiters.note(queue.waiters)
    waiters.note(queue.takers)
    slices.add(() => {
      const freed = new Set<Subscription>()
      while (queue.held > 0 && !slices.over) {
        const { holder } = queue.removeFirst()
        slices.spend(holder === undefined ? TOUCH : 20 * TOUCH)
        if (holder === undefined) continue
        this.settle(holder, 'released')
        freed.add(holder.subscription)
      }
      for (const subscription of freed) this.fill(subscription)
      if (queue.held > 0) return false
      // An address that was issued for the queue may keep it for long; it must not keep its messages.
      queue.clear()
      return true
    })
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
    this.#memory.take(OVERHEAD.delivery)
    this.#context.waiters.note(subscription.waiters)
    return delivery
  }

  /** The opposite: the delivery is over, and how it ended is remembered. What becomes of the message is said elsewhere. */
  settle(delivery: Delivery, how: Settlement['how']): void {
    const { id, subscription } = delivery
    if (!subscription.held.delete(id)) return
    subscription.unreported.delete(delivery)
    subscription.changed(this.#context.clock.now())
    this.#memory.free(OVERHEAD.delivery)
    this.settled.set(id, { how, subscription: subscription.id })
  }

  /** All messages first, then the offers: otherwise a younger one could be handed out before an older one. */
  // clause: lease.delete.waits lease.delete.again-ackable
  #return(queue: Queue, messages: Message[], now: number): void {
    const { waiters } = this.#context
    messages.sort((a, b) => a.sequence - b.sequence)
    const oldest = messages[0]?.sequence ?? 0
    for (const message of messages) queue.makeReady(message)
    queue.changed(now)
    if (queue.selective > 0) {
      for (const binding of queue.bindings) binding.scanFrom = Math.min(binding.scanFrom, oldest)
    }
    let ready = 0
    for (const message of messages) {
      if (this.#offer(message)) queue.unready(message)
      else ready++
    }
    waiters.noteFirst(queue.takers, ready)
    waiters.note(queue.waiters)
  }

  /** Hands a message to the next consumer in turn. @returns whether somebody took it */
  // clause: consume.exactly-one prefetch.full.others subscribe.selector.rest
  #offer(message: Message): boolean {
    const { consumersWithRoom } = message.queue
    const { slices } = this.#context
    for (const binding of consumersWithRoom) {
      const { subscription } = binding
      if (subscription.room === 0) {
        binding.scanFrom = message.sequence
        moveTo(binding, subscription.backlog)
      } else if (subscription.terms.selector !== undefined && slices.over) {
        // There are more to ask than one command may: each looks for itself.
        binding.scanFrom = message.sequence
        moveTo(binding, subscription.backlog)
        this.#search(subscription)
      } else if (subscription.accepts(message, slices)) {
        consumersWithRoom.moveToEnd(binding)
        this.deliver(message, subscription)
        return true
      }
    }
    return false
  }

  /**
   * The oldest ready message of a binding's queue that its subscription accepts; unknown yet, when there is more to
   * ask than one command may.
   */
  #nextFor(binding: Binding): Message | undefined | 'unknown yet' {
    const { queue, subscription } = binding
    const { slices } = this.#context
    if (subscription.terms.selector === undefined) return queue.ready.first
    for (const message of queue.ready.from(binding.scanFrom)) {
      binding.scanFrom = message.sequence
      if (slices.over) return 'unknown yet'
      if (subscription.accepts(message, slices)) return message
    }
    return undefined
  }

  /** Lets a subscription go on with its search when there is time. */
  #search(subscription: Subscription): void {
    this.#searching.add(subscription)
    if (this.#searchGoesOn) return
    this.#searchGoesOn = true
    const { slices } = this.#context
    slices.add(() => {
      for (const next of this.#searching) {
        if (slices.over) return false
        this.#searching.delete(next)
        slices.spend(TOUCH)
        this.fill(next)
      }
      this.#searchGoesOn = false
      return true
    })
  }
}

function moveTo(binding: Binding, list: Binding['list']): void {
  binding.list.remove(binding)
  binding.list = list
  list.append(binding)
}
