import { subscriptionFeed, subscriptionsFeed } from '../../atom/feed.js'
import { subscriptionPage, subscriptionsPage } from '../../html/feeds.js'
import { makeETag } from '../../http/conditional.js'
import type { Reply, Request } from '../../http/exchange.js'
import type { TargetState } from '../../http/preconditions.js'
import type { Written } from '../../platform/bytes.js'
import { isOnlooker, onlyParameter } from '../asking.js'
import { type Act, linksOf, type MappingContext } from '../context.js'
import { feedReply } from '../feed-reply.js'
import { acknowledgeListed, uriList } from '../uri-list.js'
import { appliedWait, grantedWait, losesQueue, waitFor } from '../waiting.js'
import { subscriptionForm } from './subscription-form.js'

/** Create a subscription: a lease on one or more destinations. */
// clause: subscribe.status subscribe.location
export const subscribe: Act = (context, request) => {
  const form = subscriptionForm(request, context.broker.limits)
  const { id } = context.broker.subscribe({ ...form, owner: request.principal?.name })
  return { status: 201, headers: { Location: linksOf(context, request).subscription(id) } }
}

/** Delete a subscription: its messages go to other consumers. */
// clause: subscribe.delete.status
export const unsubscribe: Act = ({ broker }, _, id) => {
  broker.unsubscribe(id)
  return { status: 200 }
}

/**
 * Consume: one entry per message that this consumer holds. Reading takes nothing, and renews the lease; looking does not.
 */
// clause: consume.status
export const consume: Act<Reply | Promise<Reply>> = (context, request, id) => {
  const { broker } = context
  const subscription = broker.subscription(id)
  if (isOnlooker(request, subscription.owner)) {
    const deliveries = [...subscription.held.values()]
    return consumedReply(context, request, { subscription, deliveries }, undefined)
  }
  const wait = grantedWait(request, context)
  const consumed = broker.consume(id)
  const hasNews = () => subscription.hasNews && subscription.held.size > 0
  // A further page is part of what was asked for before.
  if (wait === undefined || hasNews() || onlyParameter(request, 'cursor') !== undefined) {
    return told(consumedReply(context, request, consumed, wait), subscription)
  }
  return waitFor(context, request, wait, {
    // Looking, not consuming: a client that went away meanwhile must not renew its lease.
    ask: () => (broker.subscription(id) === subscription && hasNews() ? true : undefined),
    over: losesQueue(subscription),
    subscribe: (wake) => broker.whenSubscriptionChanges(id, wake),
  }).then(({ gone }) => {
    const reply = consumedReply(context, request, gone ? consumed : broker.consume(id), wait)
    return gone ? reply : told(reply, subscription)
  })
}

/** What stands in a feed that was read is no news any more, unless it is known that the answer was lost. */
// clause: consume.wait.early
function told(reply: Reply, subscription: Consumed['subscription']): Reply {
  if (!subscription.hasNews) return reply
  subscription.hasNews = false
  // Added to the reply, since to copy it takes a good part of what a reading takes in all.
  reply.onLost = () => {
    subscription.hasNews = true
  }
  return reply
}

/**
 * Acknowledgements in a POST: a list of message URIs, of which all are acknowledged or none, and the feed as it is
 * then. `chosen`: who asks for more of what has just been processed waits for it as a GET does.
 */
// clause: ack-in-post.next-batch ack-in-post.subscription
export const acknowledgeAll: Act<Reply | Promise<Reply>> = (context, request, id) => {
  const { broker, links, limits } = context
  const list = uriList(request, limits)
  acknowledgeListed(list, [links.delivery(id, '')], (deliveries) => broker.acknowledgeAll(id, deliveries))
  return consume(context, request, id)
}

type Consumed = ReturnType<MappingContext['broker']['consume']>

function consumedReply(
  context: MappingContext,
  request: Request,
  { subscription, deliveries }: Consumed,
  wait: number | undefined,
): Reply {
  const links = linksOf(context, request)
  const cursor = onlyParameter(request, 'cursor')
  const shown = cursor === undefined ? deliveries : behind(deliveries, cursor)
  const making = {
    cursor,
    maxBytes: context.limits.maxPageBytes,
    nextAfter: (items: number) => shown[items - 1]?.id,
  }
  // Two who read it in the same millisecond are told the same end of the lease.
  const share = (etag: string, make: () => Written) =>
    context.scheduler.share(`${etag} ${subscription.leaseEndsAt} ${links.queues()}`, make)
  const forms = {
    atom: (etag: string) => share(etag, () => subscriptionFeed(subscription, shown, links, making)),
    html: (etag: string) => share(etag, () => subscriptionPage(subscription, shown, links, making)),
  }
  return feedReply(request, (form) => etagOf(subscription, cursor, form), forms, appliedWait(wait))
}

/** What stands at a subscription's address, for preconditions. */
export const stateOfSubscription: Act<TargetState> = ({ broker }, request, id) => {
  const subscription = broker.subscription(id)
  const cursor = onlyParameter(request, 'cursor')
  return {
    etags: ['atom', 'html'].map((form) => etagOf(subscription, cursor, form)),
    modifiedAt: subscription.updatedAt,
  }
}

// clause: consume.validator
/** Weak, since the end of the lease stands in the feed and moves with every reading. */
function etagOf({ id, version }: Consumed['subscription'], cursor = '', form: string): string {
  return `W/${makeETag(id, version, cursor, form)}`
}

/** What stands behind a message; everything where that is no longer held, since nothing before it is known then. */
function behind(deliveries: Consumed['deliveries'], cursor: string): Consumed['deliveries'] {
  return deliveries.slice(deliveries.findIndex(({ id }) => id === cursor) + 1)
}

/**
 * The collection of subscriptions as a feed (`chosen`): it lists none, since to know one's address is permission to
 * consume from it.
 */
export const browseSubscriptions: Act = (context, request) => {
  const { startedAt, seed = '' } = context
  const links = linksOf(context, request)
  const forms = {
    atom: () => subscriptionsFeed(startedAt, links, seed),
    html: () => subscriptionsPage(links),
  }
  return feedReply(request, (form) => makeETag(seed, form), forms)
}

/** What stands at the address of the collection, for preconditions. */
export const stateOfSubscriptions: Act<TargetState> = ({ seed = '' }) => {
  return { etags: [makeETag(seed, 'atom'), makeETag(seed, 'html')] }
}
