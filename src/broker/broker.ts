import type { Clock } from '../clock/clock.js'
import { SystemClock } from '../clock/system.js'
import { Consumers, type ConsumerTerms } from './consumers.js'
import { Dispatch } from './delivery.js'
import { parseDestination } from './destination.js'
import { Hands } from './hands.js'
import { Ids } from './ids.js'
import { type BrokerLimits, DEFAULT_LIMITS } from './limits.js'
import { Memory } from './memory.js'
import type { Content, Delivery, Message } from './message.js'
import { Posting } from './posting.js'
import { Queue } from './queue.js'
import { formatName, parseQueueName } from './queue-name.js'
import { type ListingEntry, type Page, QueueTree } from './queue-tree.js'
import { checkCount, checkTimeout } from './ranges.js'
import { Refusal } from './refusals.js'
import { readSelector } from './selection.js'
import { Sessions } from './sessions.js'
import type { Subscription } from './subscription.js'
import { Subscriptions } from './subscriptions.js'
import { Wakes, watch } from './wakes.js'

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
  /** The leases of all kinds: subscriptions, consumers (`consumer:<id>`) and sessions (`session:<id>`). */
  readonly subscriptions: Subscriptions
  readonly hands: Hands
  readonly consumers: Consumers
  readonly sessions: Sessions
  readonly memory: Memory
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

  constructor(options: BrokerOptions = {}) {
    this.clock = options.clock ?? new SystemClock()
    this.limits = { ...DEFAULT_LIMITS, ...options.limits }
    this.#ids = new Ids(options.random)
    this.#autoCreate = options.autoCreate ?? false
    this.parts = this.#assemble()
  }

  /** Bytes of memory that messages count for now; see {@link BrokerLimits.maxMemory}. */
  get memory(): number {
    return this.parts.memory.used
  }

  // Queues ------------------------------------------------------------------------------------------------

  /**
   * The immediate children of a category, the root being the empty name.
   *
   * @throws Refusal `bad-queue-name`, `unknown-path`, `bad-cursor`, `bad-parameter`
   */
  listQueues(category: string, page: PageRequest): Page<ListingEntry> {
    checkLimit(page.limit)
    const segments = category === '' ? [] : parseQueueName(category)
    return this.parts.queues.list(segments, page.cursor, page.limit)
  }

  /**
   * A queue's pending messages, oldest first, held or not. Taking nothing, changing nothing.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`, `bad-cursor`, `bad-parameter`
   */
  browse(name: string, page: PageRequest): Page<Message> & { readonly queue: Queue } {
    const queue = this.queue(name)
    const { cursor = '0', limit } = page
    checkLimit(limit)
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
    for (const message of queue.order.from(0)) this.parts.memory.free(message)
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
    const segments = parseQueueName(name)
    if (!this.#autoCreate) this.#find(segments)
    this.parts.posting.makeRoom()
    const address = this.parts.posting.issue(this.#findOrCreate(segments))
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
    this.parts.memory.check(content)
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
      destinations: request.destinations.map(parseDestination),
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
    // Consumers and sessions are leases too, under names of their own, and are not reached by this one.
    if (id.includes(':')) throw new Refusal('unknown-subscription')
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
    return this.parts.hands.delivery(this.subscription(subscriptionId), deliveryId)
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
    const outcome = this.parts.hands.acknowledge(this.subscription(subscriptionId), deliveryId)
    this.#wakes.flush()
    return outcome
  }

  /**
   * Acknowledges several messages of one subscription, all or, when one is not in its hand, none.
   *
   * @throws Refusal `subscription-ended`, `unknown-subscription`, `not-your-message` with the ids concerned
   */
  acknowledgeAll(subscriptionId: string, deliveryIds: readonly string[]): void {
    this.parts.hands.acknowledgeAll(this.subscription(subscriptionId), deliveryIds)
    this.#wakes.flush()
  }

  // Single path -------------------------------------------------------------------------------------------

  /**
   * Takes the next message of a queue that nobody holds out of it for good.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`
   */
  take(name: string): Message | undefined {
    const queue = this.queue(name)
    const message = queue.ready.first?.value
    if (message === undefined) return undefined
    this.parts.memory.free(message)
    queue.drop(message, this.clock.now())
    return message
  }

  /**
   * Looks at the message that {@link take} would take.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`
   */
  peek(name: string): Message | undefined {
    return this.queue(name).ready.first?.value
  }

  /**
   * Acknowledges what a session was handed before, from whatever queue, and hands it the next message of this one.
   * A session that falls silent for a lease loses what it holds.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`, `too-many-subscriptions`
   */
  takeFor(session: string, name: string): Delivery | undefined {
    const queue = this.queue(name)
    this.parts.sessions.acknowledge(session)
    return this.#handTo(session, queue)
  }

  /**
   * The same for a request that has waited. What the session was handed meanwhile it was handed after that request
   * was made, so this acknowledges nothing.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`, `too-many-subscriptions`
   */
  takeFurtherFor(session: string, name: string): Delivery | undefined {
    return this.#handTo(session, this.queue(name))
  }

  #handTo(session: string, queue: Queue): Delivery | undefined {
    const delivery = this.parts.sessions.take(session, queue)
    this.#wakes.flush()
    return delivery
  }

  // One at a time, and batches ----------------------------------------------------------------------------

  /**
   * Lets a consumer receive the messages of a destination; the first time, it begins its lease.
   *
   * @throws Refusal `bad-consumer-id`, `bad-destination`, `bad-parameter`, `too-many-subscriptions`
   */
  subscribeConsumer(id: string, destination: string, terms: ConsumerTerms = {}): void {
    this.parts.consumers.subscribe(id, parseDestination(destination), terms)
    this.#wakes.flush()
  }

  /**
   * The opposite: what the consumer holds from queues that it no longer covers goes to others.
   *
   * @throws Refusal `bad-destination`, `consumer-ended`, `unknown-consumer`
   */
  unsubscribeConsumer(id: string, destination: string): void {
    const parsed = parseDestination(destination)
    this.parts.consumers.unsubscribe(this.consumer(id), parsed)
    this.#wakes.flush()
  }

  /**
   * Looks at a consumer without renewing its lease.
   *
   * @throws Refusal `consumer-ended`, `unknown-consumer`
   */
  consumer(id: string): Subscription {
    try {
      return this.parts.consumers.get(id)
    } finally {
      this.#wakes.flush()
    }
  }

  /**
   * The consumer's next message: the same until it is acknowledged.
   *
   * @throws Refusal `consumer-ended`, `unknown-consumer`
   */
  next(id: string): Delivery | undefined {
    const delivery = this.parts.consumers.next(this.consumer(id))
    this.#wakes.flush()
    return delivery
  }

  /**
   * Acknowledges messages of a consumer, all or none, and locks up to `max` further ones for it.
   *
   * @throws Refusal `consumer-ended`, `unknown-consumer`, `bad-parameter`, `not-your-message`
   */
  lock(id: string, max: number, acknowledged: readonly string[] = []): readonly Delivery[] {
    const deliveries = this.parts.consumers.lock(this.consumer(id), max, acknowledged)
    this.#wakes.flush()
    return deliveries
  }

  /**
   * A message in a consumer's hand. Its lease is renewed.
   *
   * @throws Refusal `consumer-ended`, `unknown-consumer`, `message-withdrawn`, `unknown-message`
   */
  consumerDelivery(id: string, deliveryId: string): Delivery {
    const consumer = this.consumer(id)
    const delivery = this.parts.hands.delivery(consumer, deliveryId)
    this.parts.subscriptions.renew(consumer)
    return delivery
  }

  /**
   * {@link acknowledge} for a consumer.
   *
   * @throws Refusal `consumer-ended`, `unknown-consumer`, `message-withdrawn`, `unknown-message`
   */
  acknowledgeConsumer(id: string, deliveryId: string): { readonly repeated: boolean } {
    const outcome = this.parts.hands.acknowledge(this.consumer(id), deliveryId)
    this.#wakes.flush()
    return outcome
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
   * Calls back once, when a message comes to a consumer that waits for one, or when its lease ends, or the broker is
   * reset or closed. The message is then in its hand.
   *
   * @returns ends the wait; harmless afterwards
   * @throws Refusal `consumer-ended`, `unknown-consumer`
   */
  whenConsumerChanges(id: string, wake: () => void): () => void {
    const cancel = this.parts.consumers.wait(this.consumer(id), wake)
    this.#wakes.flush()
    return cancel
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
    const { clock, limits } = this
    const queues = new QueueTree(clock.now())
    const memory = new Memory(limits.maxMemory)
    const dispatch = new Dispatch(clock, this.#ids, this.#wakes, limits.settledLimit)
    const subscriptions = new Subscriptions(clock, limits, queues, dispatch, this.#wakes)
    const hands = new Hands(dispatch, subscriptions, memory)
    return {
      queues,
      memory,
      dispatch,
      subscriptions,
      hands,
      posting: new Posting(clock, this.#ids, limits),
      consumers: new Consumers(subscriptions, dispatch, hands, limits),
      sessions: new Sessions(subscriptions, dispatch, hands, limits),
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
    this.parts.memory.check(content)
  }

  #store(queue: Queue, content: Content): Message {
    const message = queue.join(content, this.clock.now())
    this.parts.memory.take(message)
    this.parts.dispatch.arrive(message)
    this.#wakes.flush()
    return message
  }
}

/** A broker with nothing in it. */
export function createBroker(options: BrokerOptions = {}): Broker {
  return new Broker(options)
}

/** How long a page may be is for the layer above to say; one without items would lead nowhere. */
function checkLimit(limit: number): void {
  checkCount('limit', limit, 1, Number.MAX_SAFE_INTEGER)
}
