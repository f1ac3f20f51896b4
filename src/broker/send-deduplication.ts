import { BoundedMap } from './collections/bounded-map.js'
import { LinkedList, type Place } from './collections/linked-list.js'
import type { BrokerContext } from './parts.js'
import type { Queue } from './queue.js'
import { Refusal } from './refusals.js'

/** A new-message address that no message was posted to yet. */
interface OpenAddress {
  readonly id: string
  readonly queue: Queue
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/**
 * Sending once: which addresses were issued, and what was already posted. Both memories outlive the message and
 * its queue, so a repeat makes no duplicate however late it comes, as long as it is remembered.
 */
export class SendDeduplication {
  readonly #context: BrokerContext
  /** By address. */
  readonly #open = new Map<string, Place<OpenAddress>>()
  /** In the order of their issue, which is the order of their expiry. */
  readonly #issued = new LinkedList<OpenAddress>()
  /** Addresses that a message was posted to. */
  readonly #used: BoundedMap<string, true>
  /** Apart from the used ones, so that a flood of addresses that nobody uses makes no repeat a duplicate. */
  readonly #expired: BoundedMap<string, true>
  readonly #guids: BoundedMap<string, true>

  constructor(context: BrokerContext) {
    const { limits } = context
    this.#context = context
    this.#used = new BoundedMap(limits.dedupLimit)
    this.#expired = new BoundedMap(limits.endedLimit)
    this.#guids = new BoundedMap(limits.dedupLimit)
  }

  /** How many addresses wait for their message. */
  get openAddresses(): number {
    return this.#open.size
  }

  /** How many guids are remembered. */
  get rememberedGuids(): number {
    return this.#guids.size
  }

  /**
   * Sees that one more address may be issued, before anything is done for it.
   *
   * @throws Refusal `too-many-addresses`
   */
  makeRoom(): void {
    this.#expire(this.#context.clock.now())
    if (this.#open.size >= this.#context.limits.maxAddresses) throw new Refusal('too-many-addresses')
  }

  /** Issues an address. There must be room for it. */
  // clause: send.address.own
  issue(queue: Queue): string {
    const address = this.#context.ids.key()
    const expiresAt = this.#context.clock.now() + this.#context.limits.addressTimeout
    this.#open.set(address, this.#issued.append({ id: address, queue, expiresAt }))
    return address
  }

  /**
   * The queue that an address is for, or `used` when a message was posted to it before.
   *
   * @throws Refusal `unknown-address`, `address-expired`, `queue-deleted`
   */
  // clause: send.two-step.repeat send.two-step.repeat.held send.two-step.repeat.acknowledged
  // clause: send.two-step.repeat.remembered
  resolve(address: string): Queue | 'used' {
    if (this.#used.has(address)) return 'used'
    const open = this.#open.get(address)?.value
    if (this.#expired.has(address) || (open !== undefined && open.expiresAt <= this.#context.clock.now())) {
      throw new Refusal('address-expired')
    }
    if (open === undefined) throw new Refusal('unknown-address')
    if (open.queue.deleted) throw new Refusal('queue-deleted')
    return open.queue
  }

  /** The message of this address, which must be open, is stored: every further post to it is a repeat. */
  // clause: send.two-step.repeat.parallel
  spend(address: string): void {
    this.#close(address, this.#used)
  }

  /**
   * Whether a message with this guid was stored before. `chosen`: a guid has 1 to 255 characters, and case matters.
   *
   * @throws Refusal `bad-guid`
   */
  // clause: dedup.repeat dedup.repeat.held dedup.repeat.acknowledged dedup.system-wide dedup.case
  knows(guid: string): boolean {
    if (guid.length === 0 || guid.length > 255) throw new Refusal('bad-guid')
    return this.#guids.has(guid)
  }

  /** The message with this guid is stored. */
  // clause: dedup.repeat.parallel
  remember(guid: string): void {
    this.#guids.set(guid, true)
  }

  #expire(now: number): void {
    for (const { id, expiresAt } of this.#issued) {
      if (expiresAt > now) return
      this.#close(id, this.#expired)
    }
  }

  #close(address: string, memory: BoundedMap<string, true>): void {
    this.#issued.remove(this.#open.get(address) as Place<OpenAddress>)
    this.#open.delete(address)
    memory.set(address, true)
  }
}
