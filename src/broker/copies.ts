import { type Delivery, Message, type Subscription } from './entities.js'

/**
 * A message that was handed out already, to be handed to one consumer more, as a broker does that takes the first one for
 * gone: a fault, for the tests of consumers. Acknowledged or lost, a copy is nothing to its message.
 */
export class MessageCopy extends Message {
  /** @param first by which the message is held; undefined where somebody took it without a lease */
  constructor(
    readonly original: Message,
    private readonly first?: Delivery,
  ) {
    super(original.queue, original.sequence, original.content, 0, original.publishedAt)
    this.deliveries = original.deliveries
    // So that its release puts it nowhere.
    this.consumed = true
  }

  /** @param subscription undefined for somebody who has no lease yet */
  mayGoTo(subscription: Subscription | undefined): boolean {
    return (
      subscription === undefined || (subscription !== this.first?.subscription && subscription.accepts(this))
    )
  }
}
