import type { Reply, Request } from '../../http/exchange.js'
import { checkConsumerWord, refuseBody } from '../asking.js'
import { rawMessage } from '../content.js'
import { linksOf, type MappingContext } from '../context.js'
import { handOut } from '../hand-out.js'
import { losesQueue } from '../waiting.js'

/** Fetch the next message: the same until it is acknowledged, so that an answer that is lost can be asked for again. */
// clause: one-at-a-time.next one-at-a-time.raw one-at-a-time.empty
export function next(context: MappingContext, request: Request, consumer: string): Reply | Promise<Reply> {
  const { broker } = context
  checkConsumerWord(context, consumer)
  refuseBody(request)
  return handOut(context, request, {
    ask: () => broker.next(consumer),
    over: losesQueue(broker.consumer(consumer)),
    subscribe: (wake) => broker.whenConsumerChanges(consumer, wake),
    reply: (delivery, headers) => {
      if (delivery === undefined) return { status: 204, headers }
      const { id, message } = delivery
      return rawMessage(message, {
        ...headers,
        'Message-Id': id,
        Location: linksOf(context, request).consumerAck(consumer, id),
      })
    },
  })
}

/** Acknowledge: the next message can come. */
// clause: one-at-a-time.ack one-at-a-time.statuses
export function acknowledge(
  context: MappingContext,
  request: Request,
  consumer: string,
  message: string,
): Reply {
  checkConsumerWord(context, consumer)
  refuseBody(request)
  context.broker.acknowledgeConsumer(consumer, message)
  return { status: 200 }
}
