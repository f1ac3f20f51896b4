import type { Clock } from '../clock/clock.js'
import { SystemClock } from '../clock/system.js'
import { Dispatch, type Settlement } from './delivery.js'
import { type Destination, parseDestination } from './destination.js'
import { Ids } from './ids.js'
import { type BrokerLimits, DEFAULT_LIMITS } from './limits.js'
import { type Content, costOf, type Delivery, type Message } from './message.js'
import { Posting } from './posting.js'
import { Queue } from './queue.js'
import { formatName, parseQueueName } from './queue-name.js'
import { type ListingEntry, type Page, QueueTree } from './queue-tree.js'
import { Refusal } from './refusals.js'
import { readSelector } from './selection.js'
import type { Subscription } from './subscription.js'
import { Subscriptions } from './subscriptions.js'
import { Wakes } from './wakes.js'

export interface BrokerOptions {
  /** Where "now" and timers come from; real time unless given. */
  clock?: Clock
  /** Limits that differ from {@link DEFAULT_LIMITS}. */
  limits?: Partial<BrokerLimits>
  /** Whether a send to a queue that is not there creates it; false unless given. */
  autoCreate?: boolean
  /** Fills an array with random bytes, for ids; the platform's generator unless given. */
  random?: (bytes: Uint8Array<ArrayBuffer>) => void
}

/** Which part of something longer is asked for. */
export interface PageRequest {
  /** The `next` of the page before. */
  readonly cursor?: string | undefined
  /** How many items at most. */
  readonly limit: number
}

/** What a new subscription is asked for. */
export interface SubscribeRequest {
  /** Queue names or wildcards, dotted or with slashes; one or more. */
  readonly destinations: readonly string[]
  /** Messages it may hold unacknowledged. */
  readonly prefetch?: number | undefined
  /** Length of the lease in milliseconds. */
  readonly timeout?: number | undefined
  readonly selector?: string | undefined
  /** Who makes it; the broker only keeps it. */
  readonly owner?: string | undefined
}

/** What a broker is made of. */
export interface BrokerParts {
  readonly queues: QueueTree
  readonly posting: Posting
  readonly dispatch: Dispatch
  readonly subscriptions: Subscriptions
}

/**
 * The interface as a machine: every operation of the document as one synchronous command, which either happens
 * wholly or is refused by a {@link Refusal} and has changed nothing. Names are given as text, in either spelling.
 *
 * It is a facade: it reads and checks what it is given, and leaves the work to the parts.
 */
export class Broker {
  readonly clock: Clock
  readonly limits: Readonly<BrokerLimits>
  /** The parts, for those who look inside: tests, the state page, servers that are wrong on purpose. */
  parts: BrokerParts
  readonly #ids: Ids
  readonly #wakes = new Wakes()
  readonly #autoCreate: boolean
  /** Whether {@link close} was called: who is woken then asks once more, and does not wait again. */
  closed = false
  /** Message ids lead here to their queue, by what they begin with. */
  readonly #byIdPrefix = new Map<string, Queue>()
  #memory = 0

  constructor(options: BrokerOptions = {}) {
    this.clock = options.clock ?? new SystemClock()
    this.limits = { ...DEFAULT_LIMITS, ...options.limits }
    this.#ids = new Ids(options.random)
    this.#autoCreate = options.autoCreate ?? false
    this.parts = this.#assemble()
  }

  /** Bytes of memory that messages count for now; see {@link BrokerLimits.maxMemory}. */
  get memory(): number {
    return this.#memory
  }

  // Queues ------------------------------------------------------------------------------------------------

  /**
   * The immediate children of a category, the root being the empty name.
   *
   * @throws Refusal `bad-queue-name`, `unknown-path`, `bad-cursor`
   */
  listQueues(category: string, page: PageRequest): Page<ListingEntry> {
    const segments = category === '' ? [] : parseQueueName(category)
    return this.parts.queues.list(segments, page.cursor, page.limit)
  }

  /**
   * A queue's pending messages, oldest first, held or not. Taking nothing, changing nothing.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`, `bad-cursor`
   */
  browse(name: string, page: PageRequest): Page<Message> & { readonly queue: Queue } {
    const queue = this.queue(name)
    const { cursor = '0', limit } = page
    if (!/^\d{1,15}$/.test(cursor)) throw new Refusal('bad-cursor')
    const items: Message[] = []
    for (const message of queue.order.from(Number(cursor) + 1)) {
      if (items.length === limit) {
        return { queue, items, next: String(items[limit - 1]?.sequence), updatedAt: queue.updatedAt }
      }
      items.push(message)
    }
    return { queue, items, next: undefined, updatedAt: queue.updatedAt }
  }

