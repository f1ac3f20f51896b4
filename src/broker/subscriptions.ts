import { BoundedMap } from './collections/bounded-map.js'
import { DestinationIndex } from './destination-index.js'
import type { Dispatch } from './dispatch.js'
import { checkCount, checkTimeout } from './limits.js'
import { type Destination, formatName, parseDestination } from './names.js'
import type { BrokerContext } from './parts.js'
import type { Queue } from './queue.js'
import type { QueueTree } from './queue-tree.js'
import { Refusal } from './refusals.js'
import {
  type Binding,
  readSelector,
  type SubscribeRequest,
  Subscription,
  type SubscriptionTerms,
} from './subscription.js'

/** How a subscription ended. */
export type Ending = 'deleted' | 'expired'

/** The leases that live, and the memory of those that ended. */
export class Subscriptions {
  readonly #context: BrokerContext
  readonly #tree: QueueTree
  readonly #dispatch: Dispatch
  readonly #live = new Map<string, Subscription>()
  readonly #ended: BoundedMap<string, Ending>
  readonly #index = new DestinationIndex()
  #nextOrdinal = 1

  constructor(context: BrokerContext, tree: QueueTree, dispatch: Dispatch) {
    this.#context = context
    this.#tree = tree
    this.#dispatch = dispatch
    this.#ended = new BoundedMap(context.limits.endedLimit)
  }

  /** How many live. */
  get size(): number {
    return this.#live.size
  }

  /** Those that live, in the order of their creation. */
  [Symbol.iterator](): Iterator<Subscription> {
    return this.#live.values()
  }

  /**
   * Reads what a client asks for, and begins its lease.
   *
   * @throws Refusal `bad-destination`, `bad-parameter`, `bad-selector`, `too-many-subscriptions`
   */
  // clause: subscribe.own-address
  subscribe(request: SubscribeRequest): Subscription {
    const { limits, ids } = this.#context
    const { prefetch = limits.defaultPrefetch, timeout = limits.defaultTimeout } = request
    checkCount('The number of destinations', request.destinations.length, 1, limits.maxDestinations)
    checkCount('prefetch', prefetch, 1, limits.maxPrefetch)
    checkTimeout(timeout, limits)
    const destinations = request.destinations.map(parseDestination)
    const selector = readSelector(request.selector)
    return this.create(ids.key(), { destinations, prefetch, selector, timeout, owner: request.owner })
  }

