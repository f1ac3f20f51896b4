type Encoding = 'utf8' | 'latin1' | 'base64'
type Text = string | Uint8Array

/** As many characters as one call may be given. */
const PART = 8192

/**
 * What the kit uses of Node's `Buffer`, for where there is none: in a page. It does the same.
 *
 * @internal
 */
export class PageBuffer extends Uint8Array {
  static override from(content: unknown, encoding?: unknown): PageBuffer {
    if (typeof content === 'string') return fromText(content, encoding as Encoding | undefined)
    return new PageBuffer(content instanceof ArrayBuffer ? content : (content as ArrayLike<number>))
  }

  static alloc(length: number): PageBuffer {
    return new PageBuffer(length)
  }

  static byteLength(content: Text): number {
    return typeof content === 'string' ? encoded(content).length : content.length
  }

  static concat(parts: readonly Uint8Array[]): PageBuffer {
    const whole = new PageBuffer(parts.reduce((length, part) => length + part.length, 0))
    let at = 0
    for (const part of parts) {
      whole.set(part, at)
      at += part.length
    }
    return whole
  }

  override toString(encoding: Encoding = 'utf8'): string {
    if (encoding === 'utf8') return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this)
    const parts: string[] = []
    for (let at = 0; at < this.length; at += PART)
      parts.push(String.fromCharCode(...super.subarray(at, at + PART)))
    return encoding === 'base64' ? btoa(parts.join('')) : parts.join('')
  }

  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, at) => byte === other[at])
  }

  override includes(part: number | Text, from = 0): boolean {
    return this.indexOf(part, from) >= 0
  }

  override indexOf(part: number | Text, from = 0): number {
    if (typeof part === 'number') return super.indexOf(part, from)
    const wanted = typeof part === 'string' ? encoded(part) : part
    const last = this.length - wanted.length
    if (wanted.length === 0) return Math.min(from, this.length)
    for (
      let at = super.indexOf(wanted[0]!, from);
      at >= 0 && at <= last;
      at = super.indexOf(wanted[0]!, at + 1)
    )
      if (wanted.every((byte, index) => byte === this[at + index])) return at
    return -1
  }
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function fromText(text: string, encoding: Encoding = 'utf8'): PageBuffer {
  if (encoding === 'utf8') return new PageBuffer(encoded(text))
  const binary = encoding === 'base64' ? atob(text) : text
  return PageBuffer.from([...binary].map((character) => character.charCodeAt(0)))
}

/** Node's own, where the kit runs in Node. */
export const Buffer: typeof globalThis.Buffer =
  (globalThis as { Buffer?: typeof globalThis.Buffer }).Buffer ??
  (PageBuffer as unknown as typeof globalThis.Buffer)
export type Buffer = globalThis.Buffer