  /**
   * Looks a queue up.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`
   */
  queue(name: string): Queue {
    return this.#find(parseQueueName(name))
  }

  /**
   * Creates a queue. A queue that is there already stays as it is, with its messages.
   *
   * @throws Refusal `bad-queue-name`
   */
  createQueue(name: string): { readonly queue: Queue; readonly created: boolean } {
    const segments = parseQueueName(name)
    const known = this.parts.queues.find(segments)
    if (known !== undefined) return { queue: known, created: false }
    const queue = this.#create(segments)
    this.#wakes.flush()
    return { queue, created: true }
  }

  /**
   * Deletes a queue with its messages; held ones leave their feeds.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`
   */
  deleteQueue(name: string): void {
    const queue = this.queue(name)
    const now = this.clock.now()
    queue.deleted = true
    this.parts.queues.remove(queue, now)
    this.#byIdPrefix.delete(queue.messageIdPrefix)
    for (const message of queue.order.from(0)) this.#memory -= message.cost
    this.parts.dispatch.abandon(queue)
    this.#wakes.flush()
  }

  // Sending -----------------------------------------------------------------------------------------------

  /**
   * Step 1 of a send: issues a new-message address. It makes no message.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`, `too-many-addresses`
   */
  newAddress(name: string): string {
    const address = this.parts.posting.issue(this.#findOrCreate(parseQueueName(name)))
    this.#wakes.flush()
    return address
  }

  /**
   * Step 2 of a send: the message. A repeat, whatever its content and however late, changes nothing.
   *
   * @throws Refusal `unknown-address`, `address-expired`, `queue-deleted`, `out-of-memory`
   */
  post(address: string, content: Content): { readonly replayed: boolean } {
    const queue = this.parts.posting.resolve(address)
    if (queue === 'used') return { replayed: true }
    this.#reserve(content)
    this.parts.posting.spend(address)
    this.#store(queue, content)
    return { replayed: false }
  }

  /**
   * A send in one request, with an id that the client made: a guid that was seen before, on whatever queue, is
   * ignored. A refused send does not use its guid up.
   *
   * @throws Refusal `bad-guid`, `bad-queue-name`, `unknown-queue`, `out-of-memory`
   */
  sendOnce(name: string, guid: string, content: Content): { readonly replayed: boolean } {
    const segments = parseQueueName(name)
    if (this.parts.posting.knows(guid)) return { replayed: true }
    this.#checkSend(segments, content)
    this.parts.posting.remember(guid)
    this.#store(this.#findOrCreate(segments), content)
    return { replayed: false }
  }

  /**
   * A send without any protection: a repeat is another message.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`, `out-of-memory`
   */
  send(name: string, content: Content): Message {
    const segments = parseQueueName(name)
    this.#checkSend(segments, content)
    return this.#store(this.#findOrCreate(segments), content)
  }

  // Subscriptions -----------------------------------------------------------------------------------------

  /**
   * Begins a lease on one or more destinations.
   *
   * @throws Refusal `bad-destination`, `bad-parameter`, `bad-selector`, `too-many-subscriptions`
   */
  subscribe(request: SubscribeRequest): Subscription {
    const { limits } = this
    const { prefetch = limits.defaultPrefetch, timeout = limits.defaultTimeout } = request
    checkCount('The number of destinations', request.destinations.length, 1, limits.maxDestinations)
    checkCount('prefetch', prefetch, 1, limits.maxPrefetch)
    checkTimeout(timeout, limits)
    const subscription = this.parts.subscriptions.create(this.#ids.key(), {
      destinations: distinct(request.destinations.map(parseDestination)),
      prefetch,
      selector: readSelector(request.selector),
      timeout,
      owner: request.owner,
    })
    this.#wakes.flush()
    return subscription
  }

  /**
   * Looks at a subscription without renewing its lease.
   *
   * @throws Refusal `subscription-ended`, `unknown-subscription`
   */
  subscription(id: string): Subscription {
    try {
      return this.parts.subscriptions.get(id)
    } finally {
      this.#wakes.flush()
    }
  }

  /**
   * Ends a subscription: its messages go to others, in their old places.
   *
   * @throws Refusal `subscription-ended`, `unknown-subscription`
   */
  unsubscribe(id: string): void {
    this.parts.subscriptions.end(this.subscription(id), 'deleted')
    this.#wakes.flush()
  }

