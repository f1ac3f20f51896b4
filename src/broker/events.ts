import type { Delivery, Message, Queue, Subscription } from './entities.js'
import type { Ending } from './terms.js'

/**
 * Why a consumer no longer holds a message that it did not acknowledge.
 *
 * - `lease-expired`: its holder's lease ran out.
 * - `lease-deleted`: its holder was deleted.
 * - `queue-deleted`: the queue of the message was deleted, and the message with it.
 * - `unsubscribed`: its holder no longer covers its queue.
 *
 * @example
 * ```ts
 * const reason: ReleaseReason = 'lease-expired'
 * ```
 */
export type ReleaseReason = 'lease-expired' | 'lease-deleted' | 'queue-deleted' | 'unsubscribed'

/** What a send is known by when it is repeated: the guid of its message, or the address that it was posted to, if any. */
export interface SendName {
  readonly guid?: string | undefined
  readonly address?: string | undefined
}

/** What happened, without when; each kind with the clauses that say that it happens so. */
type Happening =
  /** `queues.create.unique` */
  | { readonly kind: 'queue-created'; readonly queue: Queue }
  /** It took `discarded` pending messages with it. Those of them that were held are released before. `queues.delete.messages` */
  | { readonly kind: 'queue-deleted'; readonly queue: Queue; readonly discarded: number }
  /** Step 1 of a send. `send.address.own` */
  | { readonly kind: 'address-issued'; readonly queue: Queue; readonly address: string }
  /** Of a queue that is deleted nothing is kept. `send.address.expired` */
  | { readonly kind: 'address-expired'; readonly queue: Queue | undefined; readonly address: string }
  /** A message joined its queue. `send.step-2.one-message`, `dedup.one-message` */
  | ({ readonly kind: 'sent'; readonly message: Message } & SendName)
  /** A send was known for a repeat: nothing else has changed. `send.two-step.repeat`, `dedup.repeat` */
  | ({ readonly kind: 'send-repeated' } & SendName)
  /** `consume.delivered`, `consume.exactly-one` */
  | { readonly kind: 'delivered'; readonly delivery: Delivery }
  /** Its holder processed it: it is gone. `ack.leaves-queue` */
  | { readonly kind: 'acknowledged'; readonly delivery: Delivery }
  /** An acknowledgement was known for a repeat: nothing else has changed. `id` is that of the delivery. `ack.repeat` */
  | { readonly kind: 'acknowledgement-repeated'; readonly lease: Subscription; readonly id: string }
  /**
   * Its holder no longer has it: unless its queue is deleted, it is ready again, in its old place. `lease.reassign`,
   * `lease.delete.hands-over`, `queues.delete.held`, `one-at-a-time.releases`
   */
  | { readonly kind: 'released'; readonly delivery: Delivery; readonly reason: ReleaseReason }
  /** Somebody without a lease took it: it is gone. `single-path.taken` */
  | { readonly kind: 'taken'; readonly message: Message }
  /** `lease.from-creation` */
  | { readonly kind: 'lease-begun'; readonly lease: Subscription }
  /** It now ends at `endsAt`, in milliseconds since the epoch. `lease.renew.read`, `lease.renew.ack` */
  | { readonly kind: 'lease-renewed'; readonly lease: Subscription; readonly endsAt: number }
  /** What its consumer holds is released next. `lease.expires`, `subscribe.delete.unreadable` */
  | { readonly kind: 'lease-ended'; readonly lease: Subscription; readonly reason: Ending }
  /** A consumer covers one destination more, or less, by its canonical name. `one-at-a-time.wildcards`, `one-at-a-time.releases` */
  | { readonly kind: 'covered' | 'uncovered'; readonly lease: Subscription; readonly destination: string }
  /** Somebody waits: for a message to come to a lease, or to a queue. The mock broker then asks whether all is idle. `consume.wait.queue` */
  | { readonly kind: 'waiting'; readonly at: Subscription | Queue }
  /** Everything is forgotten, without a further event. */
  | { readonly kind: 'reset' }

/**
 * One thing that happened in a broker, at a time in milliseconds since the epoch. The queues, messages, leases and deliveries
 * are the broker's own: read of them what never changes (ids, names, content, owner), since other events tell the rest; and
 * keep none of them, since each keeps what hangs on it. The fault `duplicate-delivery` delivers copies, of which a broker
 * itself makes none.
 *
 * @example
 * ```ts
 * const off = mq.broker.on((event: BrokerEvent) => {
 *   if (event.kind === 'delivered') console.log(event.delivery.message.id, event.time)
 * })
 * off()
 * ```
 */
export type BrokerEvent = Happening & { readonly time: number }

/**
 * Is told what happened. It must not throw. A command that it gives happens at once, and is told behind what it is told of.
 *
 * @example
 * ```ts
 * const listener: Listener = ({ kind }) => console.log(kind)
 * mq.broker.on(listener)
 * ```
 */
export type Listener = (event: BrokerEvent) => void

/** What happened in the command that runs, and who is told of it: each thing once, in order, when the command is over. */
export class Events {
  /** What nobody was told of yet; undefined while nobody listens, so that nothing is put together then. */
  log: BrokerEvent[] | undefined
  readonly #listeners = new Set<Listener>()
  /** Whether it is being told: a listener may give a command. */
  telling = false

  /** @returns ends it */
  listen(listener: Listener): () => void {
    const own: Listener = (event) => listener(event)
    this.#listeners.add(own)
    this.log ??= []
    return () => {
      this.#listeners.delete(own)
      if (this.#listeners.size === 0) this.log = undefined
    }
  }

  /** Tells everybody who listens what happened, in the order in which it did. */
  tell(): void {
    const { log } = this
    if (log === undefined || log.length === 0 || this.telling) return
    this.telling = true
    let told = 0
    try {
      // A listener may give a command, of which it is told behind this.
      while (told < log.length) {
        const event = log[told++] as BrokerEvent
        for (const listener of this.#listeners) listener(event)
      }
    } finally {
      this.telling = false
      log.splice(0, told)
    }
  }
}
