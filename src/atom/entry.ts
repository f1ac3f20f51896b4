import type { Links } from '../http/links.js'
import { contentElements, mediaTypeOf } from './content.js'
import { escapeAttribute, escapeText } from './escape.js'
import { ATOM, EXTENSIONS, GENERATOR } from './names.js'
import type { DeliveryView, MessageView } from './views.js'

/** The declaration of the namespaces, as every root element has it. */
export const NAMESPACES = `xmlns="${ATOM}" xmlns:mq="${EXTENSIONS}"`

/** RFC 4287 section 4.1.1 asks for an author; who sent a message is not known, so the server signs. */
export const AUTHOR = `<author><name>${GENERATOR.name}</name></author>`

const ENTRY_LINK = 'type="application/atom+xml;type=entry"'

/**
 * A message in a subscription's feed: to be read, and acknowledged by DELETE of its one `edit` link.
 *
 * @param room how many characters its body may take inline
 */
export function deliveryEntry(delivery: DeliveryView, links: Links, room: number): string {
  return `  <entry>\n${deliveryElements(delivery, links, room)}  </entry>\n`
}

/** A message in its queue's feed: only to look at. */
export function messageEntry(message: MessageView, links: Links): string {
  return `  <entry>\n${messageElements(message, links)}  </entry>\n`
}

/** The entry document at a message URI. */
export function deliveryDocument(delivery: DeliveryView, links: Links): string {
  return entryDocument(deliveryElements(delivery, links, Number.POSITIVE_INFINITY))
}

/** The entry document of a pending message, whoever holds it. */
export function messageDocument(message: MessageView, links: Links): string {
  return entryDocument(messageElements(message, links))
}

/** The beginnings of the moments written last, by their seconds: to make them costs ten times what the rest does. */
const seconds = new Map<number, string>()
const MOST_SECONDS = 100

/** A moment, given in milliseconds since the epoch, as RFC 3339 writes it. */
// clause: browse.atom.dates
export function dateTime(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000)
  let beginning = seconds.get(second)
  if (beginning === undefined) {
    if (seconds.size === MOST_SECONDS) seconds.clear()
    beginning = new Date(milliseconds).toISOString().slice(0, -4)
    seconds.set(second, beginning)
  }
  return `${beginning}${String(Math.floor(milliseconds - second * 1000)).padStart(3, '0')}Z`
}

// clause: consume.message-uri consume.message-uri.own consume.edit-link consume.deliveries
function deliveryElements({ id, message, subscription }: DeliveryView, links: Links, room: number): string {
  const raw = links.deliveryContent(subscription.id, id)
  return `${headOf(message)}
    <link rel="edit" ${ENTRY_LINK} href="${escapeAttribute(links.delivery(subscription.id, id))}"/>
    ${bodyOf(message, raw, room)}
    <mq:deliveries>${message.deliveries}</mq:deliveries>
${tailOf(message)}`
}

// clause: browse.no-ack-links browse.fields
function messageElements(message: MessageView, links: Links): string {
  const raw = links.messageContent(message.id)
  return `${headOf(message)}
    <link rel="alternate" ${ENTRY_LINK} href="${escapeAttribute(links.message(message.id))}"/>
    ${bodyOf(message, raw, Number.POSITIVE_INFINITY)}
    <mq:deliveries>${message.deliveries}</mq:deliveries>
    <mq:held>${message.holder !== undefined}</mq:held>
${tailOf(message)}`
}

// clause: browse.atom.entry browse.atom.id-iri
// clause: browse.entry.dates
function headOf({ id, sequence, queue, publishedAt, updatedAt }: MessageView): string {
  return `    <id>urn:uuid:${id}</id>
    <title>Message ${sequence} of ${escapeText(queue.name)}</title>
    <published>${dateTime(publishedAt)}</published>
    <updated>${dateTime(updatedAt)}</updated>`
}

/** The link to the raw body, with its type and length, and the content. */
// clause: consume.raw-link
function bodyOf({ content }: MessageView, raw: string, room: number): string {
  // Each look at the bytes may be a copy of them.
  const body = content.ascii ?? content.body
  const media = `type="${escapeAttribute(mediaTypeOf(content))}" length="${body.length}"`
  return `<link rel="enclosure" ${media} href="${escapeAttribute(raw)}"/>
    ${contentElements(content, body, raw, room)}`
}

// clause: consume.properties
function tailOf({ content, queue }: MessageView): string {
  let tail = `    <mq:queue>${escapeText(queue.name)}</mq:queue>\n`
  for (const [name, value] of content.properties) {
    tail += `    <mq:property name="${escapeAttribute(name)}">${escapeText(value)}</mq:property>\n`
  }
  return tail
}

function entryDocument(elements: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<entry ${NAMESPACES}>
    ${AUTHOR}
${elements}</entry>
`
}
