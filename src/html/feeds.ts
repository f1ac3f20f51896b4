import { mediaTypeOf, readableText } from '../atom/content.js'
import { dateTime } from '../atom/entry.js'
import { type PageRequest, pageAddress, pageOf } from '../atom/feed.js'
import type {
  ContentView,
  DeliveryView,
  ListingEntryView,
  MessageView,
  QueueView,
  SubscriptionView,
} from '../atom/views.js'
import type { Page } from '../broker/page.js'
import type { Links } from '../http/links.js'
import type { Written } from '../platform/bytes.js'
import { type Cell, link, type PageParts, page, preformatted, row } from './page.js'

/** How much of a body a page shows, in characters. */
const PREVIEW = 2000

/** The listing of a category as a page (`chosen`: a client that prefers HTML gets the same feed to read). */
export function listingPage(
  category: string,
  listed: Page<ListingEntryView>,
  links: Links,
  request: PageRequest = {},
): Written {
  const { entries, next } = pageOf(listed, request, (item) =>
    row(
      item.kind === 'category'
        ? [link(links.listing(item.name), item.name), 'category', '', '', '']
        : [
            link(links.queue(item.name), item.name),
            'queue',
            item.queue.pending,
            item.queue.held,
            item.queue.subscriptions,
          ],
    ),
  )
  return page({
    title: category === '' ? 'Queues' : `Queues below ${category}`,
    facts: [],
    columns: ['Name', 'Kind', 'Pending', 'Held', 'Subscriptions'],
    rows: entries,
    empty: 'There is no queue yet.',
    ...addresses(links.listing(category), next, request),
  })
}

/** A queue's feed as a page. */
export function queuePage(
  browsed: Page<MessageView> & { readonly queue: QueueView },
  links: Links,
  request: PageRequest = {},
): Written {
  const { queue } = browsed
  const { entries, next } = pageOf(browsed, request, (message) =>
    row([
      link(links.message(message.id), String(message.sequence)),
      dateTime(message.publishedAt),
      message.deliveries,
      message.holder === undefined ? 'no' : 'yes',
      mediaTypeOf(message.content),
      body(message.content, links.messageContent(message.id)),
    ]),
  )
  return page({
    title: queue.name,
    facts: [
      ['Pending', queue.pending],
      ['Held', queue.held],
      ['Subscriptions', queue.subscriptions],
    ],
    columns: ['Message', 'Published', 'Deliveries', 'Held', 'Type', 'Body'],
    rows: entries,
    empty: 'No message is pending.',
    ...addresses(links.queue(queue.name), next, request),
  })
}

/** A subscription's feed as a page. */
export function subscriptionPage(
  subscription: SubscriptionView,
  deliveries: readonly DeliveryView[],
  links: Links,
  request: PageRequest = {},
): Written {
  const { id, destinations, selector, prefetch, leaseEndsAt } = subscription
  const { entries, next } = pageOf({ items: deliveries, next: undefined }, request, (delivery) =>
    row([
      link(links.delivery(id, delivery.id), String(delivery.message.sequence)),
      delivery.message.queue.name,
      dateTime(delivery.message.publishedAt),
      delivery.message.deliveries,
      mediaTypeOf(delivery.message.content),
      body(delivery.message.content, links.deliveryContent(id, delivery.id)),
    ]),
  )
  return page({
    title: `Messages for a subscription to ${destinations.join(', ')}`,
    facts: [
      ['Prefetch', prefetch],
      ['Lease ends', dateTime(leaseEndsAt)],
      ...(selector === undefined ? [] : [['Selector', selector] as const]),
    ],
    columns: ['Message', 'Queue', 'Published', 'Deliveries', 'Type', 'Body'],
    rows: entries,
    empty: 'The subscription holds no message.',
    ...addresses(links.subscription(id), next, request),
  })
}

/** The collection of subscriptions as a page. */
export function subscriptionsPage(links: Links): Written {
  return page({
    title: 'Subscriptions',
    facts: [],
    columns: [],
    rows: [],
    empty: 'None is listed: whoever knows the address of a subscription may consume from it.',
    ...addresses(links.subscriptions(), undefined, {}),
  })
}

/** Where the page behind this one is, and where this one is as a feed. */
function addresses(
  address: string,
  next: string | undefined,
  request: PageRequest,
): Pick<PageParts, 'next' | 'feed'> {
  return {
    next: next === undefined ? undefined : pageAddress(address, next, request),
    feed: pageAddress(address, request.cursor, request),
  }
}

function body(content: ContentView, raw: string): Cell {
  const text = readableText(content)
  const size = content.body.byteLength
  if (text === undefined || text.length > PREVIEW) return link(raw, `${size} bytes`)
  return preformatted(text)
}
