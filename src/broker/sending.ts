import { bytesOfContent, type Content } from './content.js'
import type { BrokerContext } from './context.js'
import type { Dispatch } from './dispatch.js'
import type { Message, Queue, SentOnce } from './entities.js'
import type { BrokerEvent, SendName } from './events.js'
import type { MemoryBudget } from './memory-budget.js'
import type { Queues } from './queues.js'
import { bytesOfSent, type SendDeduplication } from './send-deduplication.js'

/** The ways in which a message comes into a queue. Whatever could refuse one is asked before anything happens. */
export class Sending {
  constructor(
    private readonly context: BrokerContext,
    private readonly memory: MemoryBudget,
    private readonly queues: Queues,
    private readonly deduplication: SendDeduplication,
    private readonly dispatch: Dispatch,
  ) {}

  // clause: send.step-1.no-message
  newAddress(segments: readonly string[]): string {
    this.#checkQueue(segments)
    this.deduplication.checkAddress()
    const { queue } = this.queues.findOrCreate(segments)
    const address = this.deduplication.issue(queue)
    this.#log?.push({ kind: 'address-issued', queue, address, time: this.context.clock.now() })
    return address
  }

  // clause: send.step-2.one-message send.two-step.same-body send.two-step.repeat.other-body
  post(address: string, content: Content): { readonly replayed: boolean } {
    const queue = this.deduplication.resolve(address)
    if (queue === 'used') return this.#repeat({ address })
    const bytes = this.#bytesOf(content, address)
    const sentOnce = this.deduplication.spend(address)
    this.#store(queue, content, bytes, { address }, sentOnce)
    return { replayed: false }
  }

  // clause: dedup.one-message dedup.repeat.other-body dedup.distinct dedup.refused.unused
  sendOnce(segments: readonly string[], guid: string, content: Content): { readonly replayed: boolean } {
    if (this.deduplication.knows(guid)) return this.#repeat({ guid })
    const known = this.#checkQueue(segments)
    const bytes = this.#bytesOf(content, guid)
    const queue = known ?? this.queues.findOrCreate(segments).queue
    this.#store(queue, content, bytes, { guid }, this.deduplication.remember(guid, queue))
    return { replayed: false }
  }

  send(segments: readonly string[], content: Content): Message {
    const queue = this.#checkQueue(segments)
    const bytes = this.#bytesOf(content)
    return this.#store(queue ?? this.queues.findOrCreate(segments).queue, content, bytes)
  }

  /** @returns the queue of a send; undefined where there is none, and one may be created for it */
  // clause: send.unknown-queue http.refused-changes-nothing
  #checkQueue(segments: readonly string[]): Queue | undefined {
    if (!this.context.autoCreate) return this.queues.get(segments)
    const queue = this.queues.find(segments)
    if (queue === undefined) this.queues.checkNew(segments)
    return queue
  }

  /** What a message of this content takes, for which there must be room, and for its guid or address if it has one. */
  // clause: dedup.memory
  #bytesOf(content: Content, key?: string): number {
    const bytes = bytesOfContent(content)
    this.memory.check(bytes + (key === undefined ? 0 : bytesOfSent(key)))
    return bytes
  }

  #repeat({ guid, address }: SendName): { readonly replayed: boolean } {
    this.#log?.push({ kind: 'send-repeated', guid, address, time: this.context.clock.now() })
    return { replayed: true }
  }

  #store(
    queue: Queue,
    content: Content,
    bytes: number,
    { guid, address }: SendName = {},
    sentOnce?: SentOnce,
  ): Message {
    const message = queue.join(content, this.context.clock.now(), bytes)
    message.sentOnce = sentOnce
    this.#log?.push({ kind: 'sent', message, guid, address, time: message.publishedAt })
    this.dispatch.arrive(message)
    return message
  }

  get #log(): BrokerEvent[] | undefined {
    return this.context.events.log
  }
}
