import { DestinationIndex } from './destination-index.js'
import type { Dispatch } from './dispatch.js'
import type { MemoryBudget } from './memory-budget.js'
import { type Destination, formatName } from './names.js'
import type { BrokerContext } from './parts.js'
import type { Queue } from './queue.js'
import type { QueueTree } from './queue-tree.js'
import { Refusal } from './refusals.js'
import { bytesOfDestination, OVERHEAD, ownDestination } from './storing.js'
import type { Binding, Subscription } from './subscription.js'

/** What it takes to bind a subscription to a queue, to end that, and to look at a name, in microseconds. */
const BIND = 1.5
const UNBIND = 0.7
const LOOK = 0.2

/** The way past the queues of one destination, which its subscription is bound to on the way. */
interface Walk {
  /** The youngest queue that was there at its beginning: a younger one is bound as a new queue. */
  readonly youngest: number
  /** How many queues are still to come, as they were counted at its beginning. */
  left: number
  /** The name that it has come to. */
  at: readonly string[] | undefined
}

/** A new queue, and who covered it when it came, once for each destination: those from `next` on are not bound yet. */
interface Newcomer {
  readonly coveredBy: readonly Subscription[]
  next: number
  /** Those behind `next` who are bound nevertheless. */
  readonly bound: Set<Subscription>
}

/**
 * Which subscription covers which queue. A pair is bound by whichever of the two came later, at once or, where there
 * are many, in slices. Until that is done, a subscription may not yet hold all that it will.
 */
export class Coverage {
  readonly #context: BrokerContext
  readonly #memory: MemoryBudget
  readonly #tree: QueueTree
  readonly #dispatch: Dispatch
  readonly #index = new DestinationIndex()
  /** Destinations that are not bound yet to all queues that were there before them. */
  readonly #walks = new Map<Destination, Walk>()
  /** New queues that are not bound yet to all who covered them. */
  readonly #newQueues = new Map<Queue, Newcomer>()
  /** How many bindings all that makes. */
  #awaited = 0

  constructor(context: BrokerContext, memory: MemoryBudget, tree: QueueTree, dispatch: Dispatch) {
    this.#context = context
    this.#memory = memory
    this.#tree = tree
    this.#dispatch = dispatch
  }

  /**
   * All that could refuse destinations, before anything is bound to them.
   *
   * @param bytes what is kept beside them
   * @returns how many queues each covers
   * @throws Refusal `bad-destination`, `too-many-bindings`, `out-of-memory`
   */
  // clause: http.refused-changes-nothing
  check(destinations: readonly Destination[], bytes: number): number[] {
    const { maxSegments, maxWildcardNames } = this.#context.limits
    const looks = { left: maxWildcardNames }
    let bindings = 0
    let all = bytes
    return destinations.map((destination) => {
      if (destination.segments.length > maxSegments) {
        throw new Refusal('bad-destination', `A destination has at most ${maxSegments} segments.`, {
          limit: maxSegments,
        })
      }
      const queues = this.#tree.count(destination, looks)
      if (queues === undefined) {
        throw new Refusal(
          'too-many-bindings',
          `The wildcards would have to be compared with more than ${maxWildcardNames} names; write names before them.`,
          { limit: maxWildcardNames },
        )
      }
      bindings += queues
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

  /** Binds a subscription to every queue that a destination matches, `count` now, and later ones. Again: no change. */
  // clause: subscribe.destinations subscribe.destinations.only subscribe.destinations.name
  add(subscription: Subscription, destination: Destination, count: number): void {
    if (subscription.covers(destination)) return
    this.#completeFor(subscription)
    const own = ownDestination(destination)
    subscription.covered.set(formatName(own.segments), own)
    this.#index.add(own, subscription)
    this.#memory.take(bytesOfDestination(own))
    this.#bindAll(subscription, own, count)
  }

  /** The opposite. At once nothing more is handed out because of it; the bindings go, in slices where they are many. */
  remove(subscription: Subscription, destination: Destination): void {
    const name = formatName(destination.segments)
    const own = subscription.covered.get(name)
    if (own === undefined) return
    this.#completeFor(subscription)
    subscription.covered.delete(name)
    const adding = this.#walks.get(own)
    this.#drop(subscription, own)
    const { slices } = this.#context
    const youngest = this.#tree.lastOrdinal
    let at: readonly string[] | undefined
    subscription.leaving++
    slices.add(() => {
      if (subscription.ended) return true
      at = this.#tree.walk(own, at, (queue) => {
        slices.spend(LOOK)
        if (queue === undefined || queue.ordinal > youngest) return !slices.over
        if (adding !== undefined && isAhead(adding, queue)) return !slices.over
        slices.spend(UNBIND)
        const binding = subscription.bindings.get(queue) as Binding
        if (--binding.destinations === 0) this.#dispatch.unbind(binding)
        return !slices.over
      })
      if (at !== undefined) return false
      subscription.leaving--
      return true
    })
  }

  /** A subscription has ended: it covers nothing more, and is handed nothing; its bindings go, in slices where they are many. */
  leave(subscription: Subscription): void {
    for (const destination of subscription.covered.values()) this.#drop(subscription, destination)
    const { slices } = this.#context
    slices.add(() => {
      for (const binding of subscription.bindings.values()) {
        if (slices.over) return false
        slices.spend(UNBIND)
        this.#dispatch.unbind(binding)
      }
      return true
    })
  }

  /** Binds a new queue, which is empty, to every subscription that has a destination for it. */
  // clause: subscribe.wildcard.later subscribe.destinations.later subscribe.destinations.made-again
  bindQueue(queue: Queue): void {
    const coveredBy = this.#index.matching(queue.segments)
    if (coveredBy.length === 0) return
    const newcomer: Newcomer = { coveredBy, next: 0, bound: new Set() }
    const { slices } = this.#context
    this.#newQueues.set(queue, newcomer)
    this.#awaited += coveredBy.length
    slices.add(() => {
      while (newcomer.next < coveredBy.length && !queue.deleted) {
        if (slices.over) return false
        slices.spend(BIND)
        const subscription = coveredBy[newcomer.next++] as Subscription
        this.#awaited--
        if (subscription.ended || newcomer.bound.has(subscription)) continue
        this.#dispatch.bind(subscription, queue, 1)
        this.#dispatch.fill(subscription)
      }
      this.#newQueues.delete(queue)
      this.#awaited -= coveredBy.length - newcomer.next
      return true
    })
  }

  /** Before a subscription's destinations change it is bound to all new queues that its present ones cover. */
  #completeFor(subscription: Subscription): void {
    for (const [queue, { coveredBy, next, bound }] of this.#newQueues) {
      if (queue.deleted || bound.has(subscription)) continue
      const first = coveredBy.indexOf(subscription, next)
      if (first < 0) continue
      bound.add(subscription)
      this.#dispatch.bind(subscription, queue, coveredBy.lastIndexOf(subscription) - first + 1)
      this.#dispatch.fill(subscription)
    }
  }

