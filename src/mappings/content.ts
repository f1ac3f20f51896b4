import type { Content, Message } from '../broker/message.js'
import { makeETag } from '../http/conditional.js'
import type { Reply, Request } from '../http/exchange.js'

const PROPERTY = 'property-'

/**
 * A message as a request brings it: the bytes of its body, exactly, with the header fields that describe them, and
 * each `Property-<name>` as a property (`chosen`). An empty body is a message.
 */
// clause: send.body.text send.body.whitespace send.body.crlf send.body.unicode send.body.markup
export function contentOf({ headers, body }: Request): Content {
  const properties = new Map<string, string>()
  for (const name in headers) {
    if (name.startsWith(PROPERTY) && name.length > PROPERTY.length) {
      properties.set(name.slice(PROPERTY.length).replaceAll('-', '_'), readField(String(headers[name])))
    }
  }
  return {
    body,
    contentType: headers['content-type'],
    contentEncoding: headers['content-encoding'],
    contentLanguage: headers['content-language'],
    properties,
  }
}

/**
 * A message as it was sent, with the fields it was sent with. It may be a page with scripts in it, from anybody,
 * under this server's own address: a browser that is shown it gives it no rights there.
 */
// clause: send.body.binary send.body.chunked send.body.empty send.body.large dedup.body
export function rawMessage(message: Message, extra: Readonly<Record<string, string>> = {}): Reply {
  const { body, contentType, contentEncoding, contentLanguage, properties } = message.content
  const headers: Record<string, string> = {
    'Content-Type': contentType ?? 'application/octet-stream',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': 'sandbox',
  }
  if (contentEncoding !== undefined) headers['Content-Encoding'] = contentEncoding
  if (contentLanguage !== undefined) headers['Content-Language'] = contentLanguage
  for (const [name, value] of properties) headers[`Property-${name.replaceAll('_', '-')}`] = writeField(value)
  return { status: 200, headers: { ...headers, ...extra }, body }
}

/** A strong entity tag for a message's body: it never changes. */
export function bodyETag(message: Message): string {
  return makeETag(message.id)
}

/** Fields arrive as bytes, which `node:http` gives as Latin-1; where they are UTF-8, that is what was meant. */
function readField(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII is just what is looked for
  if (/^[\x00-\x7f]*$/.test(value)) return value
  const text = Buffer.from(value, 'latin1').toString('utf8')
  return text.includes('\ufffd') ? value : text
}

/** The bytes of a field as `node:http` takes them. */
function writeField(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1')
}
