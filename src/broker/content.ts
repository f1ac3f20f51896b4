import { bytesOfText, OVERHEAD, ownText } from './storing.js'

/**
 * What a producer handed over, exactly as it did.
 *
 * @example
 * ```ts
 * const content: Content = { body: Buffer.from('a hat'), contentType: 'text/plain', properties: new Map([['colour', 'blue']]) }
 * ```
 */
export interface Content {
  /** To be read only: the bytes of a stored message are its own. */
  readonly body: Uint8Array
  /** Media type of the body as sent; undefined where the producer named none. */
  readonly contentType?: string | undefined
  readonly contentEncoding?: string | undefined
  readonly contentLanguage?: string | undefined
  /** Application properties: names in lower case, `-` read as `_`. */
  readonly properties: ReadonlyMap<string, string>
}

/** How selectors name a property, whoever wrote its name: in lower case, and `-` read as `_`. */
export function propertyName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_')
}

/** Up to this length a body is kept as a text of its bytes: a buffer of its own takes more than that beside them. */
const SMALL_BODY = 256

/** What a message of this content takes, in bytes. */
export function bytesOfContent(content: Content): number {
  const { body, contentType, contentEncoding, contentLanguage, properties } = content
  let bytes = OVERHEAD.message + body.byteLength + (body.byteLength > SMALL_BODY ? OVERHEAD.buffer : 0)
  bytes += bytesOfText(contentType) + bytesOfText(contentEncoding) + bytesOfText(contentLanguage)
  if (properties.size > 0) bytes += OVERHEAD.property * (properties.size + 3)
  for (const [name, value] of properties) bytes += bytesOfText(name) + bytesOfText(value)
  return bytes
}

const NO_PROPERTIES: ReadonlyMap<string, string> = new Map()

/** A message's content as it is stored: a copy that shares nothing with what it was made from. */
export class StoredContent implements Content {
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
  readonly contentLanguage: string | undefined
  readonly properties: ReadonlyMap<string, string>
  readonly #body: string | ArrayBuffer

  constructor({ body, contentType, contentEncoding, contentLanguage, properties }: Content) {
    this.contentType = contentType && sharedType(contentType)
    this.contentEncoding = contentEncoding && ownText(contentEncoding)
    this.contentLanguage = contentLanguage && ownText(contentLanguage)
    this.properties = properties.size === 0 ? NO_PROPERTIES : ownProperties(properties)
    this.#body = body.byteLength > SMALL_BODY ? new Uint8Array(body).buffer : textOf(body)
  }

  /** The body as text, where it is small and plain ASCII: who only reads it needs no bytes. */
  get ascii(): string | undefined {
    return typeof this.#body === 'string' && /^[\t\n\r -~]*$/.test(this.#body) ? this.#body : undefined
  }

  /** The bytes as they were sent, to be read only: those of a body that is not small are the message's own. */
  get body(): Uint8Array {
    return typeof this.#body === 'string' ? bytesOf(this.#body) : new Uint8Array(this.#body)
  }
}

/** The media type of the message before: most have the same, and share it. */
let lastType = ''

function sharedType(type: string): string {
  if (type !== lastType) lastType = ownText(type)
  return lastType
}

function ownProperties(properties: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const own = new Map<string, string>()
  for (const [name, value] of properties) own.set(ownText(name), ownText(value))
  return own
}

function textOf(bytes: Uint8Array): string {
  return String.fromCharCode.apply(null, bytes as unknown as number[])
}

function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index)
  return bytes
}
