import type { BrokerContext } from './context.js'
import type { Coverage } from './coverage.js'
import type { Dispatch } from './dispatch.js'
import { type Message, Queue } from './entities.js'
import type { MemoryBudget } from './memory-budget.js'
import { formatName } from './names.js'
import { firstPage, type Page, type PageRequest } from './page.js'
import type { QueueTree } from './queue-tree.js'
import { Refusal } from './refusals.js'
import { bytesOfQueue, OVERHEAD, ownText } from './storing.js'

/** The queues that there are: how they come, are found, and go. */
export class Queues {
  /** Message ids lead here to their queue, by what they begin with. */
  readonly #byMessageIdPrefix = new Map<string, Queue>()

  constructor(
    private readonly context: BrokerContext,
    private readonly memory: MemoryBudget,
    private readonly tree: QueueTree,
    private readonly coverage: Coverage,
    private readonly dispatch: Dispatch,
  ) {}

  get size(): number {
    return this.tree.size
  }

  /** Every queue, in the order of their names. */
  [Symbol.iterator](): Iterator<Queue> {
    return this.tree.queues().values()
  }

  // clause: queues.create.unique queues.hierarchy
  find(segments: readonly string[]): Queue | undefined {
    return this.tree.find(segments)
  }

  /** @throws Refusal `unknown-queue` */
  // clause: queues.delete.again queues.delete.category single-path.unknown
  get(segments: readonly string[]): Queue {
    const queue = this.find(segments)
    if (queue !== undefined) return queue
    throw new Refusal('unknown-queue', `There is no queue ${JSON.stringify(formatName(segments))}.`)
  }

  // clause: queues.create.again.messages queues.create.again.held queues.create.again.one queues.create.at-once
  findOrCreate(segments: readonly string[]): { readonly queue: Queue; readonly created: boolean } {
    const known = this.find(segments)
    if (known !== undefined) return { queue: known, created: false }
    this.checkNew(segments)
    const { clock, events, ids } = this.context
    const queue = new Queue(ids.uuid(), segments.map(ownText), this.memory, clock.now())
    this.memory.take(queue.bytes)
    this.tree.insert(queue, clock.now())
    this.#byMessageIdPrefix.set(queue.messageIdPrefix, queue)
    events.log?.push({ kind: 'queue-created', queue, time: queue.createdAt })
    this.coverage.bindQueue(queue)
    return { queue, created: true }
  }

  /**
   * Sees that a queue which is not there may be created.
   *
   * @throws Refusal `bad-queue-name`, `too-many-queues`, `too-many-bindings`, `out-of-memory`
   */
  // clause: http.refused-changes-nothing
  checkNew(segments: readonly string[]): void {
    const { maxQueues, maxSegments } = this.context.limits
    if (segments.length > maxSegments) {
      throw new Refusal('bad-queue-name', `A queue name has at most ${maxSegments} segments.`, {
        limit: maxSegments,
      })
    }
    if (this.size >= maxQueues) throw new Refusal('too-many-queues', undefined, { limit: maxQueues })
    this.coverage.checkQueue(segments, bytesOfQueue(segments) + segments.length * OVERHEAD.category)
  }

  /** Deletes a queue with its messages; held ones leave their feeds. */
  // clause: queues.delete.consumers queues.delete.room
  // clause: queues.delete.unreadable
  delete(queue: Queue): void {
    queue.reference.queue = undefined
    this.tree.remove(queue, this.context.clock.now())
    this.#byMessageIdPrefix.delete(queue.messageIdPrefix)
    this.memory.free(queue.bytes)
    this.dispatch.detachQueue(queue)
  }

  /**
   * A queue's pending messages, oldest first, held or not; the cursor is the sequence of the last one given.
   *
   * @throws Refusal `bad-cursor`, `bad-parameter`
   */
  // clause: browse.queue.entries browse.queue.empty browse.pending.held
  // clause: browse.order browse.paging.steady
  page(queue: Queue, { cursor = '0', limit }: PageRequest): Page<Message> {
    if (!/^\d{1,15}$/.test(cursor)) throw new Refusal('bad-cursor')
    const behind = queue.order.from(Number(cursor) + 1)
    return firstPage(behind, limit, queue.updatedAt, ({ sequence }) => String(sequence))
  }

  /**
   * A pending message by its own id.
   *
   * @throws Refusal `unknown-message`
   */
  message(id: string): Message {
    const queue = this.#byMessageIdPrefix.get(id.slice(0, 24))
    const sequence = Number.parseInt(id.slice(24), 16)
    const found = Number.isNaN(sequence) ? undefined : queue?.order.at(sequence)
    if (found === undefined || found.id !== id) throw new Refusal('unknown-message')
    return found
  }
}
