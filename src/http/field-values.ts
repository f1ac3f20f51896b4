/** Values of header fields (RFC 9110 section 5.6): lists, media types, preferences. */
/**
 * Splits a field value at a separator, but not inside quoted strings (RFC 9110
 * section 5.6.4). Pieces are trimmed; empty ones are left out, as section 5.6.1 asks.
 */
export function splitQuoted(text: string, separator: ',' | ';'): string[] {
  const pieces: string[] = []
  let start = 0
  let quoted = false
  for (let at = 0; at <= text.length; at++) {
    const char = text[at]
    if (quoted && char === '\\') at++
    else if (char === '"') quoted = !quoted
    if (at >= text.length || (char === separator && !quoted)) {
      const piece = text.slice(start, at).trim()
      if (piece !== '') pieces.push(piece)
      start = at + 1
    }
  }
  return pieces
}

/** What a token or quoted string says; undefined when the text is neither. */
function unquote(text: string): string | undefined {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(text)) return text
  if (/^"(?:[^"\\]|\\.)*"$/s.test(text)) return text.slice(1, -1).replace(/\\(.)/gs, '$1')
  return undefined
}

/** A media type, taken apart (RFC 9110 section 8.3.1). */
export interface MediaType {
  /** Type and subtype in lower case, such as `text/plain`. */
  readonly type: string
  /** By name in lower case; of a name given twice, the first. */
  readonly parameters: ReadonlyMap<string, string>
}

/** The type that was read last: most messages have the same. */
let last: { readonly text: string; readonly read: MediaType | undefined } = { text: '', read: undefined }

/** Reads a `Content-Type`; undefined when there is none, or when it is not a media type. */
export function parseMediaType(text: string = ''): MediaType | undefined {
  if (text !== last.text) last = { text, read: readMediaType(text) }
  return last.read
}

function readMediaType(text: string): MediaType | undefined {
  const [type, ...rest] = splitQuoted(text, ';')
  if (type === undefined || !/^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/.test(type)) return undefined
  const parameters = new Map<string, string>()
  for (const parameter of rest) {
    const equals = parameter.indexOf('=')
    const name = parameter.slice(0, equals).toLowerCase()
    const value = equals > 0 ? unquote(parameter.slice(equals + 1)) : undefined
    if (value === undefined) return undefined
    if (!parameters.has(name)) parameters.set(name, value)
  }
  return { type: type.toLowerCase(), parameters }
}

/** Says whether a `Content-Type` names this type, whatever its parameters. */
export function isMediaType(text: string | undefined, type: string): boolean {
  return parseMediaType(text)?.type === type
}

/**
 * How many seconds the client would wait for something to change: `Prefer:
 * wait=N` (RFC 7240 section 4.3). Undefined when it did not say so. Other
 * preferences are ignored, and so is a wait that is not a whole number: a
 * preference can never make a request fail. Of several waits the first counts.
 */
export function preferredWait(prefer: string | readonly string[] | undefined): number | undefined {
  if (prefer === undefined) return undefined
  for (const preference of splitQuoted(typeof prefer === 'string' ? prefer : prefer.join(','), ',')) {
    const [first = ''] = splitQuoted(preference, ';')
    const [, name = '', text = ''] = /^([^=]*)=?(.*)$/s.exec(first) ?? []
    if (name.trim().toLowerCase() !== 'wait') continue
    const value = unquote(text.trim())
    return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined
  }
  return undefined
}
