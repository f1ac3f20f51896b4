import type { Acknowledgements } from './acknowledgements.js'
import type { BrokerContext } from './context.js'
import type { Dispatch } from './dispatch.js'
import type { Delivery, Queue } from './entities.js'
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
  // clause: single-path.session.lost
  take(session: string, queue: Queue): Delivery | undefined {
    const { subscriptions, dispatch } = this
    const known = subscriptions.find(session, 'session')
    const message = dispatch.next(queue, known)
    if (message === undefined) {
      if (known?.held.size === 0) subscriptions.end(known, 'deleted')
      return undefined
    }
    if (dispatch.placesLeftFor(known) <= 0) return undefined
    const timeout = this.context.limits.defaultTimeout
    const lease =
      known ?? subscriptions.create(ownText(session), { kind: 'session', destinations: [], timeout })
    subscriptions.renew(lease)
    return dispatch.give(message, lease)
  }
}
