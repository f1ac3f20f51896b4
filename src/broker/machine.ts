import type { Clock } from '../clock/clock.js'
import type { Queue, Subscription } from './entities.js'
import type { Listener } from './events.js'
import type { BrokerLimits } from './limits.js'
import { assembleParts, type BrokerOptions, type BrokerParts, contextOf, letGo } from './parts.js'

/** What a broker is beside the operations of the interface: its parts and its time, how a command runs, who is told of it. */
export class Machine {
  readonly clock: Clock
  readonly limits: Readonly<BrokerLimits>
  /** The parts, for those who look inside: tests, the state page, servers that are wrong on purpose. */
  parts: BrokerParts
  /** Whether {@link close} was called: who is woken then asks once more, and does not wait again. */
  closed = false

  constructor(options: BrokerOptions = {}) {
    this.parts = assembleParts(contextOf(options))
    this.clock = this.parts.context.clock
    this.limits = this.parts.context.limits
  }

  /** Bytes that all that is kept counts for now; see {@link BrokerLimits.maxMemory}. */
  get memory(): number {
    return this.parts.memory.used
  }

  /**
   * Who made a lease; undefined where it does not live, or nobody was asked. The id that a consumer chose stays its owner's
   * while the end of its lease is remembered.
   */
  ownerOf(kind: 'subscription' | 'consumer', id: string): string | undefined {
    return this.run(({ subscriptions }) => subscriptions.ownerOf(kind, id))
  }

  /** Ends leases of whatever kind as if their time had run out: what one of them held goes to none of the others. */
  endLeases(leases: readonly Subscription[]): void {
    this.run(({ subscriptions }) => subscriptions.endAll(leases, 'expired'))
  }

  /**
   * Tells a listener each thing that happens, once, in order, when the command is over in which it did, and before the
   * command returns. It is told of all kinds, since only all of them together tell what there is: a switch on `kind` picks
   * some. Where nobody listens it costs nothing.
   *
   * @returns ends it
   */
  on(listener: Listener): () => void {
    return this.parts.context.events.listen(listener)
  }

  /** Forgets everything: queues, messages, leases, addresses and guids. Whoever waits is woken. */
  reset(): void {
    this.run((parts) => {
      letGo(parts)
      this.parts = assembleParts(parts.context)
      parts.context.events.log?.push({ kind: 'reset', time: this.clock.now() })
    })
  }

  /** Lets go of the clock and wakes whoever waits. What is stored stays readable. */
  close(): void {
    this.closed = true
    this.run(letGo)
  }

  /** Begins a wait. @param find where at; it may refuse */
  protected wait<T extends Subscription | Queue>(find: () => T, begin: (at: T) => () => void): () => void {
    return this.run(({ context }) => {
      const at = find()
      context.events.log?.push({ kind: 'waiting', at, time: this.clock.now() })
      return begin(at)
    })
  }

  protected run<T>(command: (parts: BrokerParts) => T): T {
    return this.parts.context.commands.run(() => command(this.parts))
  }
}
