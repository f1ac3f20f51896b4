import type { Dispatch } from './delivery.js'
import type { Hands } from './hands.js'
import type { BrokerLimits } from './limits.js'
import type { Delivery } from './message.js'
import type { Queue } from './queue.js'
import type { Subscriptions } from './subscriptions.js'

/**
 * The sessions of the single-path mapping (section 4.2): who asks again has processed what it was handed before.
 *
 * All of it is `chosen`. A session is a lease that lives only while a message is in its hand: it covers no queue,
 * since nothing is ever bound to it but what it takes, and a session with an empty hand is nothing to remember.
 */
export class Sessions {
  readonly #subscriptions: Subscriptions
  readonly #dispatch: Dispatch
  readonly #hands: Hands
  readonly #limits: Readonly<BrokerLimits>

  constructor(
    subscriptions: Subscriptions,
    dispatch: Dispatch,
    hands: Hands,
    limits: Readonly<BrokerLimits>,
  ) {
    this.#subscriptions = subscriptions
    this.#dispatch = dispatch
    this.#hands = hands
    this.#limits = limits
  }

  /** Acknowledges what a session was handed before, from whatever queue. */
  acknowledge(session: string): void {
    const lease = this.#subscriptions.find(keyOf(session))
    if (lease !== undefined) this.#hands.acknowledgeAll(lease, [...lease.held.keys()])
  }

  /**
   * Hands a session the next message of a queue, beside what it holds.
   *
   * @throws Refusal `too-many-subscriptions`
   */
  take(session: string, queue: Queue): Delivery | undefined {
    const key = keyOf(session)
    const known = this.#subscriptions.find(key)
    const message = queue.ready.first?.value
    if (message === undefined) {
      if (known?.held.size === 0) this.#subscriptions.end(known)
      return undefined
    }
    const lease = known ?? this.#begin(key)
    this.#subscriptions.renew(lease)
    return this.#dispatch.give(message, lease)
  }

  #begin(key: string) {
    return this.#subscriptions.create(key, {
      destinations: [],
      prefetch: 0,
      selector: undefined,
      timeout: this.#limits.defaultTimeout,
      owner: undefined,
      forgettable: true,
    })
  }
}

/** Sessions, consumers and subscriptions have names of their own: the id of a subscription holds no colon. */
function keyOf(session: string): string {
  return `session:${session}`
}
