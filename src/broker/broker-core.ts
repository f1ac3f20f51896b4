import type { Clock } from '../clock/clock.js'
import { SystemClock } from '../clock/system.js'
import { Consumers } from './consumers.js'
import { Dispatch } from './delivery.js'
import { Hands } from './hands.js'
import { Ids } from './ids.js'
import { type BrokerLimits, DEFAULT_LIMITS } from './limits.js'
import { Memory } from './memory.js'
import type { Content, Message } from './message.js'
import { Posting } from './posting.js'
import { Queue } from './queue.js'
import { formatName, parseQueueName } from './queue-name.js'
import { QueueTree } from './queue-tree.js'
import { Refusal } from './refusals.js'
import { Sessions } from './sessions.js'
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

/** What every command of a broker stands on: its parts, their making and their end. */
export abstract class BrokerCore {
  readonly clock: Clock
  readonly limits: Readonly<BrokerLimits>
  /** The parts, for those who look inside: tests, the state page, servers that are wrong on purpose. */
  parts: BrokerParts
  protected readonly ids: Ids
  protected readonly wakes = new Wakes()
  protected readonly autoCreate: boolean
  /** Whether {@link close} was called: who is woken then asks once more, and does not wait again. */
  closed = false
  /** Message ids lead here to their queue, by what they begin with. */
  protected readonly byIdPrefix = new Map<string, Queue>()

  constructor(options: BrokerOptions = {}) {
    this.clock = options.clock ?? new SystemClock()
    this.limits = { ...DEFAULT_LIMITS, ...options.limits }
    this.ids = new Ids(options.random)
    this.autoCreate = options.autoCreate ?? false
    this.parts = this.#assemble()
  }

  /** Bytes of memory that messages count for now; see {@link BrokerLimits.maxMemory}. */
  get memory(): number {
    return this.parts.memory.used
  }

  /**
   * Looks a queue up.
   *
   * @throws Refusal `bad-queue-name`, `unknown-queue`
   */
  queue(name: string): Queue {
    return this.find(parseQueueName(name))
  }

  // The whole ---------------------------------------------------------------------------------------------

  /** Forgets everything: queues, messages, leases, addresses and guids. Whoever waits is woken. */
  reset(): void {
    this.#letGo()
    this.parts = this.#assemble()
    this.byIdPrefix.clear()
    this.wakes.flush()
  }

  /** Lets go of the clock and wakes whoever waits. What is stored stays readable. */
  close(): void {
    this.closed = true
    this.#letGo()
    this.wakes.flush()
  }

  #letGo(): void {
    this.parts.subscriptions.close()
    for (const queue of this.parts.queues.queues()) this.wakes.note(queue.waiters)
  }

  // Inside ------------------------------------------------------------------------------------------------

  #assemble(): BrokerParts {
    const { clock, limits } = this
    const queues = new QueueTree(clock.now())
    const memory = new Memory(limits.maxMemory)
    const dispatch = new Dispatch(clock, this.ids, this.wakes, limits.settledLimit)
    const subscriptions = new Subscriptions(clock, limits, queues, dispatch, this.wakes)
    const hands = new Hands(dispatch, subscriptions, memory)
    return {
      queues,
      memory,
      dispatch,
      subscriptions,
      hands,
      posting: new Posting(clock, this.ids, limits),
      consumers: new Consumers(subscriptions, dispatch, hands, limits),
      sessions: new Sessions(subscriptions, dispatch, hands, limits),
    }
  }

  protected find(segments: readonly string[]): Queue {
    const queue = this.parts.queues.find(segments)
    if (queue === undefined) {
      throw new Refusal('unknown-queue', `There is no queue ${JSON.stringify(formatName(segments))}.`)
    }
    return queue
  }

  protected findOrCreate(segments: readonly string[]): Queue {
    if (!this.autoCreate) return this.find(segments)
    return this.parts.queues.find(segments) ?? this.create(segments)
  }

  protected create(segments: readonly string[]): Queue {
    const now = this.clock.now()
    const queue = new Queue(this.ids.uuid(), segments, formatName(segments), now)
    this.parts.queues.insert(queue, now)
    this.byIdPrefix.set(queue.messageIdPrefix, queue)
    this.parts.subscriptions.welcome(queue)
    return queue
  }

  /** Everything that could refuse a send, before anything of it happens: not even a queue is made for it. */
  protected checkSend(segments: readonly string[], content: Content): void {
    if (!this.autoCreate) this.find(segments)
    this.parts.memory.check(content)
  }

  protected store(queue: Queue, content: Content): Message {
    const message = queue.join(content, this.clock.now())
    this.parts.memory.take(message)
    this.parts.dispatch.arrive(message)
    this.wakes.flush()
    return message
  }
}
