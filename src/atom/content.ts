import { parseMediaType } from '../http/field-values.js'
import { toBase64, utf8Of } from '../platform/bytes.js'
import { escapeAttribute, escapeText, isXmlLegal } from './escape.js'
import type { ContentView } from './views.js'

/** Largest body that stands in an entry itself, in bytes; larger ones are linked. Chosen, for text as for anything else. */
export const INLINE_LIMIT = 64 * 1024

/** What the content of an entry takes where it is linked, in characters, about. */
export const LINKED_LENGTH = 1024

/** The type of a message whose producer gave none, or none that is one (chosen, after RFC 9110 section 8.3). */
export const DEFAULT_TYPE = 'application/octet-stream'

const XML_TYPE = /[+/]xml$|\/xml-(?:external-parsed-entity|dtd)$/
/** What RFC 4287 section 4.1.3.1 keeps out of a content's type. */
const COMPOSITE_TYPE = /^(?:multipart|message)\//
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The media type of a message as it was sent, or the default. */
export function mediaTypeOf({ contentType }: ContentView): string {
  return contentType !== undefined && parseMediaType(contentType) ? contentType : DEFAULT_TYPE
}

/**
 * A message's body as the `content` of its entry (RFC 4287 section 4.1.3):
 *
 * - inline text, when it is text that XML can carry exactly;
 * - base64, when it is neither text nor XML, and has no content coding;
 * - otherwise, or when it is empty or there is no room for it, a link to the raw body.
 *
 * The last two bear a `summary`, as section 4.1.2 asks.
 *
 * @param body its bytes, or their text, where that is plain ASCII
 * @param source the address of the raw body
 * @param room how many characters it may take inline
 * @returns the elements
 */
// clause: browse.atom.content browse.atom.summary
// clause: browse.content.linked browse.content.large
export function contentElements(
  content: ContentView,
  body: Uint8Array | string,
  source: string,
  room: number,
): string {
  const sent = mediaTypeOf(content)
  const { type } = parseMediaType(sent)!
  const { length } = body
  const inline = length > 0 && length <= INLINE_LIMIT ? inlineElement(content, body, sent, type) : undefined
  if (inline !== undefined && inline.length <= room) return inline
  const typed = COMPOSITE_TYPE.test(type) ? '' : ` type="${escapeAttribute(sent)}"`
  return `${summaryOf(length, sent)}\n    <content${typed} src="${escapeAttribute(source)}"/>`
}

/** Undefined for what can only be linked. */
// clause: browse.content.text browse.content.base64
function inlineElement(
  content: ContentView,
  body: Uint8Array | string,
  sent: string,
  type: string,
): string | undefined {
  if (content.contentEncoding !== undefined || XML_TYPE.test(type) || COMPOSITE_TYPE.test(type))
    return undefined
  if (type.startsWith('text/')) {
    const text = readableText(content, body)
    // Without its parameters: the charset is now that of the feed.
    return text && `<content type="${escapeAttribute(type)}">${escapeText(text)}</content>`
  }
  const bytes = utf8Of(body)
  return `${summaryOf(body.length, sent)}\n    <content type="${escapeAttribute(sent)}">${toBase64(bytes)}</content>`
}

function summaryOf(length: number, sent: string): string {
  const size = `${length} ${length === 1 ? 'byte' : 'bytes'}`
  return `<summary>${escapeText(`${size} of ${sent}`)}</summary>`
}

/** A body as text, where it is text that XML, and so a page, can carry exactly; undefined otherwise. */
export function readableText(
  content: ContentView,
  body: Uint8Array | string = content.ascii ?? content.body,
): string | undefined {
  const { type, parameters } = parseMediaType(mediaTypeOf(content))!
  if (content.contentEncoding !== undefined || !type.startsWith('text/')) return undefined
  const text = decode(body, parameters.get('charset')?.toLowerCase())
  return text !== undefined && (typeof body === 'string' || isXmlLegal(text)) ? text : undefined
}

function decode(body: Uint8Array | string, charset = 'utf-8'): string | undefined {
  if (charset !== 'utf-8' && charset !== 'us-ascii') return undefined
  if (typeof body === 'string') return body
  if (charset === 'us-ascii' && body.some((byte) => byte > 0x7f)) return undefined
  try {
    return utf8.decode(body)
  } catch {
    return undefined
  }
}
