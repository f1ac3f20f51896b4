import type { Reply, Request } from '../../http/exchange.js'
import { checkConsumerWord, destinationOf, millisecondsOf, onlyParameter, refuseBody } from '../asking.js'
import type { MappingContext } from '../context.js'

/** Subscribe a consumer to a destination. `chosen`: `timeout`, in seconds, is the length of its lease. */
// clause: one-at-a-time.subscribe one-at-a-time.statuses
export function subscribe(context: MappingContext, request: Request, consumer: string, rest: string): Reply {
  checkConsumerWord(context, consumer)
  refuseBody(request)
  const timeout = millisecondsOf(onlyParameter(request, 'timeout'))
  context.broker.subscribeConsumer(consumer, destinationOf(rest), { timeout, owner: request.principal?.name })
  return { status: 200 }
}

/** Unsubscribe it: what it held from there goes to others. */
// clause: one-at-a-time.unsubscribe one-at-a-time.statuses
export function unsubscribe(
  context: MappingContext,
  request: Request,
  consumer: string,
  rest: string,
): Reply {
  checkConsumerWord(context, consumer)
  refuseBody(request)
  context.broker.unsubscribeConsumer(consumer, destinationOf(rest))
  return { status: 200 }
}