  /**
   * Begins a lease, and hands it what waits for it.
   *
   * @param id how it is found again; must not live yet
   * @throws Refusal `too-many-subscriptions`
   */
  // clause: lease.from-creation subscribe.several
  create(id: string, terms: SubscriptionTerms): Subscription {
    if (this.#live.size >= this.#context.limits.maxSubscriptions) throw new Refusal('too-many-subscriptions')
    const subscription = new Subscription(id, this.#nextOrdinal++, terms, this.#context.clock.now())
    this.#live.set(id, subscription)
    for (const destination of terms.destinations) this.cover(subscription, destination)
    this.#watch(subscription)
    this.#dispatch.fill(subscription)
    return subscription
  }

  /** Binds a subscription to every queue that a destination matches, now and later. Again: no change. */
  // clause: subscribe.destinations subscribe.destinations.only
  cover(subscription: Subscription, destination: Destination): void {
    if (subscription.covers(destination)) return
    subscription.covered.set(formatName(destination.segments), destination)
    this.#index.add(destination, subscription)
    for (const queue of this.#tree.matching(destination)) this.#dispatch.bind(subscription, queue, 1)
  }

  /** The opposite. What is held from a queue that no other destination covers goes to others. */
  uncover(subscription: Subscription, destination: Destination): void {
    if (!subscription.covered.delete(formatName(destination.segments))) return
    this.#index.remove(destination, subscription)
    for (const queue of this.#tree.matching(destination)) {
      const binding = subscription.bindings.get(queue) as Binding
      if (--binding.destinations === 0) this.#dispatch.unbind(binding)
    }
    const { bindings, held } = subscription
    this.#dispatch.release([...held.values()].filter(({ message }) => !bindings.has(message.queue)))
  }

  /** Binds a new queue to every subscription that has a destination for it. */
  // clause: subscribe.wildcard.later
  bindQueue(queue: Queue): void {
    for (const [subscription, destinations] of this.#index.matching(queue.segments)) {
      this.#dispatch.bind(subscription, queue, destinations)
      this.#dispatch.fill(subscription)
    }
  }

  /** The one of this id, if it lives: its lease may have run out without its timer having run yet. */
  // clause: lease.active lease.expiry.not-early
  find(id: string): Subscription | undefined {
    const subscription = this.#live.get(id)
    if (subscription === undefined || subscription.leaseEndsAt > this.#context.clock.now())
      return subscription
    this.end(subscription, 'expired')
    return undefined
  }

  /**
   * The one of this id.
   *
   * @throws Refusal `subscription-ended` while the end is remembered, `unknown-subscription` otherwise
   */
  // clause: subscribe.delete.unreadable lease.expiry.unreadable
  get(id: string): Subscription {
    // Consumers and sessions are leases too, under names of their own, and are not reached by this one.
    if (id.includes(':')) throw new Refusal('unknown-subscription')
    const subscription = this.find(id)
    if (subscription !== undefined) return subscription
    const ending = this.endingOf(id)
    if (ending === 'deleted') throw new Refusal('subscription-ended', 'The subscription was deleted.')
    if (ending === 'expired') {
      throw new Refusal(
        'subscription-ended',
        'The lease of the subscription ran out; its messages went to others.',
      )
    }
    throw new Refusal('unknown-subscription')
  }

  /** How the last one of this id ended, if that is remembered. */
  endingOf(id: string): Ending | undefined {
    return this.#ended.get(id)
  }

  /**
   * Its consumer has shown that it is there: the lease begins anew.
   *
   * @param timeout its length from now on, in milliseconds; as before unless given
   */
  renew(subscription: Subscription, timeout: number = subscription.timeout): void {
    const endsLater = timeout >= subscription.timeout
    subscription.timeout = timeout
    subscription.leaseEndsAt = this.#context.clock.now() + timeout
    if (endsLater) return
    // The timer may be set for a time after the new end.
    subscription.cancelTimer()
    this.#watch(subscription)
  }

  /** Ends a lease: what is held goes to others, in its old place. */
  // clause: lease.reassign lease.delete.hands-over lease.expiry.hands-over subscribe.delete.others
  // clause: lease.redelivered-often
  end(subscription: Subscription, ending: Ending = 'deleted'): void {
    subscription.cancelTimer()
    this.#live.delete(subscription.id)
    if (!subscription.terms.forgettable) this.#ended.set(subscription.id, ending)
    for (const destination of subscription.covered.values()) this.#index.remove(destination, subscription)
    for (const binding of subscription.bindings.values()) this.#dispatch.unbind(binding)
    this.#dispatch.release([...subscription.held.values()])
    this.#context.waiters.note(subscription.waiters)
  }

  /** Cancels every timer and wakes everybody; the leases stand still. */
  close(): void {
    for (const subscription of this.#live.values()) {
      subscription.cancelTimer()
      subscription.demand = 0
      this.#context.waiters.note(subscription.waiters)
    }
  }

  /** A renewal only moves `leaseEndsAt`; the timer finds out when it runs, and is set again for the rest. */
  // clause: lease.expires lease.expiry.ends lease.expiry.no-request
  #watch(subscription: Subscription): void {
    subscription.cancelTimer = this.#context.clock.at(subscription.leaseEndsAt, () => {
      if (subscription.leaseEndsAt > this.#context.clock.now()) this.#watch(subscription)
      else this.#context.waiters.runThenWake(() => this.end(subscription, 'expired'))
    })
  }
}
