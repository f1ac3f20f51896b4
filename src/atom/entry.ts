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

/** What of an entry is the same as long as the message lives: made once, since bodies are large. */
interface Lasting {
  readonly head: string
  /** The attributes of a link to the raw body. */
  readonly media: string
  readonly content: (source: string) => string
  readonly tail: string
}

const lastingParts = new WeakMap<MessageView, Lasting>()

/** A message in a subscription's feed: to be read, and acknowledged by DELETE of its one `edit` link. */
export function deliveryEntry(delivery: DeliveryView, links: Links): string {
  return `  <entry>\n${deliveryElements(delivery, links)}  </entry>\n`
}

/** A message in its queue's feed: only to look at. */
export function messageEntry(message: MessageView, links: Links): string {
  return `  <entry>\n${messageElements(message, links)}  </entry>\n`
}

/** The entry document at a message URI. */
export function deliveryDocument(delivery: DeliveryView, links: Links): string {
  return entryDocument(deliveryElements(delivery, links))
}

/** The entry document of a pending message, whoever holds it. */
export function messageDocument(message: MessageView, links: Links): string {
  return entryDocument(messageElements(message, links))
}

/** A moment, given in milliseconds since the epoch, as RFC 3339 writes it. */
// clause: browse.atom.dates
export function dateTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

// clause: consume.message-uri consume.message-uri.own
function deliveryElements({ id, message, subscription }: DeliveryView, links: Links): string {
  const raw = links.deliveryContent(subscription.id, id)
  const { head, media, content, tail } = lasting(message)
  return `${head}    <updated>${dateTime(message.updatedAt)}</updated>
    <link rel="edit" ${ENTRY_LINK} href="${escapeAttribute(links.delivery(subscription.id, id))}"/>
    <link rel="edit-media" ${media} href="${escapeAttribute(raw)}"/>
    ${content(raw)}
    <mq:deliveries>${message.deliveries}</mq:deliveries>
${tail}`
}

function messageElements(message: MessageView, links: Links): string {
  const raw = links.messageContent(message.id)
  const { head, media, content, tail } = lasting(message)
  return `${head}    <updated>${dateTime(message.updatedAt)}</updated>
    <link rel="alternate" ${ENTRY_LINK} href="${escapeAttribute(links.message(message.id))}"/>
    <link rel="enclosure" ${media} href="${escapeAttribute(raw)}"/>
    ${content(raw)}
    <mq:deliveries>${message.deliveries}</mq:deliveries>
    <mq:held>${message.holder !== undefined}</mq:held>
${tail}`
}

// clause: browse.atom.entry browse.atom.id-iri
function lasting(message: MessageView): Lasting {
  const known = lastingParts.get(message)
  if (known) return known
  const { content, queue } = message
  const made: Lasting = {
    head: `    <id>urn:uuid:${message.id}</id>
    <title>Message ${message.sequence} of ${escapeText(queue.name)}</title>
    <published>${dateTime(message.publishedAt)}</published>
`,
    media: `type="${escapeAttribute(mediaTypeOf(content))}" length="${content.body.byteLength}"`,
    content: contentElements(content),
    tail: [
      `    <mq:queue>${escapeText(queue.name)}</mq:queue>\n`,
      ...[...content.properties].map(
        ([name, value]) =>
          `    <mq:property name="${escapeAttribute(name)}">${escapeText(value)}</mq:property>\n`,
      ),
    ].join(''),
  }
  lastingParts.set(message, made)
  return made
}

function entryDocument(elements: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<entry ${NAMESPACES}>
    ${AUTHOR}
${elements}</entry>
`
}
