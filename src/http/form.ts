import { Problem } from './problems.js'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads `application/x-www-form-urlencoded` strictly: names and values in the
 * order in which they were sent, repeats kept. Each is read when it is asked for, so that who refuses one reads no more.
 *
 * @param form a body, or a query without its `?`
 * @throws Problem `bad-percent-encoding` for a bad escape or bytes that are not
 *   UTF-8: a name that silently became another would be worse than a refusal
 */
export function* parseForm(form: string | Uint8Array): Generator<[name: string, value: string]> {
  const text = typeof form === 'string' ? form : decodeBytes(form)
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf('&', start)
    if (end < 0) end = text.length
    if (end === start) continue
    const piece = text.slice(start, end)
    const equals = piece.indexOf('=')
    if (equals < 0) yield [decodeField(piece), '']
    else yield [decodeField(piece.slice(0, equals)), decodeField(piece.slice(equals + 1))]
  }
}

/**
 * Percent-decodes one path segment.
 *
 * @throws Problem `bad-percent-encoding`
 */
// clause: queues.name.escapes
export function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    const text = JSON.stringify(segment.slice(0, 100))
    throw new Problem(
      'bad-percent-encoding',
      `${text} is not percent-encoded UTF-8; write each byte as % and two hexadecimal digits.`,
    )
  }
}

/** The same, and as it stands where it cannot be decoded (RFC 3986 section 6.2.2.2: `%71ueues` is `queues`). */
export function plainSegment(segment: string): string {
  try {
    return decodeSegment(segment)
  } catch {
    return segment
  }
}

/**
 * Reads bytes as UTF-8, without the mark that some programs put before it.
 *
 * @param detail what is wrong where they are not
 * @throws Problem `malformed-request`
 */
export function decodeUtf8(bytes: Uint8Array, detail: string): string {
  try {
    return utf8.decode(bytes).replace(/^\ufeff/, '')
  } catch {
    throw new Problem('malformed-request', detail)
  }
}

function decodeField(text: string): string {
  return decodeSegment(text.replaceAll('+', ' '))
}

function decodeBytes(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Problem('bad-percent-encoding', 'The form is not UTF-8; send it percent-encoded.')
  }
}
