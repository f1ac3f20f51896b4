import { mediaTypeOf } from '../atom/content.js'
import { type Content, propertyName } from '../broker/content.js'
import type { Message } from '../broker/entities.js'
import type { Reply, Request } from '../http/exchange.js'
import { parseMediaType } from '../http/field-values.js'
import { DEFAULT_EDGE_LIMITS, type EdgeLimits } from '../http/limits.js'
import { Problem } from '../http/problems.js'
import { fromLatin1, toLatin1, toUtf8, utf8Length } from '../platform/bytes.js'

const PROPERTY = 'property-'

const NO_PROPERTIES: ReadonlyMap<string, string> = new Map()

/** What stands around the name and the value of a field. */
const FIELD_OVERHEAD = ': \r\n'.length

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The most fields that some clients read of one answer is a hundred; this leaves room for those that are not the message's. */
export const MOST_PROPERTIES = 64

/**
 * A message as a request brings it: the bytes of its body, exactly, with the header fields that describe them, and
 * each `Property-<name>` as a property (`chosen`). An empty body is a message. A type that is none is left out.
 *
 * @throws Problem `header-too-large` for what could not be handed back: many clients refuse an answer whose head is long
 */
// clause: send.body.text send.body.whitespace send.body.crlf send.body.unicode send.body.markup
// clause: send.content-type send.properties send.message-form
export function contentOf(
  { headers, body }: Request,
  { maxFields }: Readonly<EdgeLimits> = DEFAULT_EDGE_LIMITS,
): Content {
  let properties: Map<string, string> | undefined
  const type = headers['content-type']
  const contentEncoding = headers['content-encoding']
  const contentLanguage = headers['content-language']
  let length = (type?.length ?? 0) + (contentEncoding?.length ?? 0) + (contentLanguage?.length ?? 0)
  for (const name of Object.keys(headers)) {
    if (!name.startsWith(PROPERTY) || name.length === PROPERTY.length) continue
    const value = readField(String(headers[name]))
    properties ??= new Map()
    properties.set(propertyName(name.slice(PROPERTY.length)), value)
    length += name.length + utf8Length(value) + FIELD_OVERHEAD
  }
  if (length > maxFields || (properties?.size ?? 0) > MOST_PROPERTIES) {
    throw new Problem(
      'header-too-large',
      `A message may have ${MOST_PROPERTIES} properties, and their names and values, with its type, coding and language, may be ${maxFields} bytes long as they are handed out; put more into its body.`,
      { limit: maxFields, properties: MOST_PROPERTIES },
    )
  }
  return {
    body,
    contentType: type !== undefined && parseMediaType(type) ? type : undefined,
    contentEncoding,
    contentLanguage,
    properties: properties ?? NO_PROPERTIES,
  }
}

/**
 * A message as it was sent, with the fields it was sent with. It may be a page with scripts in it, from anybody,
 * under this server's own address: a browser that is shown it gives it no rights there.
 */
// clause: send.body.binary send.body.form send.body.chunked send.body.continued send.body.empty send.body.large send.body.mebibyte dedup.body
export function rawMessage(message: Message, extra: Readonly<Record<string, string>> = {}): Reply {
  const { body, contentEncoding, contentLanguage, properties } = message.content
  const headers: Record<string, string> = {
    'Content-Type': mediaTypeOf(message.content),
    'Content-Security-Policy': 'sandbox',
  }
  if (contentEncoding !== undefined) headers['Content-Encoding'] = contentEncoding
  if (contentLanguage !== undefined) headers['Content-Language'] = contentLanguage
  for (const [name, value] of properties) {
    // The bytes of a field as `node:http` takes them.
    headers[`Property-${name.replaceAll('_', '-')}`] = toLatin1(toUtf8(value))
  }
  return { status: 200, headers: { ...headers, ...extra }, body }
}

/** Fields arrive as bytes, which `node:http` gives as Latin-1; where they are UTF-8, that is what was meant. */
function readField(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII is just what is looked for
  if (/^[\x00-\x7f]*$/.test(value)) return value
  try {
    return utf8.decode(fromLatin1(value))
  } catch {
    return value
  }
}
