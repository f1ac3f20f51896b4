import type { BrokerContext } from './context.js'
import { DestinationIndex } from './destination-index.js'
import type { Dispatch } from './dispatch.js'
import type { Queue, Subscription } from './entities.js'
import type { MemoryBudget } from './memory-budget.js'
import { coversName, type Destination, formatName } from './names.js'
import type { QueueTree } from './queue-tree.js'
import { Refusal } from './refusals.js'
import { bytesOfDestination, OVERHEAD, ownDestination } from './storing.js'

/** Which subscription covers which queue. A pair is bound by whichever of the two came later. */
export class Coverage {
  readonly #index = new DestinationIndex()

  constructor(
    private readonly context: BrokerContext,
    private readonly memory: MemoryBudget,
    private readonly tree: QueueTree,
    private readonly dispatch: Dispatch,
  ) {}

  /**
   * All that could refuse destinations, before anything is bound to them.
   *
   * @param bytes what is kept beside them
   * @returns the queues that each covers
   * @throws Refusal `bad-destination`, `too-many-bindings`, `out-of-memory`
   */
  // clause: http.refused-changes-nothing
  check(destinations: readonly Destination[], bytes: number): Queue[][] {
    const { maxSegments, maxWildcardNames } = this.context.limits
    const looks = { left: maxWildcardNames }
    let bindings = 0
    let all = bytes
    return destinations.map((destination) => {
      if (destination.segments.length > maxSegments) {
        throw new Refusal('bad-destination', `A destination has at most ${maxSegments} segments.`, {
          limit: maxSegments,
        })
      }
      const queues = this.tree.matching(destination, looks)
      if (looks.left < 0) {
        throw new Refusal(
          'too-many-bindings',
          `The wildcards would have to be compared with more than ${maxWildcardNames} names; write names before them.`,
          { limit: maxWildcardNames },
        )
      }
      bindings += queues.length
      all += bytesOfDestination(destination)
      this.#checkBindings(bindings, all)
      return queues
    })
  }

  /**
   * Sees that a new queue may be bound to the subscriptions that have a destination for it.
   *
   * @param bytes what the queue takes itself
   * @throws Refusal `too-many-bindings`, `out-of-memory`
   */
  checkQueue(segments: readonly string[], bytes: number): void {
    this.#checkBindings(this.#index.count(segments), bytes)
  }

  /** Binds a subscription to the queues that a destination covers now, and to later ones. Again: no change. */
  // clause: subscribe.destinations subscribe.destinations.only subscribe.destinations.name
  add(subscription: Subscription, destination: Destination, queues: readonly Queue[]): void {
    if (subscription.covers(destination)) return
    const own = ownDestination(destination)
    subscription.covered.set(formatName(own.segments), own)
    this.#index.add(own, subscription)
    this.memory.take(bytesOfDestination(own))
    for (const queue of queues) this.dispatch.bind(subscription, queue)
  }

  /** Ends what {@link add} began. What the subscription holds is not touched. */
  remove(subscription: Subscription, destination: Destination): void {
    const name = formatName(destination.segments)
    const own = subscription.covered.get(name)
    if (own === undefined) return
    subscription.covered.delete(name)
    this.#drop(subscription, own)
    for (const binding of subscription.bindings.values()) {
      if (coversName(own, binding.queue.segments) && --binding.destinations === 0) {
        this.dispatch.unbind(binding)
      }
    }
  }

  /** A subscription has ended: it covers nothing more. */
  leave(subscription: Subscription): void {
    for (const destination of subscription.covered.values()) this.#drop(subscription, destination)
    this.dispatch.unbindAll(subscription)
  }

  /** Binds a new queue, which is empty, to every subscription that has a destination for it. */
  // clause: subscribe.wildcard.later subscribe.destinations.later subscribe.destinations.made-again
  bindQueue(queue: Queue): void {
    for (const subscription of this.#index.matching(queue.segments)) {
      this.dispatch.bind(subscription, queue)
      this.dispatch.fill(subscription)
    }
  }

  /** A subscription lets go of a destination; its bindings are another matter. */
  #drop(subscription: Subscription, destination: Destination): void {
    this.#index.remove(destination, subscription)
    this.memory.free(bytesOfDestination(destination))
  }

  #checkBindings(bindings: number, bytes: number): void {
    const { maxBindings } = this.context.limits
    if (bindings > 0 && this.dispatch.bindingCount + bindings > maxBindings) {
      throw new Refusal('too-many-bindings', undefined, { limit: maxBindings })
    }
    this.memory.check(bytes + bindings * OVERHEAD.binding)
  }
}
