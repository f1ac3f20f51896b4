import type { Page } from '../broker/page.js'
import type { Links } from '../http/links.js'
import { joined, type Written } from '../platform/bytes.js'
import { LINKED_LENGTH } from './content.js'
import { AUTHOR, dateTime, deliveryEntry, messageEntry, NAMESPACES } from './entry.js'
import { escapeAttribute, escapeText } from './escape.js'
import { fill } from './fill.js'
import { nameUuid } from './name-uuid.js'
import { EXTENSIONS, GENERATOR } from './names.js'
import type { DeliveryView, ListingEntryView, MessageView, QueueView, SubscriptionView } from './views.js'

const FEED_LINK = 'type="application/atom+xml;type=feed"'

/** Which page of a feed was asked for, which goes into its links, and how it is to be made. */
export interface PageRequest {
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
  /** Most bytes of its entries; without a bound unless given. */
  readonly maxBytes?: number
  /** Where the next page begins when this one has no room for more than the first few of its items. */
  readonly nextAfter?: (items: number) => string | undefined
  /** Keeps the ids of one server's categories apart from those of every other's. */
  readonly seed?: string
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
  page: Page<ListingEntryView>,
  links: Links,
  request: PageRequest = {},
): Written {
  const { seed = '' } = request
  const { entries, next } = pageOf(page, request, (item) =>
    item.kind === 'queue' ? queueEntry(item.queue, links) : categoryEntry(item, links, seed),
  )
  return feed({
    // The slash keeps the ids of a listing and of its category's entry apart. What is no path begins with one.
    id: nameUuid(`${category}/`, seed),
    title: category === '' ? 'Queues' : `Queues below ${category}`,
    updatedAt: Math.max(
      page.updatedAt,
      ...page.items.map((item) => (item.kind === 'queue' ? item.queue : item).updatedAt),
    ),
    links: pageLinks(links.listing(category), next, request),
    facts: '',
    entries,
  })
}

/** A queue's pending messages, oldest first, held or not (section 4.1, browse a queue's messages). */
export function queueFeed(
  page: Page<MessageView> & { readonly queue: QueueView },
  links: Links,
  request: PageRequest = {},
): Written {
  const { queue } = page
  const { entries, next } = pageOf(page, request, (message) => messageEntry(message, links))
  return feed({
    id: feedIdOf(queue, 'queue'),
    title: queue.name,
    updatedAt: page.updatedAt,
    links: pageLinks(links.queue(queue.name), next, request),
    facts: counts(queue),
    entries,
  })
}

/**
 * The messages that a consumer may consume (section 4.1, consume), and until when it holds them. It is one page, however
 * many they are: where their bodies have no room in it they are linked. Only where even that has no room there is a next.
 */
// clause: consume.one-page lease.shown
export function subscriptionFeed(
  subscription: SubscriptionView,
  deliveries: readonly DeliveryView[],
  links: Links,
  request: PageRequest = {},
): Written {
  const { destinations, selector, prefetch, leaseEndsAt } = subscription
  const { entries, next } = pageOf(
    { items: deliveries, next: undefined },
    request,
    (delivery, room) => deliveryEntry(delivery, links, room),
    LINKED_LENGTH,
  )
  const paged = next !== undefined || request.cursor !== undefined
  return feed({
    id: feedIdOf(subscription, 'subscription'),
    title: `Messages for a subscription to ${destinations.join(', ')}`,
    updatedAt: subscription.updatedAt,
    links: pageLinks(links.subscription(subscription.id), next, request, paged),
    facts: [
      `  <mq:lease-ends>${dateTime(leaseEndsAt)}</mq:lease-ends>\n`,
      `  <mq:prefetch>${prefetch}</mq:prefetch>\n`,
      ...destinations.map((name) => `  <mq:destination>${escapeText(name)}</mq:destination>\n`),
      selector === undefined ? '' : `  <mq:selector>${escapeText(selector)}</mq:selector>\n`,
    ].join(''),
    entries,
  })
}

