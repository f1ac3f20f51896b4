import type { Links } from '../http/links.js'
import { AUTHOR, dateTime, deliveryEntry, messageEntry, NAMESPACES } from './entry.js'
import { escapeAttribute, escapeText } from './escape.js'
import { nameUuid } from './name-uuid.js'
import { EXTENSIONS, GENERATOR } from './names.js'
import type {
  DeliveryView,
  ListingEntryView,
  MessageView,
  PageView,
  QueueView,
  SubscriptionView,
} from './views.js'

const FEED_LINK = 'type="application/atom+xml;type=feed"'

/** Which page of a feed was asked for; it goes into the links of the page. */
export interface PageRequest {
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

/**
 * What is directly below a category (section 4.1, browse queues, browse a
 * subtree): one entry per queue and one per category; a child that is both has both.
 *
 * @param category canonical; the empty text is the root
 */
// clause: browse.atom
export function listingFeed(
  category: string,
  page: PageView<ListingEntryView>,
  links: Links,
  request: PageRequest = {},
): string {
  return feed({
    // The slash keeps the ids of a listing and of its category's entry apart. What is no path begins with one.
    id: nameUuid(`${category}/`),
    title: category === '' ? 'Queues' : `Queues below ${category}`,
    updatedAt: page.updatedAt,
    links: pageLinks(links.listing(category), page.next, request),
    facts: '',
    entries: page.items.map((item) =>
      item.kind === 'queue' ? queueEntry(item.queue, links) : categoryEntry(item, links),
    ),
  })
}

/** A queue's pending messages, oldest first, held or not (section 4.1, browse a queue's messages). */
export function queueFeed(
  page: PageView<MessageView> & { readonly queue: QueueView },
  links: Links,
  request: PageRequest = {},
): string {
  const { queue, items, next } = page
  return feed({
    id: nameUuid(`/queue/${queue.id}`),
    title: queue.name,
    updatedAt: page.updatedAt,
    links: pageLinks(links.queue(queue.name), next, request),
    facts: counts(queue),
    entries: items.map((message) => messageEntry(message, links)),
  })
}

/** The messages that a consumer may consume (section 4.1, consume), and until when it holds them. */
export function subscriptionFeed(
  subscription: SubscriptionView,
  deliveries: readonly DeliveryView[],
  links: Links,
): string {
  const { destinations, selector, prefetch, leaseEndsAt } = subscription
  return feed({
    id: nameUuid(`/subscription/${subscription.id}`),
    title: `Messages for a subscription to ${destinations.join(', ')}`,
    updatedAt: subscription.updatedAt,
    links: pageLinks(links.subscription(subscription.id), undefined, {}),
    facts: [
      `  <mq:lease-ends>${dateTime(leaseEndsAt)}</mq:lease-ends>\n`,
      `  <mq:prefetch>${prefetch}</mq:prefetch>\n`,
      ...destinations.map((name) => `  <mq:destination>${escapeText(name)}</mq:destination>\n`),
      selector === undefined ? '' : `  <mq:selector>${escapeText(selector)}</mq:selector>\n`,
    ].join(''),
    entries: deliveries.map((delivery) => deliveryEntry(delivery, links)),
  })
}

interface FeedParts {
  readonly id: string
  readonly title: string
  readonly updatedAt: number
  readonly links: string
  readonly facts: string
  readonly entries: readonly string[]
}

// clause: browse.atom.well-formed browse.atom.feed browse.atom.author
function feed({ id, title, updatedAt, links, facts, entries }: FeedParts): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<feed ${NAMESPACES}>
  <id>urn:uuid:${id}</id>
  <title>${escapeText(title)}</title>
  <updated>${dateTime(updatedAt)}</updated>
  ${AUTHOR}
  <generator version="${GENERATOR.version}">${GENERATOR.name}</generator>
${links}${facts}${entries.join('')}</feed>
`
}

/** `self`, and `next` when more follows (RFC 5005 section 3). */
// clause: browse.atom.links
function pageLinks(address: string, next: string | undefined, request: PageRequest): string {
  const link = (rel: string, at: string | undefined) =>
    `  <link rel="${rel}" ${FEED_LINK} href="${escapeAttribute(pageAddress(address, at, request))}"/>\n`
  return link('self', request.cursor) + (next === undefined ? '' : link('next', next))
}

/** The address of the page of a feed that begins behind `cursor`, as long as the pages asked for. */
export function pageAddress(address: string, cursor: string | undefined, { limit }: PageRequest): string {
  const query = new URLSearchParams()
  if (cursor !== undefined) query.set('cursor', cursor)
  if (limit !== undefined) query.set('limit', String(limit))
  return query.size > 0 ? `${address}?${query}` : address
}

function queueEntry(queue: QueueView, links: Links): string {
  const href = escapeAttribute(links.queue(queue.name))
  return `  <entry>
    <id>urn:uuid:${queue.id}</id>
    <title>${escapeText(queue.name)}</title>
    <published>${dateTime(queue.createdAt)}</published>
    <updated>${dateTime(queue.updatedAt)}</updated>
    <category term="queue" scheme="${EXTENSIONS}"/>
    <link rel="alternate" ${FEED_LINK} href="${href}"/>
    <link rel="edit" href="${href}"/>
    <summary>${queue.pending} pending, of these ${queue.held} held</summary>
  ${counts(queue).replaceAll('\n  ', '\n    ')}    <mq:subscriptions>${queue.subscriptions}</mq:subscriptions>
  </entry>
`
}

function categoryEntry({ name, updatedAt }: { name: string; updatedAt: number }, links: Links): string {
  return `  <entry>
    <id>urn:uuid:${nameUuid(name)}</id>
    <title>${escapeText(name)}</title>
    <updated>${dateTime(updatedAt)}</updated>
    <category term="category" scheme="${EXTENSIONS}"/>
    <link rel="alternate" ${FEED_LINK} href="${escapeAttribute(links.listing(name))}"/>
    <summary>Queues below ${escapeText(name)}</summary>
  </entry>
`
}

function counts({ pending, held }: QueueView): string {
  return `  <mq:pending>${pending}</mq:pending>\n  <mq:held>${held}</mq:held>\n`
}
