import { BoundedMap } from './collections/bounded-map.js'
import type { BrokerContext } from './context.js'
import { MessageCopy } from './copies.js'
import type { Binding, Delivery, Message, Queue, Subscription } from './entities.js'
import type { ReleaseReason } from './events.js'
import type { MemoryBudget } from './memory-budget.js'
import { Refusal } from './refusals.js'
import { OVERHEAD } from './storing.js'
import type { LeaseKind } from './terms.js'

/** How a delivery ended. */
export interface Settlement {
  readonly how: 'acknowledged' | 'released'
  /** Kind and id of the lease that held the message: one that begins anew under its id is the same. */
  readonly kind: LeaseKind
  readonly id: string
}

/**
 * Who gets the next message, and what happens to messages when a consumer is gone.
 *
 * A message is bound to a subscription when it arrives, in turn, to the next one that covers its queue, accepts
 * it and has room (`chosen`); so reading a feed hands out nothing and is safe. Without selectors no command searches.
 * A queue lists the bindings to which it offers what arrives. A subscription lists the bindings whose queue may have a ready message
 * for it. Each binding stands in one of these two lists:
 *
 * |                  | its queue's `inTurn`                       | its subscription's `backlog`          |
 * |------------------|--------------------------------------------|---------------------------------------|
 * | between commands | it accepts no message that is ready there  | the subscription is full, or searches |
 * | is looked at     | when a message comes: `#offer`             | when there is room: `fill`            |
 * | changes lists    | when it is met without room                | when its queue has no more for it     |
 *
 * A subscription searches when its selector has more to look at than one command may: it goes on in commands of its own,
 * and others can have each message meanwhile.
 */
export class Dispatch {
  /** How deliveries ended, by delivery id, so that a repeated acknowledgement is known as one. */
  readonly settled: BoundedMap<Settlement>
  /** The one that was remembered last. Those that follow each other are often alike, and share one object. */
  #settlement: Settlement = { how: 'released', kind: 'subscription', id: '' }
  /** How many bindings there are. */
  bindingCount = 0
  /** How many places to hold a message are taken: the prefetch of each subscription, and what others hold. */
  placesTaken = 0
  /** Copies that go to the next consumers who ask for messages; see {@link MessageCopy}. */
  readonly copies = new Set<MessageCopy>()

  constructor(
    private readonly context: BrokerContext,
    private readonly memory: MemoryBudget,
  ) {
    this.settled = new BoundedMap(context.limits.settledLimit, {
      of: () => OVERHEAD.settlement,
      ...memory.share(1 / 16),
    })
  }

  /** How many further messages all leases together may hold, beside what is {@link placesTaken}. */
  get placesLeft(): number {
    return Math.max(0, this.context.limits.maxHeldInAll - this.placesTaken)
  }

  /** How many further messages a lease that is handed what it asks for may hold; of one that is yet to begin too. */
  placesLeftFor(lease: Subscription | undefined): number {
    return Math.min(this.context.limits.maxHeld - (lease?.held.size ?? 0), this.placesLeft)
  }

  /** How many more messages a subscription may be handed now: none when its lease is over, though it may not have been ended yet. */
  roomOf(subscription: Subscription, now = this.context.clock.now()): number {
    const { room, leaseEndsAt, isOnDemand } = subscription
    if (room <= 0 || now >= leaseEndsAt) return 0
    return isOnDemand ? Math.min(room, this.placesLeftFor(subscription)) : room
  }

  /**
   * Sees that there are places for so many messages more.
   *
   * @throws Refusal `too-many-subscriptions`
   */
  checkPlaces(prefetch: number): void {
    const { maxHeldInAll } = this.context.limits
    if (prefetch <= this.placesLeft) return
    throw new Refusal(
      'too-many-subscriptions',
      `All consumers together may hold ${maxHeldInAll} messages, of which ${this.placesLeft} are left for this one.`,
      { limit: maxHeldInAll },
    )
  }

  /** A message that has just joined its queue: to the next in turn, or among the ready ones. */
  // clause: consume.delivered consume.on-arrival
  arrive(message: Message): void {
    const { queue } = message
    const { commands } = this.context
    if (!this.#offer(message)) {
      queue.makeReady(message)
      commands.noteFirst(queue.takers)
    }
    commands.note(queue.waiters)
  }

