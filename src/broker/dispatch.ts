import { BoundedMap } from './collections/bounded-map.js'
import { SequenceList } from './collections/sequence-list.js'
import type { MemoryBudget } from './memory-budget.js'
import type { Delivery, Message } from './message.js'
import type { BrokerContext } from './parts.js'
import type { Queue } from './queue.js'
import { OVERHEAD } from './storing.js'
import { type Binding, hasLeft, moveTo, newBinding, type Subscription } from './subscription.js'

/** How a delivery ended. */
export interface Settlement {
  readonly how: 'acknowledged' | 'released'
  /** Id of the subscription that held the message. */
  readonly subscription: string
}

/** What a message, a binding and a delivery that are only touched take, in microseconds. */
const TOUCH = 0.1

/** What somebody takes who is called: the answer is written at once. In microseconds. */
const ANSWER = 100

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
 * A subscription searches when there is more to ask its selector than one command may: it goes on in slices. So does
 * the offer of a message when there are more consumers to ask than one command may; until all were asked, the message is
 * ready, and whoever asks for it by itself may have it. The messages behind it wait for their turn.
 */
export class Dispatch {
  /** How deliveries ended, by delivery id, so that a repeated acknowledgement is known as one. */
  readonly settled: BoundedMap<Settlement>
  /** The one that was remembered last: many in a row are alike, and are one. */
  #settlement: Settlement = { how: 'released', subscription: '' }
  readonly #context: BrokerContext
  readonly #memory: MemoryBudget
  /** Those that have room, and have not yet asked for all that waits for them. */
  readonly #searching = new Set<Subscription>()
  #searchGoesOn = false
  /** Ready messages that not all were asked about who may take from their queue. */
  readonly #offered = new Map<Queue, SequenceList<Message>>()
  #offersGoOn = false
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

  /** Whether consumers of a queue are still to be asked about messages of it. */
  isOffering(queue: Queue): boolean {
    return this.#offered.has(queue)
  }

  /** Whether a subscription still searches for messages. */
  isSearching(subscription: Subscription): boolean {
    return this.#searching.has(subscription)
  }

  /** A message that has just joined its queue: to the next in turn, or among the ready ones. */
  // clause: consume.delivered
  // clause: consume.on-arrival
  arrive(message: Message): void {
    const { queue } = message
    const { waiters } = this.#context
    if (!this.#handOut(message)) {
      if (!message.ready) queue.makeReady(message)
      waiters.noteFirst(queue.takers)
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
   * Binds a subscription to a queue; another destination that matches the same queue only counts. What waits there,
   * and its turn at what arrives, come when the subscription is filled.
   */
  // clause: subscribe.destinations.overlap
  bind(subscription: Subscription, queue: Queue, destinations: number): void {
    const known = subscription.bindings.get(queue)
    if (known !== undefined) {
      known.destinations += destinations
      // It may have passed messages over while no destination covered the queue.
      if (subscription.leaving > 0) {
        known.scanFrom = 0
        moveTo(known, subscription.backlog)
      }
      return
    }
    const binding = newBinding(queue, subscription, destinations)
    subscription.backlog.append(binding)
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
  // clause: queues.delete.held
  detachQueue(queue: Queue): void {
    const { slices, waiters } = this.#context
    waiters.note(queue.waiters)
    waiters.note(queue.takers)
    slices.add(() => {
      for (const binding of queue.bindings) {
        if (slices.over) return false
        slices.spend(20 * TOUCH)
        const { subscription } = binding
        subscription.lostQueues++
        subscription.demand = 0
        waiters.note(subscription.waiters)
        this.unbind(binding)
      }
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
  // clause: ack.fresh consume.deliveries
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
    if (this.#settlement.how !== how || this.#settlement.subscription !== subscription.id) {
      this.#settlement = { how, subscription: subscription.id }
    }
    this.settled.set(id, this.#settlement)
  }

  /** All messages first, then the offers: otherwise a younger one could be handed out before an older one. */
  // clause: lease.delete.waits lease.delete.again-ackable
  // clause: consume.old-place
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
      if (this.#handOut(message)) queue.unready(message)
      else ready++
    }
    this.#wakeTakers(queue, ready)
    waiters.note(queue.waiters)
  }

  /** Calls somebody for each of so many messages who waits to take one, in slices where they are many. */
  #wakeTakers({ takers }: Queue, messages: number): void {
    const { slices, waiters } = this.#context
    let left = messages
    slices.add(() => {
      for (; left > 0 && takers.size > 0; left--) {
        if (slices.over) return false
        slices.spend(ANSWER)
        waiters.noteFirst(takers)
      }
      return true
    })
  }

  /** Hands a message to the next consumer in turn, or lets that go on in slices. @returns whether somebody took it */
  // clause: consume.in-turn
  #handOut(message: Message): boolean {
    const { queue } = message
    if (!this.#offered.has(queue)) {
      const outcome = this.#offer(message)
      if (outcome !== 'unknown yet') return outcome === 'taken'
      this.#offered.set(queue, new SequenceList())
    }
    if (!message.ready) queue.makeReady(message)
    const offered = this.#offered.get(queue) as SequenceList<Message>
    // One that was released while it was still offered stands there already.
    offered.delete(message)
    offered.add(message)
    this.#goOnOffering()
    return false
  }

  /** Asks one consumer after the other; none twice about one message. */
  // clause: consume.exactly-one prefetch.full.others subscribe.selector.rest
  #offer(message: Message): 'taken' | 'declined' | 'unknown yet' {
    const { consumersWithRoom } = message.queue
    const { slices } = this.#context
    for (const binding of consumersWithRoom) {
      const { subscription } = binding
      if (subscription.room === 0) {
        if (slices.over) return 'unknown yet'
        slices.spend(TOUCH)
        binding.scanFrom = message.sequence
        moveTo(binding, subscription.backlog)
        continue
      }
      if (hasLeft(binding)) continue
      if (subscription.terms.selector !== undefined) {
        if (binding.scanFrom > message.sequence) continue
        if (slices.over) return 'unknown yet'
        if (!subscription.accepts(message, slices)) {
          binding.scanFrom = message.sequence + 1
          continue
        }
      }
      consumersWithRoom.moveToEnd(binding)
      this.deliver(message, subscription)
      return 'taken'
    }
    return 'declined'
  }

  /** Lets what is offered go on when there is time: of each queue the oldest first. */
  #goOnOffering(): void {
    if (this.#offersGoOn) return
    this.#offersGoOn = true
    const { slices } = this.#context
    slices.add(() => {
      for (const [queue, offered] of this.#offered) {
        for (let message = offered.first; message !== undefined; message = offered.first) {
          if (slices.over) return false
          slices.spend(TOUCH)
          // Who asked for it by itself has it, or it went with its queue.
          if (message.ready && !queue.deleted) {
            const outcome = this.#offer(message)
            if (outcome === 'unknown yet') return false
            if (outcome === 'taken') queue.unready(message)
          }
          offered.delete(message)
        }
        this.#offered.delete(queue)
      }
      this.#offersGoOn = false
      return true
    })
  }

  /**
   * The oldest ready message of a binding's queue that its subscription accepts; unknown yet, when there is more to
   * ask than one command may.
   */
  // clause: consume.order
  #nextFor(binding: Binding): Message | undefined | 'unknown yet' {
    const { queue, subscription } = binding
    const { slices } = this.#context
    if (queue.deleted || hasLeft(binding)) return undefined
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