/** The collection of subscriptions, which tells of none. */
export function subscriptionsFeed(startedAt: number, links: Links, seed: string): Written {
  return feed({
    id: nameUuid('/subscriptions', seed),
    title: 'Subscriptions',
    updatedAt: startedAt,
    links: pageLinks(links.subscriptions(), undefined, {}, false),
    facts: '',
    entries: [],
  })
}

/** Ids of feeds, made once each. */
const feedIds = new WeakMap<object, string>()

/** The id of the feed of something that has an id of its own, and differs from that. */
function feedIdOf(of: { readonly id: string }, kind: string): string {
  const known = feedIds.get(of)
  if (known !== undefined) return known
  const made = nameUuid(`/${kind}/${of.id}`, '')
  feedIds.set(of, made)
  return made
}

/** The entries that have room on a page, and where the next one begins. */
export function pageOf<T>(
  { items, next }: Pick<Page<T>, 'items' | 'next'>,
  { maxBytes = Number.POSITIVE_INFINITY, nextAfter }: PageRequest,
  write: (item: T, room: number) => string,
  least?: number,
): { readonly entries: readonly Written[]; readonly next: string | undefined } {
  const { parts, count } = fill(items, maxBytes, write, least)
  return { entries: parts, next: count === items.length ? next : nextAfter?.(count) }
}

interface FeedParts {
  readonly id: string
  readonly title: string
  readonly updatedAt: number
  readonly links: string
  readonly facts: string
  readonly entries: readonly Written[]
}

// clause: browse.atom.well-formed browse.atom.feed browse.atom.author
function feed({ id, title, updatedAt, links, facts, entries }: FeedParts): Written {
  const head = `<?xml version="1.0" encoding="utf-8"?>
<feed ${NAMESPACES}>
  <id>urn:uuid:${id}</id>
  <title>${escapeText(title)}</title>
  <updated>${dateTime(updatedAt)}</updated>
  ${AUTHOR}
  <generator version="${GENERATOR.version}">${GENERATOR.name}</generator>
${links}${facts}`
  return joined([head, ...entries, '</feed>\n'])
}

/** `self` and, where there are pages, `first`, and `next` when more follows (RFC 5005 section 3). */
// clause: browse.atom.links
// clause: browse.paging.next
function pageLinks(address: string, next: string | undefined, request: PageRequest, paged = true): string {
  const link = (rel: string, at: string | undefined) =>
    `  <link rel="${rel}" ${FEED_LINK} href="${escapeAttribute(pageAddress(address, at, request))}"/>\n`
  return [
    link('self', request.cursor),
    paged ? link('first', undefined) : '',
    next === undefined ? '' : link('next', next),
  ].join('')
}

/** The address of the page of a feed that begins behind `cursor`, as long as the pages asked for. */
export function pageAddress(address: string, cursor: string | undefined, { limit }: PageRequest): string {
  if (cursor === undefined && limit === undefined) return address
  const query = new URLSearchParams()
  if (cursor !== undefined) query.set('cursor', cursor)
  if (limit !== undefined) query.set('limit', String(limit))
  return `${address}?${query}`
}

// clause: browse.listing.kinds browse.listing.links browse.fields
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

// clause: browse.listing.kinds browse.listing.links browse.fields
function categoryEntry(
  { name, updatedAt }: { name: string; updatedAt: number },
  links: Links,
  seed: string,
): string {
  return `  <entry>
    <id>urn:uuid:${nameUuid(name, seed)}</id>
    <title>${escapeText(name)}</title>
    <updated>${dateTime(updatedAt)}</updated>
    <category term="category" scheme="${EXTENSIONS}"/>
    <link rel="alternate" ${FEED_LINK} href="${escapeAttribute(links.listing(name))}"/>
    <summary>Queues below ${escapeText(name)}</summary>
  </entry>
`
}

// clause: browse.listing.counts
function counts({ pending, held }: QueueView): string {
  return `  <mq:pending>${pending}</mq:pending>\n  <mq:held>${held}</mq:held>\n`
}