  /** Hands a subscription what waits for it, as far as it has room: a message from each of its queues in turn. */
  // clause: consume.backlog consume.all prefetch.fills prefetch.refill prefetch.cap.destinations consume.order
  fill(subscription: Subscription): void {
    const { backlog, terms } = subscription
    if (this.copies.size > 0 && subscription.isOnDemand) this.#giveCopies(subscription)
    const now = this.context.clock.now()
    while (this.roomOf(subscription, now) > 0 && backlog.first !== undefined) {
      const binding = backlog.first
      const { ready, inTurn } = binding.queue
      const message = terms.selector === undefined ? ready.first : ready.at(binding.scanFrom)
      if (message === undefined) {
        moveTo(binding, inTurn)
        continue
      }
      if (terms.selector !== undefined) {
        if (this.context.commands.effort.left <= 0) {
          this.#searchLater(subscription)
          return
        }
        if (!this.#selects(binding, message)) continue
      }
      message.queue.unready(message)
      backlog.moveToEnd(binding)
      this.deliver(message, subscription)
    }
  }

  /** What somebody gets who asks for a message of just this queue. @param lease undefined where there is none yet */
  next(queue: Queue, lease?: Subscription): Message | undefined {
    for (const copy of this.copies) if (copy.queue === queue && copy.mayGoTo(lease)) return copy
    return queue.ready.first
  }

  /** Hands the next message of a queue to somebody without a lease, and so takes it out of it for good. */
  // clause: single-path.another single-path.taken
  take(queue: Queue): Message | undefined {
    const message = this.next(queue)
    if (message === undefined) return undefined
    const time = this.context.clock.now()
    if (message instanceof MessageCopy) this.copies.delete(message)
    queue.drop(message, time)
    this.context.events.log?.push({ kind: 'taken', message, time })
    return message
  }

  /** Hands a message, a ready one or a copy, to a consumer that asks for just this one, whatever it covers. */
  give(message: Message, subscription: Subscription): Delivery {
    if (message instanceof MessageCopy) this.copies.delete(message)
    else message.queue.unready(message)
    return this.deliver(message, subscription)
  }

  /**
   * Binds a subscription to a queue; another destination that matches the same queue only counts. What waits there,
   * and its turn at what arrives, come when the subscription is filled.
   */
  // clause: subscribe.destinations.overlap
  bind(subscription: Subscription, queue: Queue): void {
    const known = subscription.bindings.get(queue)
    if (known !== undefined) {
      known.destinations++
      return
    }
    const binding = newBinding(queue, subscription)
    subscription.backlog.append(binding)
    subscription.bindings.set(queue, binding)
    queue.bindings.add(binding)
    if (subscription.terms.selector !== undefined) queue.selective++
    this.bindingCount++
    this.memory.take(OVERHEAD.binding)
  }

  /** Ends a binding: nothing more comes of it. What is held from that queue is not touched. */
  unbind(binding: Binding): void {
    binding.list.remove(binding)
    binding.subscription.bindings.delete(binding.queue)
    binding.queue.bindings.delete(binding)
    if (binding.subscription.terms.selector !== undefined) binding.queue.selective--
    this.bindingCount--
    this.memory.free(OVERHEAD.binding)
  }

  /** Ends all bindings of a subscription, and its search. */
  unbindAll(subscription: Subscription): void {
    for (const binding of subscription.bindings.values()) this.unbind(binding)
    subscription.cancelSearch?.()
    subscription.cancelSearch = undefined
  }

  /** The message was processed: it is nowhere from now on, and its holder has room for another. */
  // clause: ack.leaves-feed ack.only-that ack.final.same ack.final.other one-at-a-time.ack.final batch.ack.final
  acknowledge(delivery: Delivery): void {
    const { message } = delivery
    const { clock, events } = this.context
    const time = clock.now()
    this.settle(delivery, 'acknowledged')
    message.queue.drop(message, time)
    events.log?.push({ kind: 'acknowledged', delivery, time })
  }

  /**
   * Returns messages that are held to their old places, to be handed out anew. The subscription is either
   * unbound from their queues before, or it may be handed them again.
   */
  // clause: lease.delete.all lease.delete.only lease.expiry.all lease.expiry.only ack.final.deleted
  // clause: ack.final.lease
  release(deliveries: Iterable<Delivery>, reason: ReleaseReason): void {
    const now = this.context.clock.now()
    const released = new Map<Queue, Message[]>()
    for (const delivery of deliveries) {
      const { message } = delivery
      this.#releaseOne(delivery, reason, now)
      message.holder = undefined
      if (message.gone) continue
      message.updatedAt = now
      const others = released.get(message.queue)
      if (others === undefined) released.set(message.queue, [message])
      else others.push(message)
    }
    for (const [queue, messages] of released) this.#return(queue, messages, now)
  }

  /** Lets everybody go who takes from a queue that was deleted, and empties it. */
  // clause: queues.delete.held
  detachQueue(queue: Queue): void {
    const { clock, commands, events } = this.context
    commands.note(queue.waiters)
    commands.note(queue.takers)
    for (const binding of queue.bindings) {
      const { subscription } = binding
      subscription.lostQueues++
      commands.note(subscription.waiters)
      this.unbind(binding)
    }
    const time = clock.now()
    const freed = new Set<Subscription>()
    let { held, pending: discarded } = queue
    for (const { holder } of queue.order) {
      if (held === 0) break
      if (holder === undefined) continue
      this.#releaseOne(holder, 'queue-deleted', time)
      freed.add(holder.subscription)
      held--
    }
    // An address that was issued for the queue may keep it for long; it must not keep its messages.
    queue.clear()
    events.log?.push({ kind: 'queue-deleted', queue, discarded, time })
    for (const subscription of freed) this.fill(subscription)
  }

  /** Delivers a message, which is neither held nor ready, to a subscription. */
  // clause: consume.own-view consume.parallel one-at-a-time.exclusive batch.exclusive single-path.exactly-one
  // clause: ack.fresh consume.deliveries
  deliver(message: Message, subscription: Subscription): Delivery {
    const now = this.context.clock.now()
    const delivery: Delivery = { id: this.context.ids.key(), message, subscription, deliveredAt: now }
    message.holder = delivery
    message.deliveries++
    message.updatedAt = now
    message.queue.changed(now)
    subscription.held.set(delivery.id, delivery)
    subscription.hasNews = true
    subscription.changed(now)
    if (subscription.isOnDemand) this.placesTaken++
    if (subscription.kind === 'consumer') subscription.unreported.add(delivery)
    if (subscription.asked > 0) subscription.asked--
    this.memory.take(OVERHEAD.delivery)
    const { commands, events } = this.context
    events.log?.push({ kind: 'delivered', delivery, time: now })
    commands.note(subscription.waiters)
    return delivery
  }

  /** Ends a delivery, and remembers how, for repeats of its acknowledgement. What becomes of the message is left to the caller. */
  settle(delivery: Delivery, how: Settlement['how']): void {
    const { subscription } = delivery
    const { kind, id } = subscription
    if (!subscription.held.delete(delivery.id)) return
    subscription.unreported.delete(delivery)
    if (subscription.isOnDemand) this.placesTaken--
    subscription.changed(this.context.clock.now())
    this.memory.free(OVERHEAD.delivery)
    const last = this.#settlement
    if (last.how !== how || last.kind !== kind || last.id !== id) this.#settlement = { how, kind, id }
    this.settled.set(delivery.id, this.#settlement)
  }

  #releaseOne(delivery: Delivery, reason: ReleaseReason, time: number): void {
    this.settle(delivery, 'released')
    this.context.events.log?.push({ kind: 'released', delivery, reason, time })
  }

  /** Hands a consumer on demand the copies that it may have, before anything else. */
  #giveCopies(subscription: Subscription): void {
    for (const copy of this.copies) {
      if (this.roomOf(subscription) <= 0) return
      if (subscription.bindings.has(copy.queue) && copy.mayGoTo(subscription)) this.give(copy, subscription)
    }
  }