  /** Binds a subscription to the queues that a destination matches. */
  #bindAll(subscription: Subscription, destination: Destination, count: number): void {
    const { slices } = this.#context
    const walk: Walk = { youngest: this.#tree.lastOrdinal, left: count, at: undefined }
    this.#walks.set(destination, walk)
    this.#awaited += count
    let goesOn = false
    slices.add(() => {
      if (this.#walks.get(destination) !== walk) return true
      walk.at = this.#tree.walk(destination, walk.at, (queue) => {
        slices.spend(LOOK)
        if (queue === undefined || queue.ordinal > walk.youngest) return !slices.over
        slices.spend(BIND)
        this.#dispatch.bind(subscription, queue, 1)
        walk.left--
        this.#awaited--
        return !slices.over
      })
      // At first it is filled when it is bound by all its destinations: each of its queues has its turn.
      if (goesOn) this.#dispatch.fill(subscription)
      goesOn = true
      if (walk.at !== undefined) return false
      this.#forget(destination)
      return true
    })
  }

  /** A subscription lets go of a destination; its bindings are another matter. */
  #drop(subscription: Subscription, destination: Destination): void {
    this.#index.remove(destination, subscription)
    this.#memory.free(bytesOfDestination(destination))
    this.#forget(destination)
  }

  /** Queues that were deleted on the way were counted, and are not bound. */
  #forget(destination: Destination): void {
    this.#awaited -= this.#walks.get(destination)?.left ?? 0
    this.#walks.delete(destination)
  }

  #checkBindings(bindings: number, bytes: number): void {
    const { maxBindings } = this.#context.limits
    if (bindings > 0 && this.#dispatch.bindings + this.#awaited + bindings > maxBindings) {
      throw new Refusal('too-many-bindings', undefined, { limit: maxBindings })
    }
    this.#memory.check(bytes + bindings * OVERHEAD.binding)
  }
}

/** Whether a walk has not come to a queue yet, and will. */
function isAhead({ youngest, at = [] }: Walk, { ordinal, segments }: Queue): boolean {
  if (ordinal > youngest) return false
  for (const [depth, segment] of segments.entries()) {
    const passed = at[depth]
    if (passed === undefined) return true
    if (segment !== passed) return segment > passed
  }
  return false
}
