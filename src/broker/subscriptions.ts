import { BoundedMap } from './collections/bounded-map.js'
import type { BrokerContext } from './context.js'
import type { Coverage } from './coverage.js'
import type { Dispatch } from './dispatch.js'
import { type Queue, Subscription } from './entities.js'
import type { BrokerEvent } from './events.js'
import { checkCount, checkDestinations, checkTimeout } from './limits.js'
import type { MemoryBudget } from './memory-budget.js'
import { type Destination, formatName, parseDestination } from './names.js'
import { Refusal } from './refusals.js'
import { readSelector } from './selecting.js'
import { bytesOfText, OVERHEAD, ownText } from './storing.js'
import type { Ending, LeaseKind, SubscribeRequest, SubscriptionTerms } from './terms.js'

/** What is remembered of one that ended. */
interface Ended {
  readonly ending: Ending
  readonly owner: string | undefined
}

/** The leases that live, and the memory of those that ended. */
export class Subscriptions {
  /** In the order of their creation. */
  readonly #live = new Set<Subscription>()
  /** The same by their ids. */
  readonly #byId: Readonly<Record<LeaseKind, Map<string, Subscription>>> = {
    subscription: new Map(),
    consumer: new Map(),
    session: new Map(),
  }
  /** By kind and id. That of a session is not remembered, since nobody could ask for it. */
  readonly #ended: BoundedMap<Ended>
  #nextOrdinal = 1

  constructor(
    private readonly context: BrokerContext,
    private readonly memory: MemoryBudget,
    private readonly coverage: Coverage,
    private readonly dispatch: Dispatch,
  ) {
    this.#ended = new BoundedMap(context.limits.endedLimit, {
      of: (key) => OVERHEAD.remembered + bytesOfText(key),
      ...memory.share(1 / 32),
    })
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
   * @throws Refusal `bad-destination`, `bad-parameter`, `bad-selector`, `too-many-subscriptions`,
   *   `too-many-bindings`, `out-of-memory`
   */
  // clause: subscribe.own-address subscribe.prefetch.default subscribe.prefetch.range lease.asked
  subscribe(request: SubscribeRequest): Subscription {
    const { limits, ids } = this.context
    const { prefetch = limits.defaultPrefetch, timeout = limits.defaultTimeout } = request
    checkDestinations(request.destinations.length, limits)
    checkCount('prefetch', prefetch, 1, limits.maxPrefetch)
    checkTimeout(timeout, limits)
    const destinations = request.destinations.map(parseDestination)
    const selector = readSelector(request.selector, limits.maxSelector)
    const owner = request.owner && ownText(request.owner)
    return this.create(ids.key(), { kind: 'subscription', destinations, prefetch, selector, timeout, owner })
  }

  /**
   * Begins a lease, and hands it what waits for it.
   *
   * @param id how it is found again; none of this kind that lives may have it
   * @throws Refusal `bad-destination`, `too-many-subscriptions`, `too-many-bindings`, `out-of-memory`
   */
  // clause: lease.from-creation subscribe.several limits.subscriptions
  create(id: string, terms: SubscriptionTerms): Subscription {
    const { maxSubscriptions } = this.context.limits
    if (this.#live.size >= maxSubscriptions) {
      throw new Refusal('too-many-subscriptions', undefined, { limit: maxSubscriptions })
    }
    const subscription = new Subscription(id, this.#nextOrdinal, terms, this.context.clock.now())
    this.dispatch.checkPlaces(subscription.prefetch)
    const queues = this.coverage.check(terms.destinations, subscription.bytes)
    this.#nextOrdinal++
    this.#live.add(subscription)
    this.#byId[terms.kind].set(id, subscription)
    this.memory.take(subscription.bytes)
    this.dispatch.placesTaken += subscription.prefetch
    terms.destinations.forEach((destination, index) => {
      this.coverage.add(subscription, destination, queues[index] as Queue[])
    })
    this.#watch(subscription)
    this.#log?.push({ kind: 'lease-begun', lease: subscription, time: subscription.createdAt })
    this.dispatch.fill(subscription)
    return subscription
  }

  /**
   * Lets a living subscription cover one more destination.
   *
   * @throws Refusal `bad-destination`, `too-many-bindings`, `out-of-memory`
   */
  extend(subscription: Subscription, destination: Destination): void {
    const [queues] = this.coverage.check([destination], 0) as [Queue[]]
    this.coverage.add(subscription, destination, queues)
    this.#tellOf('covered', subscription, destination)
    this.dispatch.fill(subscription)
  }

  /** Takes a destination away. What is held from a queue that no other destination covers goes to others. */
  // clause: one-at-a-time.releases
  uncover(subscription: Subscription, destination: Destination): void {
    if (!subscription.covers(destination)) return
    this.coverage.remove(subscription, destination)
    this.#tellOf('uncovered', subscription, destination)
    const { bindings, deliveries } = subscription
    this.dispatch.release(
      deliveries.filter(({ message }) => !bindings.has(message.queue)),
      'unsubscribed',
    )
  }

  /** The one of this id, if it lives: its lease may have run out without its timer having run yet. */
  // clause: lease.active lease.expiry.not-early
  find(id: string, kind: LeaseKind = 'subscription'): Subscription | undefined {
    const subscription = this.#byId[kind].get(id)
    if (subscription === undefined || subscription.leaseEndsAt > this.context.clock.now()) {
      return subscription
    }
    this.end(subscription, 'expired')
    return undefined
  }

  /**
   * The subscription of this id.
   *
   * @throws Refusal `subscription-ended` while the end is remembered, `unknown-subscription` otherwise
   */
  // clause: subscribe.delete.unreadable lease.expiry.unreadable
  // clause: lease.gone lease.unknown ack.late ack.late.deleted
  get(id: string): Subscription {
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

  /** Who made the one of this id; of a consumer, whose id may be used again, also when it has ended, while that is remembered. */
  ownerOf(kind: LeaseKind, id: string): string | undefined {
    const ended = kind === 'consumer' ? this.#ended.get(keyOf(kind, id)) : undefined
    return (this.find(id, kind) ?? ended)?.owner
  }

  /** How the last one of this id ended, if that is remembered. */
  endingOf(id: string, kind: LeaseKind = 'subscription'): Ending | undefined {
    return this.#ended.get(keyOf(kind, id))?.ending
  }

  /**
   * Its consumer has shown that it is there: the lease begins anew.
   *
   * @param timeout its length from now on, in milliseconds; as before unless given
   */
  // clause: lease.renew.read lease.renew.ack lease.expiry.despite-others
  renew(subscription: Subscription, timeout: number = subscription.timeout): void {
    const endsLater = timeout >= subscription.timeout
    subscription.timeout = timeout
    const time = this.context.clock.now()
    subscription.leaseEndsAt = time + timeout
    this.#log?.push({ kind: 'lease-renewed', lease: subscription, endsAt: subscription.leaseEndsAt, time })
    if (endsLater) return
    // The timer may be set for a time after the new end.
    subscription.cancelTimer()
    this.#watch(subscription)
  }

  /** Ends a lease: what is held goes to others, in its old place. */
  // clause: lease.reassign lease.delete.hands-over lease.expiry.hands-over subscribe.delete.others
  // clause: lease.pending-however-often lease.redelivered-often lease.redelivered-as-one lease.ended-gives-nothing-more
  // clause: lease.forgotten batch.lease one-at-a-time.lease
  end(subscription: Subscription, ending: Ending): void {
    // A timer that was cancelled may still run, if the clock is not the broker's own.
    if (!this.#live.delete(subscription)) return
    const { id, kind, owner } = subscription
    subscription.cancelTimer()
    subscription.ended = true
    this.#byId[kind].delete(id)
    if (kind !== 'session') this.#ended.set(keyOf(kind, id), { ending, owner })
    this.memory.free(subscription.bytes)
    this.#log?.push({
      kind: 'lease-ended',
      lease: subscription,
      reason: ending,
      time: this.context.clock.now(),
    })
    this.dispatch.placesTaken -= subscription.prefetch
    this.coverage.leave(subscription)
    this.dispatch.release(subscription.deliveries, `lease-${ending}`)
    this.context.commands.note(subscription.waiters)
  }

  /** Ends leases at one time: what one of them held goes to none of the others. */
  endAll(subscriptions: readonly Subscription[], ending: Ending): void {
    for (const subscription of subscriptions) subscription.ended = true
    for (const subscription of subscriptions) this.end(subscription, ending)
  }

  /** Cancels every timer and wakes everybody; the leases stand still. */
  close(): void {
    for (const subscription of this.#live) {
      subscription.cancelTimer()
      subscription.cancelSearch?.()
      this.context.commands.note(subscription.waiters)
    }
  }

  get #log(): BrokerEvent[] | undefined {
    return this.context.events.log
  }

  #tellOf(kind: 'covered' | 'uncovered', lease: Subscription, { segments }: Destination): void {
    this.#log?.push({ kind, lease, destination: formatName(segments), time: this.context.clock.now() })
  }

  /** A renewal only moves `leaseEndsAt`; the timer finds out when it runs, and is set again for the rest. */
  // clause: lease.expires lease.expiry.ends lease.expiry.no-request lease.expiry.in-silence
  #watch(subscription: Subscription): void {
    subscription.cancelTimer = this.context.clock.at(subscription.leaseEndsAt, () => {
      if (subscription.leaseEndsAt > this.context.clock.now()) this.#watch(subscription)
      else this.context.commands.run(() => this.end(subscription, 'expired'))
    })
  }
}

/** Consumers choose their ids, so leases of two kinds may have the same. */
function keyOf(kind: LeaseKind, id: string): string {
  return `${kind} ${id}`
}
