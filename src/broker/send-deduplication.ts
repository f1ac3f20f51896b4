import { BoundedMap } from './collections/bounded-map.js'
import { type Linked, LinkedList } from './collections/linked-list.js'
import type { BrokerContext } from './context.js'
import type { Queue, QueueReference, SentOnce } from './entities.js'
import type { MemoryBudget } from './memory-budget.js'
import { Refusal } from './refusals.js'
import { bytesOfText, OVERHEAD, ownText } from './storing.js'

/** Whether the message of a guid or an address is pending: until it is not, that is not forgotten. */
function isPending({ pending, origin }: SentOnce): boolean {
  return pending && origin.queue !== undefined
}

/** What it takes to remember a guid or a used address, in bytes. */
export function bytesOfSent(key: string): number {
  return OVERHEAD.sentOnce + bytesOfText(key)
}

/** How many addresses are let expire when one is issued. */
const EXPIRED_AT_ONCE = 100

/** A new-message address that no message was posted to yet. */
interface OpenAddress extends Linked<OpenAddress> {
  readonly id: string
  /** What it is for. */
  readonly origin: Readonly<QueueReference>
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/**
 * Sending once: which addresses were issued, and what was already posted. Both memories outlive the message and
 * its queue, so a repeat makes no duplicate however late it comes, as long as it is remembered; and it is remembered
 * at least for as long as its message is pending.
 */
export class SendDeduplication {
  /** By address. */
  readonly #open = new Map<string, OpenAddress>()
  /** In the order of their issue, which is the order of their expiry. */
  readonly #issued = new LinkedList<OpenAddress>()
  /** Addresses that a message was posted to. */
  readonly #used: BoundedMap<SentOnce>
  /** A map of its own: unused addresses, however many, push out no used one. */
  readonly #expired: BoundedMap<true>
  readonly #guids: BoundedMap<SentOnce>

  constructor(
    private readonly context: BrokerContext,
    private readonly memory: MemoryBudget,
  ) {
    const { limits } = context
    this.#used = new BoundedMap(limits.dedupLimit, { of: bytesOfSent, ...memory.share(1 / 8) }, isPending)
    this.#expired = new BoundedMap(limits.endedLimit, {
      of: (key) => OVERHEAD.remembered + bytesOfText(key),
      ...memory.share(1 / 32),
    })
    this.#guids = new BoundedMap(limits.dedupLimit, { of: bytesOfSent, ...memory.share(1 / 4) }, isPending)
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
   * @throws Refusal `too-many-addresses`, `out-of-memory`
   */
  checkAddress(): void {
    this.#expire(this.context.clock.now())
    const { maxAddresses } = this.context.limits
    if (this.#open.size >= maxAddresses) {
      throw new Refusal('too-many-addresses', undefined, { limit: maxAddresses })
    }
    this.memory.check(OVERHEAD.address)
  }

  /** Issues an address. There must be room for it. */
  // clause: send.address.own
  issue(queue: Queue): string {
    const address = this.context.ids.key()
    const expiresAt = this.context.clock.now() + this.context.limits.addressTimeout
    const open = { id: address, origin: queue.reference, expiresAt, previous: undefined, next: undefined }
    this.#open.set(address, open)
    this.#issued.append(open)
    this.memory.take(OVERHEAD.address)
    return address
  }

  /**
   * The queue that an address is for, or `used` when a message was posted to it before.
   *
   * @throws Refusal `unknown-address`, `address-expired`, `queue-deleted`
   */
  // clause: send.two-step.repeat send.two-step.repeat.held send.two-step.repeat.acknowledged
  // clause: send.two-step.repeat.remembered send.two-step.repeat.late send.two-step.repeat.keeps
  // clause: send.two-step.repeat.outlives-queue
  // clause: send.address.unknown
  resolve(address: string): Queue | 'used' {
    if (this.#used.has(address)) return 'used'
    const open = this.#open.get(address)
    if (this.#expired.has(address) || (open !== undefined && open.expiresAt <= this.context.clock.now())) {
      throw new Refusal('address-expired')
    }
    if (open === undefined) throw new Refusal('unknown-address')
    if (open.origin.queue === undefined) throw new Refusal('queue-deleted')
    return open.origin.queue
  }

  /** The message of this address, which must be open, is stored: every further post to it is a repeat. */
  // clause: send.two-step.repeat.parallel
  spend(address: string): SentOnce {
    // Not the text that was asked with, which may be a part of a longer one.
    const { id, origin } = this.#close(address)
    const sent: SentOnce = { pending: true, origin }
    this.#used.set(id, sent)
    return sent
  }

  /**
   * Whether a message with this guid was stored before. `chosen`: a guid has 1 to 255 characters, and case matters.
   *
   * @throws Refusal `bad-guid`
   */
  // clause: dedup.repeat dedup.repeat.held dedup.repeat.acknowledged dedup.system-wide dedup.case dedup.whole
  // clause: dedup.any-party dedup.repeat.late dedup.refused.empty dedup.refused.long dedup.outlives-queue
  knows(guid: string): boolean {
    if (guid.length === 0 || guid.length > 255) throw new Refusal('bad-guid')
    return this.#guids.has(guid)
  }

  /** The message with this guid is stored, in this queue. */
  // clause: dedup.repeat.parallel dedup.outlives-queue dedup.memory
  remember(guid: string, { reference }: Queue): SentOnce {
    const sent: SentOnce = { pending: true, origin: reference }
    this.#guids.set(ownText(guid), sent)
    return sent
  }

  /** A few at a time: each address that is issued makes room for more than itself. */
  // clause: send.address.expired
  #expire(now: number): void {
    for (let left = EXPIRED_AT_ONCE; left > 0; left--) {
      const oldest = this.#issued.first
      if (oldest === undefined || oldest.expiresAt > now) return
      this.#close(oldest.id)
      this.#expired.set(oldest.id, true)
      const { origin, id: address } = oldest
      this.context.events.log?.push({ kind: 'address-expired', queue: origin.queue, address, time: now })
    }
  }

  // clause: send.address.queue-deleted
  #close(address: string): OpenAddress {
    const open = this.#open.get(address) as OpenAddress
    this.#issued.remove(open)
    this.#open.delete(address)
    this.memory.free(OVERHEAD.address)
    return open
  }
}
