import { subscriptionFeed } from '../../atom/feed.js'
import type { SubscriptionView } from '../../atom/views.js'
import { subscriptionPage } from '../../html/feeds.js'
import { makeETag } from '../../http/conditional.js'
import type { Reply, Request } from '../../http/exchange.js'
import type { MappingContext } from '../context.js'
import { feedReply } from '../feed-reply.js'
import { acknowledgeListed, uriList } from '../uri-list.js'
import { appliedWait, grantedWait, losesQueue, waitFor } from '../waiting.js'
import { subscriptionForm } from './subscription-form.js'

/** Create a subscription: a lease on one or more destinations. */
// clause: subscribe.status subscribe.location
export function subscribe({ broker, links }: MappingContext, request: Request): Reply {
  const { id } = broker.subscribe({ ...subscriptionForm(request), owner: request.principal?.name })
  return { status: 201, headers: { Location: links.subscription(id) } }
}

/** Delete a subscription: its messages go to other consumers. */
// clause: subscribe.delete.status
export function unsubscribe({ broker }: MappingContext, id: string): Reply {
  broker.unsubscribe(id)
  return { status: 200 }
}

/**
 * Consume: one entry per message in this consumer's hand. Reading takes nothing, and renews the lease; unless it is an
 * administrator who looks at somebody else's.
 */
// clause: consume.status
export function consume(context: MappingContext, request: Request, id: string): Reply | Promise<Reply> {
  const { broker } = context
  const subscription = broker.subscription(id)
  if (isOnlooker(request, subscription.owner)) {
    const deliveries = [...subscription.held.values()]
    return consumedReply(context, request, { subscription, deliveries }, undefined)
  }
  const wait = grantedWait(request, context)
  const consumed = broker.consume(id)
  if (wait === undefined || consumed.deliveries.length > 0)
    return consumedReply(context, request, consumed, wait)
  return waitFor(context, request, wait, {
    // Looking, not consuming: a client that went away meanwhile must not renew its lease.
    ask: () => (broker.subscription(id).held.size > 0 ? true : undefined),
    over: losesQueue(consumed.subscription),
    subscribe: (wake) => broker.whenSubscriptionChanges(id, wake),
  }).then(({ gone }) => consumedReply(context, request, gone ? consumed : broker.consume(id), wait))
}

/**
 * Acknowledgements in a POST: a list of message URIs, of which all are acknowledged or none, and the feed as it is
 * then. `chosen`: who asks for more of what has just been processed waits for it as a GET does.
 */
// clause: ack-in-post.next-batch
export function acknowledgeAll(
  context: MappingContext,
  request: Request,
  id: string,
): Reply | Promise<Reply> {
  const { broker, links } = context
  const list = uriList(request)
  acknowledgeListed(list, [links.delivery(id, '')], (deliveries) => broker.acknowledgeAll(id, deliveries))
  return consume(context, request, id)
}

type Consumed = ReturnType<MappingContext['broker']['consume']>

function consumedReply(
  { links }: MappingContext,
  request: Request,
  { subscription, deliveries }: Consumed,
  wait: number | undefined,
): Reply {
  // Weak, since the end of the lease stands in the feed and moves with every reading.
  const etagOf = (form: string) => `W/${makeETag(subscription.id, subscription.version, form)}`
  const view: SubscriptionView = subscription
  const forms = {
    atom: () => subscriptionFeed(view, deliveries, links),
    html: () => subscriptionPage(view, deliveries, links),
  }
  return feedReply(request, etagOf, forms, appliedWait(wait))
}

/** Whether who asks is not who made the subscription: access lets only administrators come so far. */
function isOnlooker({ principal }: Request, owner: string | undefined): boolean {
  return principal !== undefined && principal.name !== owner
}
