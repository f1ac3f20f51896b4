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
export function unquote(text: string): string | undefined {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(text)) return text
  if (/^"(?:[^"\\]|\\.)*"$/s.test(text)) return text.slice(1, -1).replace(/\\(.)/gs, '$1')
  return undefined
}
