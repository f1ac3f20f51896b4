import type { Dispatch } from './dispatch.js'
import type { MemoryBudget } from './memory-budget.js'
import type { Content, Message } from './message.js'
import type { BrokerContext } from './parts.js'
import type { Queue } from './queue.js'
import type { Queues } from './queues.js'
import type { SendDeduplication } from './send-deduplication.js'
import { bytesOfContent } from './storing.js'

/** The ways in which a message comes into a queue. Whatever could refuse one is asked before anything happens. */
export class Sending {
  readonly #context: BrokerContext
  readonly #memory: MemoryBudget
  readonly #queues: Queues
  readonly #deduplication: SendDeduplication
  readonly #dispatch: Dispatch

  constructor(
    context: BrokerContext,
    memory: MemoryBudget,
    queues: Queues,
    deduplication: SendDeduplication,
    dispatch: Dispatch,
  ) {
    this.#context = context
    this.#memory = memory
    this.#queues = queues
    this.#deduplication = deduplication
    this.#dispatch = dispatch
  }

  // clause: send.step-1.no-message
  newAddress(segments: readonly string[]): string {
    this.#checkQueue(segments)
    this.#deduplication.makeRoom()
    return this.#deduplication.issue(this.#queues.findOrCreate(segments).queue)
  }

  // clause: send.step-2.one-message send.two-step.same-body send.two-step.repeat.other-body
  post(address: string, content: Content): { readonly replayed: boolean } {
    const queue = this.#deduplication.resolve(address)
    if (queue === 'used') return { replayed: true }
    this.#memory.check(bytesOfContent(content))
    this.#deduplication.spend(address)
    this.#store(queue, content)
    return { replayed: false }
  }

  // clause: dedup.one-message dedup.repeat.other-body dedup.distinct dedup.refused.unused
  sendOnce(segments: readonly string[], guid: string, content: Content): { readonly replayed: boolean } {
    if (this.#deduplication.knows(guid)) return { replayed: true }
    this.#checkQueue(segments)
    this.#memory.check(bytesOfContent(content))
    this.#deduplication.remember(guid)
    this.#store(this.#queues.findOrCreate(segments).queue, content)
    return { replayed: false }
  }

  send(segments: readonly string[], content: Content): Message {
    this.#checkQueue(segments)
    this.#memory.check(bytesOfContent(content))
    return this.#store(this.#queues.findOrCreate(segments).queue, content)
  }

  /** The queue of a send is there, or may be created for it. */
  // clause: send.unknown-queue http.refused-changes-nothing
  #checkQueue(segments: readonly string[]): void {
    if (!this.#context.autoCreate) this.#queues.get(segments)
    else if (this.#queues.find(segments) === undefined) this.#queues.checkNew(segments)
  }

  #store(queue: Queue, content: Content): Message {
    const message = queue.join(content, this.#context.clock.now())
    this.#dispatch.arrive(message)
    return message
  }
}
