import type { Delivery } from '../../broker/entities.js'
import type { Reply } from '../../http/exchange.js'
import { checkConsumerWord, isOnlooker, numberOf, onlyParameter } from '../asking.js'
import { rawMessage } from '../content.js'
import { type Act, linksOf, type MappingContext } from '../context.js'
import { acknowledgeListed, formatUriList, URI_LIST, uriList } from '../uri-list.js'
import { handOut, losesQueue, NO_STORE } from '../waiting.js'

/**
 * Lock a batch: the addresses of up to `max` further messages. Acknowledgements in the body come first, all or
 * none; where they are refused, nothing is locked.
 */
// clause: batch.lock batch.max batch.list batch.max.default ack-in-post.batch
export const lock: Act<Reply | Promise<Reply>> = (context, request, consumer) => {
  const { broker, limits } = context
  const links = linksOf(context, request)
  checkConsumerWord(context, consumer)
  const max = numberOf('max', onlyParameter(request, 'max'), /^\d{1,9}$/) ?? 1
  return handOut(context, request, {
    // The list is made here, so that a request that waits keeps none.
    first: () =>
      acknowledgeListed(uriList(request, limits), addressesOf(context, consumer), (acknowledged) =>
        someOf(broker.lock(consumer, max, acknowledged)),
      ),
    ask: () => someOf(broker.lock(consumer, max)),
    over: losesQueue(broker.consumer(consumer)),
    subscribe: (wake) => broker.whenConsumerChanges(consumer, wake),
    reply: (deliveries = [], headers) => ({
      status: 200,
      headers: { 'Content-Type': URI_LIST, ...headers },
      body: formatUriList(deliveries.map(({ id }) => links.consumerMessage(consumer, id))),
    }),
  })
}

/** A locked message, as it was sent. Its consumer's reading renews the lease; looking does not. */
// clause: batch.fetch
export const readMessage: Act = (context, request, consumer, message) => {
  const { broker } = context
  checkConsumerWord(context, consumer)
  const looks = isOnlooker(request, broker.consumer(consumer).owner)
  const delivery = broker.consumerDelivery(consumer, message, { looks })
  return rawMessage(delivery.message, NO_STORE)
}

/** Acknowledge a locked message; the others of its batch stay locked. A reserved word, whose own routes stand before, never comes here. */
// clause: batch.ack batch.ack.status
export const acknowledge: Act = ({ broker }, _, consumer, message) => {
  broker.acknowledgeConsumer(consumer, message)
  return { status: 200 }
}

/** Every address by which a message of the consumer may be named, up to its id. */
function addressesOf({ links }: MappingContext, consumer: string): string[] {
  return [
    links.consumerMessage(consumer, ''),
    links.lockedMessage(consumer, ''),
    links.consumerAck(consumer, ''),
  ]
}

function someOf(deliveries: readonly Delivery[]): readonly Delivery[] | undefined {
  return deliveries.length > 0 ? deliveries : undefined
}
