import { mediaTypeOf, readableText } from '../atom/content.js'
import { dateTime } from '../atom/entry.js'
import { type PageRequest, pageAddress } from '../atom/feed.js'
import type {
  ContentView,
  DeliveryView,
  ListingEntryView,
  MessageView,
  PageView,
  QueueView,
  SubscriptionView,
} from '../atom/views.js'
import type { Links } from '../http/links.js'
import { type Cell, link, page, preformatted } from './page.js'

/** How much of a body a page shows, in characters. */
const PREVIEW = 2000

/** The listing of a category as a page (`chosen`: a client that prefers HTML gets the same feed to read). */
export function listingPage(
  category: string,
  { items, next }: PageView<ListingEntryView>,
  links: Links,
  request: PageRequest = {},
): string {
  return page({
    title: category === '' ? 'Queues' : `Queues below ${category}`,
    facts: [],
    columns: ['Name', 'Kind', 'Pending', 'Held', 'Subscriptions'],
    rows: items.map((item) =>
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
    empty: 'There is no queue yet.',
    next: next === undefined ? undefined : pageAddress(links.listing(category), next, request),
  })
}

/** A queue's feed as a page. */
export function queuePage(
  { queue, items, next }: PageView<MessageView> & { readonly queue: QueueView },
  links: Links,
  request: PageRequest = {},
): string {
  return page({
    title: queue.name,
    facts: [
      ['Pending', queue.pending],
      ['Held', queue.held],
      ['Subscriptions', queue.subscriptions],
    ],
    columns: ['Message', 'Published', 'Deliveries', 'Held', 'Type', 'Body'],
    rows: items.map((message) => [
      link(links.message(message.id), String(message.sequence)),
      dateTime(message.publishedAt),
      message.deliveries,
      message.holder === undefined ? 'no' : 'yes',
      mediaTypeOf(message.content),
      body(message.content, links.messageContent(message.id)),
    ]),
    empty: 'No message is pending.',
    next: next === undefined ? undefined : pageAddress(links.queue(queue.name), next, request),
  })
}

/** A subscription's feed as a page. */
export function subscriptionPage(
  subscription: SubscriptionView,
  deliveries: readonly DeliveryView[],
  links: Links,
): string {
  const { id, destinations, selector, prefetch, leaseEndsAt } = subscription
  return page({
    title: `Messages for a subscription to ${destinations.join(', ')}`,
    facts: [
      ['Prefetch', prefetch],
      ['Lease ends', dateTime(leaseEndsAt)],
      ...(selector === undefined ? [] : [['Selector', selector] as const]),
    ],
    columns: ['Message', 'Queue', 'Published', 'Deliveries', 'Type', 'Body'],
    rows: deliveries.map((delivery) => [
      link(links.delivery(id, delivery.id), String(delivery.message.sequence)),
      delivery.message.queue.name,
      dateTime(delivery.message.publishedAt),
      delivery.message.deliveries,
      mediaTypeOf(delivery.message.content),
      body(delivery.message.content, links.deliveryContent(id, delivery.id)),
    ]),
    empty: 'No message is in this hand.',
    next: undefined,
  })
}

function body(content: ContentView, raw: string): Cell {
  const text = readableText(content)
  const size = content.body.byteLength
  if (text === undefined || text.length > PREVIEW) return link(raw, `${size} bytes`)
  return preformatted(text)
}
