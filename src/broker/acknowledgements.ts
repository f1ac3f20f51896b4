import type { BrokerContext } from './context.js'
import type { Dispatch, Settlement } from './dispatch.js'
import type { Delivery, Subscription } from './entities.js'
import { Refusal } from './refusals.js'
import type { Subscriptions } from './subscriptions.js'

/** What a lease holds, whatever kind of consumer has it, and how its messages are acknowledged. */
export class Acknowledgements {
  constructor(
    private readonly context: BrokerContext,
    private readonly dispatch: Dispatch,
    private readonly subscriptions: Subscriptions,
  ) {}

  /**
   * A message that is held.
   *
   * @throws Refusal `delivery-released`, `unknown-message`
   */
  // clause: ack.unknown one-at-a-time.ack.refused
  delivery(subscription: Subscription, deliveryId: string): Delivery {
    const delivery = subscription.held.get(deliveryId)
    if (delivery !== undefined) return delivery
    const how = this.#settlement(subscription, deliveryId)
    if (how === 'acknowledged') throw new Refusal('delivery-released', 'The message was acknowledged.')
    throw new Refusal(how === undefined ? 'unknown-message' : 'delivery-released')
  }

  /**
   * Takes a message out of its queue for good, and renews the lease. A repeat changes nothing else.
   *
   * @throws Refusal `delivery-released`, `unknown-message`
   */
  // clause: ack.any-order ack.until-end batch.ack.only ack.repeat
  acknowledge(subscription: Subscription, deliveryId: string): { readonly repeated: boolean } {
    const isHeld = subscription.held.has(deliveryId)
    const repeated = !isHeld && this.#settlement(subscription, deliveryId) === 'acknowledged'
    if (!isHeld && !repeated) this.delivery(subscription, deliveryId)
    this.acknowledgeAll(subscription, [deliveryId])
    return { repeated }
  }

  /**
   * Acknowledges several messages, all or none, and renews the lease.
   *
   * @throws Refusal `message-not-held` with the ids concerned
   */
  // clause: ack-in-post.acknowledges ack-in-post.only ack-in-post.final ack-in-post.all-or-none
  acknowledgeAll(subscription: Subscription, deliveryIds: readonly string[]): void {
    const held: Delivery[] = []
    const repeated: string[] = []
    const foreign: string[] = []
    for (const id of new Set(deliveryIds)) {
      const delivery = subscription.held.get(id)
      if (delivery !== undefined) held.push(delivery)
      else (this.#settlement(subscription, id) === 'acknowledged' ? repeated : foreign).push(id)
    }
    if (foreign.length > 0) throw new Refusal('message-not-held', undefined, { messages: foreign })
    this.subscriptions.renew(subscription)
    const { clock, events } = this.context
    for (const id of repeated) {
      events.log?.push({ kind: 'acknowledgement-repeated', lease: subscription, id, time: clock.now() })
    }
    for (const delivery of held) this.dispatch.acknowledge(delivery)
    this.dispatch.fill(subscription)
  }

  /** How a delivery to this subscription ended; another's is not known here. */
  #settlement(subscription: Subscription, deliveryId: string): Settlement['how'] | undefined {
    const settlement = this.dispatch.settled.get(deliveryId)
    const isOwn = settlement?.kind === subscription.kind && settlement.id === subscription.id
    return isOwn ? settlement.how : undefined
  }
}