  /**
   * What a subscription holds, in the order in which it came. Its consumer is there, so the lease is renewed.
   *
   * @throws Refusal `subscription-ended`, `unknown-subscription`
   */
  consume(id: string): { readonly subscription: Subscription; readonly deliveries: readonly Delivery[] } {
    const subscription = this.subscription(id)
    this.parts.subscriptions.renew(subscription)
    return { subscription, deliveries: [...subscription.held.values()] }
  }

  // Messages ----------------------------------------------------------------------------------------------

  /**
   * Looks at a message in a consumer's hand.
   *
   * @throws Refusal `subscription-ended`, `unknown-subscription`, `message-withdrawn`, `unknown-message`
   */
  delivery(subscriptionId: string, deliveryId: string): Delivery {
    const subscription = this.subscription(subscriptionId)
    const delivery = subscription.held.get(deliveryId)
    if (delivery !== undefined) return delivery
    const how = this.#settlement(subscription, deliveryId)
    if (how === 'acknowledged') throw new Refusal('message-withdrawn', 'The message was acknowledged.')
    throw new Refusal(how === undefined ? 'unknown-message' : 'message-withdrawn')
  }

  /**
   * Looks at a pending message by its own id, held or not.
   *
   * @throws Refusal `unknown-message`
   */
  message(id: string): Message {
    const queue = this.#byIdPrefix.get(id.slice(0, 24))
    const sequence = Number.parseInt(id.slice(24), 16)
    const found = Number.isNaN(sequence) ? undefined : queue?.order.from(sequence).next().value
    if (found === undefined || found.id !== id) throw new Refusal('unknown-message')
    return found
  }

  /**
   * The message was processed: it is taken out of its queue for good. A repeat of a successful acknowledgement
   * succeeds while it is remembered and the lease lives. The lease is renewed.
   *
   * @throws Refusal `subscription-ended`, `unknown-subscription`, `message-withdrawn`, `unknown-message`
   */
  acknowledge(subscriptionId: string, deliveryId: string): { readonly repeated: boolean } {
    const subscription = this.subscription(subscriptionId)
    const repeated = !this.#holds(subscription, deliveryId)
    this.parts.subscriptions.renew(subscription)
    if (!repeated) this.#settle(subscription, [deliveryId])
    return { repeated }
  }

  /**
   * Acknowledges several messages of one subscription, all or, when one is not in its hand, none.
   *
   * @throws Refusal `subscription-ended`, `unknown-subscription`, `not-your-message` with the ids concerned
   */
  acknowledgeAll(subscriptionId: string, deliveryIds: readonly string[]): void {
    const subscription = this.subscription(subscriptionId)
    const held: string[] = []
    const foreign: string[] = []
    for (const id of new Set(deliveryIds)) {
      if (subscription.held.has(id)) held.push(id)
      else if (this.#settlement(subscription, id) !== 'acknowledged') foreign.push(id)
    }
    if (foreign.length > 0) throw new Refusal('not-your-message', undefined, { messages: foreign })
    this.parts.subscriptions.renew(subscription)
    this.#settle(subscription, held)
  }

  // Waiting -----------------------------------------------------------------------------------------------

  /**
   * Calls back once, when a message comes to a subscription, or when it ends, or the broker is reset or closed.
   * Who waits asks again then. Nothing is bound to a waiter.
   *
   * @returns cancels; harmless afterwards
   * @throws Refusal `subscription-ended`, `unknown-subscription`
   */
  whenSubscriptionChanges(id: string, wake: () => void): () => void {
    return watch(this.subscription(id).waiters, wake)
  }

  /**
   * Calls back once, when a message arrives in a queue, or when it is deleted, or the broker is reset or closed.
   *
   * @returns cancels; harmless afterwards
   * @throws Refusal `bad-queue-name`, `unknown-queue`
   */
  whenQueueChanges(name: string, wake: () => void): () => void {
    return watch(this.queue(name).waiters, wake)
  }

  // The whole ---------------------------------------------------------------------------------------------

  /** Forgets everything: queues, messages, leases, addresses and guids. Whoever waits is woken. */
  reset(): void {
    this.#letGo()
    this.parts = this.#assemble()
    this.#byIdPrefix.clear()
    this.#memory = 0
    this.#wakes.flush()
  }

  /** Lets go of the clock and wakes whoever waits. What is stored stays readable. */
  close(): void {
    this.closed = true
    this.#letGo()
    this.#wakes.flush()
  }

  #letGo(): void {
    this.parts.subscriptions.close()
    for (const queue of this.parts.queues.queues()) this.#wakes.note(queue.waiters)
  }