  /** All messages first, then the offers: otherwise a younger one could be handed out before an older one. */
  // clause: lease.delete.waits lease.delete.again-ackable consume.old-place
  #return(queue: Queue, messages: Message[], now: number): void {
    const { commands } = this.context
    messages.sort((a, b) => a.sequence - b.sequence)
    const oldest = messages[0]?.sequence ?? 0
    for (const message of messages) queue.makeReady(message)
    queue.changed(now)
    if (queue.selective > 0) {
      for (const binding of queue.bindings) binding.scanFrom = Math.min(binding.scanFrom, oldest)
    }
    for (const message of messages) {
      if (this.#offer(message)) queue.unready(message)
      else commands.noteFirst(queue.takers)
    }
    commands.note(queue.waiters)
  }

  /**
   * Hands a message to the next consumer in turn that accepts it. On the way, a binding without room, or whose selector there
   * is no effort left for, goes to its subscription's backlog, to be looked at from this message on.
   *
   * @returns whether there was one
   */
  // clause: consume.in-turn consume.exactly-one prefetch.full.others subscribe.selector.rest
  #offer(message: Message): boolean {
    const { inTurn } = message.queue
    const { clock, commands } = this.context
    const now = clock.now()
    for (const binding of inTurn) {
      const { subscription } = binding
      const { selector } = subscription.terms
      const isFull = this.roomOf(subscription, now) <= 0
      // Its selector has declined this message before.
      if (selector !== undefined && !isFull && binding.scanFrom > message.sequence) continue
      if (isFull || (selector !== undefined && commands.effort.left <= 0)) {
        binding.scanFrom = message.sequence
        moveTo(binding, subscription.backlog)
        if (!isFull) this.#searchLater(subscription)
        continue
      }
      if (selector !== undefined && !this.#selects(binding, message)) continue
      inTurn.moveToEnd(binding)
      this.deliver(message, subscription)
      return true
    }
    return false
  }

  /** Asks the selector of a subscription about a message, and never again about it or an older one. */
  #selects(binding: Binding, message: Message): boolean {
    binding.scanFrom = message.sequence + 1
    return binding.subscription.accepts(message, this.context.commands.effort)
  }

  /** Lets a subscription go on with its search in a command of its own. */
  #searchLater(subscription: Subscription): void {
    const { clock, commands } = this.context
    subscription.cancelSearch ??= clock.at(clock.now(), () => {
      subscription.cancelSearch = undefined
      commands.run(() => this.fill(subscription))
    })
  }
}

/** A binding that is yet to be put into its subscription's backlog. */
function newBinding(queue: Queue, subscription: Subscription): Binding {
  const list = subscription.backlog
  return { queue, subscription, destinations: 1, scanFrom: 0, list, previous: undefined, next: undefined }
}

function moveTo(binding: Binding, list: Binding['list']): void {
  binding.list.remove(binding)
  binding.list = list
  list.append(binding)
}
