/** Node's own way is many times faster with what is long. */
const native = (globalThis as { Buffer?: typeof Buffer }).Buffer

const encoder = new TextEncoder()

/** How many characters are made in one call. */
const PIECE = 8192

/** How many bytes a text has as UTF-8. */
export const utf8Length: (text: string) => number = native?.byteLength ?? plainUtf8Length

/** {@link utf8Length} by what every platform has. */
export function plainUtf8Length(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII is just what is looked for
  return /^[\x00-\x7f]*$/.test(text) ? text.length : encoder.encode(text).length
}

/** Bytes as base64 (RFC 4648 section 4). */
export const toBase64: (bytes: Uint8Array) => string = native
  ? ({ buffer, byteOffset, byteLength }) =>
      native.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('base64')
  : plainToBase64

/** {@link toBase64} by what every platform has. */
export function plainToBase64(bytes: Uint8Array): string {
  return btoa(toLatin1(bytes))
}

/** @throws Error where the text is not base64 */
export function fromBase64(text: string): Uint8Array {
  return fromLatin1(atob(text))
}

/** A text of which each character is one of the bytes. */
export function toLatin1(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + PIECE) as unknown as number[])
  }
  return text
}

/** The bytes of a text of which each character is one. */
export function fromLatin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}

/** A text as UTF-8. */
export function toUtf8(text: string): Uint8Array {
  return encoder.encode(text)
}

/** A text, or what is so long that its bytes are kept in its place: they take no room on the heap. */
export type Written = string | Uint8Array

/** What was written in parts, as one: a text where all of them are. */
export function joined(parts: readonly Written[]): Written {
  let text = ''
  for (const part of parts) {
    if (typeof part !== 'string') return joinedBytes(parts)
    text += part
  }
  return text
}

function joinedBytes(parts: readonly Written[]): Uint8Array {
  const all = parts.map(utf8Of)
  const whole = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of all) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** What was written as UTF-8, whatever it is kept as. */
export function utf8Of(written: Written): Uint8Array {
  return typeof written === 'string' ? toUtf8(written) : written
}

/** What was written as a text, whatever it is kept as. */
export function textOf(written: Written): string {
  return typeof written === 'string' ? written : fromUtf8(written)
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Bytes read as UTF-8, in which what is none is replaced. */
export function fromUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}