  // Inside ------------------------------------------------------------------------------------------------

  #assemble(): BrokerParts {
    const queues = new QueueTree(this.clock.now())
    const dispatch = new Dispatch(this.clock, this.#ids, this.#wakes, this.limits.settledLimit)
    return {
      queues,
      dispatch,
      posting: new Posting(this.clock, this.#ids, this.limits),
      subscriptions: new Subscriptions(this.clock, this.limits, queues, dispatch, this.#wakes),
    }
  }

  #find(segments: readonly string[]): Queue {
    const queue = this.parts.queues.find(segments)
    if (queue === undefined) {
      throw new Refusal('unknown-queue', `There is no queue ${JSON.stringify(formatName(segments))}.`)
    }
    return queue
  }

  #findOrCreate(segments: readonly string[]): Queue {
    if (!this.#autoCreate) return this.#find(segments)
    return this.parts.queues.find(segments) ?? this.#create(segments)
  }

  #create(segments: readonly string[]): Queue {
    const now = this.clock.now()
    const queue = new Queue(this.#ids.uuid(), segments, formatName(segments), now)
    this.parts.queues.insert(queue, now)
    this.#byIdPrefix.set(queue.messageIdPrefix, queue)
    this.parts.subscriptions.welcome(queue)
    return queue
  }

  /** Everything that could refuse a send, before anything of it happens: not even a queue is made for it. */
  #checkSend(segments: readonly string[], content: Content): void {
    if (!this.#autoCreate) this.#find(segments)
    this.#reserve(content)
  }

  /** @throws Refusal `out-of-memory` */
  #reserve(content: Content): void {
    if (this.#memory + costOf(content) > this.limits.maxMemory) {
      throw new Refusal('out-of-memory', undefined, { limit: this.limits.maxMemory })
    }
  }

  #store(queue: Queue, content: Content): Message {
    const message = queue.join(content, this.clock.now())
    this.#memory += message.cost
    this.parts.dispatch.arrive(message)
    this.#wakes.flush()
    return message
  }

  /**
   * Whether a delivery is in a subscription's hand; false when it was acknowledged from there before.
   *
   * @throws Refusal `message-withdrawn`, `unknown-message`
   */
  #holds(subscription: Subscription, deliveryId: string): boolean {
    if (subscription.held.has(deliveryId)) return true
    const how = this.#settlement(subscription, deliveryId)
    if (how === 'acknowledged') return false
    throw new Refusal(how === undefined ? 'unknown-message' : 'message-withdrawn')
  }

  /** How a delivery to this subscription ended; another's is not known here. */
  #settlement(subscription: Subscription, deliveryId: string): Settlement['how'] | undefined {
    const settlement = this.parts.dispatch.settled.get(deliveryId)
    return settlement?.subscription === subscription.id ? settlement.how : undefined
  }

  #settle(subscription: Subscription, deliveryIds: readonly string[]): void {
    for (const id of deliveryIds) {
      const delivery = subscription.held.get(id) as Delivery
      this.#memory -= delivery.message.cost
      this.parts.dispatch.acknowledge(delivery)
    }
    this.parts.dispatch.fill(subscription)
    this.#wakes.flush()
  }
}

/** A broker with nothing in it. */
export function createBroker(options: BrokerOptions = {}): Broker {
  return new Broker(options)
}

function distinct(destinations: readonly Destination[]): Destination[] {
  return [
    ...new Map(destinations.map((destination) => [formatName(destination.segments), destination])).values(),
  ]
}

function watch(waiters: Set<() => void>, wake: () => void): () => void {
  waiters.add(wake)
  return () => void waiters.delete(wake)
}

function checkCount(what: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw new Refusal('bad-parameter', `${what} takes ${least} to ${most}, not ${value}.`, {
    parameter: what,
    least,
    most,
  })
}

function checkTimeout(timeout: number, { minTimeout, maxTimeout }: BrokerLimits): void {
  if (timeout >= minTimeout && timeout <= maxTimeout) return
  const [least, most] = [minTimeout / 1000, maxTimeout / 1000]
  throw new Refusal('bad-parameter', `timeout takes ${least} to ${most} seconds.`, {
    parameter: 'timeout',
    least,
    most,
  })
}
