import type { Reply } from '../../http/exchange.js'
import { checkConsumerWord, destinationOf, millisecondsOf, onlyParameter, refuseBody } from '../asking.js'
import { rawMessage } from '../content.js'
import { type Act, linksOf } from '../context.js'
import { handOut, losesQueue } from '../waiting.js'

/** Subscribe a consumer to a destination. `chosen`: `timeout`, in seconds, is the length of its lease. */
// clause: one-at-a-time.subscribe one-at-a-time.statuses
export const subscribe: Act = (context, request, consumer, rest) => {
  checkConsumerWord(context, consumer)
  refuseBody(request)
  const timeout = millisecondsOf(onlyParameter(request, 'timeout'))
  context.broker.subscribeConsumer(consumer, destinationOf(rest), { timeout, owner: request.principal?.name })
  return { status: 200 }
}

/** Unsubscribe it: what it held from there goes to others. */
// clause: one-at-a-time.unsubscribe one-at-a-time.statuses
export const unsubscribe: Act = (context, request, consumer, rest) => {
  checkConsumerWord(context, consumer)
  refuseBody(request)
  context.broker.unsubscribeConsumer(consumer, destinationOf(rest))
  return { status: 200 }
}

/** Fetch the next message: the same until it is acknowledged, so that an answer that is lost can be asked for again. */
// clause: one-at-a-time.next one-at-a-time.raw one-at-a-time.empty
export const next: Act<Reply | Promise<Reply>> = (context, request, consumer) => {
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
export const acknowledge: Act = (context, request, consumer, message) => {
  checkConsumerWord(context, consumer)
  refuseBody(request)
  context.broker.acknowledgeConsumer(consumer, message)
  return { status: 200 }
}
