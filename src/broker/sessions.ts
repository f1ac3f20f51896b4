import type { Acknowledgements } from './acknowledgements.js'
import type { BrokerContext } from './context.js'
import type { Dispatch } from './dispatch.js'
import type { Delivery, Queue, Subscription } from './entities.js'
import { ownText } from './storing.js'
import type { Subscriptions } from './subscriptions.js'

/**
 * The sessions of the single-path mapping (section 4.2): who asks again has processed what it was handed before.
 *
 * All of it is `chosen`. A session is a lease that lives only while it holds a message. It covers no queue, since it
 * is handed nothing but what it takes, and a session that holds nothing need not be remembered.
 */
export class Sessions {
  constructor(
    private readonly context: BrokerContext,
    private readonly dispatch: Dispatch,
    private readonly subscriptions: Subscriptions,
    private readonly acknowledgements: Acknowledgements,
  ) {}

  /** Acknowledges what a session was handed before, from whatever queue. */
  // clause: single-path.session.acknowledges
  acknowledge(session: string): void {
    const { subscriptions, acknowledgements } = this
    const lease = subscriptions.find(session, 'session')
    if (lease !== undefined)
      acknowledgements.acknowledgeAll(
        lease,
        lease.deliveries.map(({ id }) => id),
      )
  }

  /**
   * Hands a session the next message of a queue, beside what it holds.
   *
   * @throws Refusal `too-many-subscriptions`
   */
  take(session: string, queue: Queue): Delivery | undefined {
    const { subscriptions, dispatch } = this
    const known = subscriptions.find(session, 'session')
    const message = dispatch.next(queue, known)
    if (message === undefined) {
      if (known?.held.size === 0) subscriptions.end(known, 'deleted')
      return undefined
    }
    if (dispatch.placesLeftFor(known) <= 0) return undefined
    const lease = known ?? this.#begin(ownText(session))
    subscriptions.renew(lease)
    return dispatch.give(message, lease)
  }

  // clause: single-path.session.lost
  #begin(session: string): Subscription {
    const timeout = this.context.limits.defaultTimeout
    return this.subscriptions.create(session, { kind: 'session', destinations: [], timeout })
  }
}
