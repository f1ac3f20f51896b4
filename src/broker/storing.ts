/**
 * What is stored is copied out of the request that it came in, since a part of a longer text or buffer keeps the whole
 * of that in memory; and it is counted as what it then takes. The numbers were measured: see docs/limits.md.
 */
import type { Content } from './message.js'
import type { Destination } from './names.js'

/** Up to this length a body is kept as a text of its bytes: a buffer of its own takes more than that beside them. */
const SMALL_BODY = 256

/** What things take in bytes beside the texts and bodies in them. */
export const OVERHEAD = {
  message: 200,
  property: 45,
  /** A body that is not small. */
  buffer: 150,
  delivery: 180,
  queue: 1000,
  /** A name with queues below it, beside what these take themselves. */
  category: 600,
  subscription: 1000,
  destination: 300,
  /** A segment of a destination. */
  segment: 380,
  binding: 140,
  selector: 500,
  selectorCharacter: 40,
  /** A new-message address that no message was posted to yet. */
  address: 200,
  /** How a delivery ended. */
  settlement: 150,
  /** A guid, an address or a lease that is only remembered. */
  remembered: 60,
} as const

/** What a queue of this name takes, in bytes, without the categories above it. */
export function bytesOfQueue(segments: readonly string[]): number {
  let bytes: number = OVERHEAD.queue
  for (const segment of segments) bytes += 2 * bytesOfText(segment)
  return bytes
}

/** What one destination of a subscription takes, in bytes, beside its bindings. */
export function bytesOfDestination({ segments, text }: Destination): number {
  return OVERHEAD.destination + segments.length * OVERHEAD.segment + 3 * bytesOfText(text)
}

/** A text of its own. */
export function ownText(text: string): string {
  // Joining writes the characters into a new text, where adding them up or slicing would only refer to the old one.
  return text.length < 2 ? text : [text.slice(0, 1), text.slice(1)].join('')
}

/** What a text takes, in bytes: one for each character, or two where one of them is beyond Latin-1. */
export function bytesOfText(text: string | undefined): number {
  if (text === undefined || text === '') return 0
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of Latin-1 is just what is looked for
  return 24 + (/^[\u0000-\u00ff]*$/.test(text) ? text.length : 2 * text.length)
}

/** What a message of this content takes, in bytes. */
export function bytesOfContent(content: Content): number {
  const { body, contentType, contentEncoding, contentLanguage, properties } = content
  let bytes = OVERHEAD.message + body.byteLength + (body.byteLength > SMALL_BODY ? OVERHEAD.buffer : 0)
  bytes += bytesOfText(contentType) + bytesOfText(contentEncoding) + bytesOfText(contentLanguage)
  if (properties.size > 0) bytes += OVERHEAD.property * (properties.size + 3)
  for (const [name, value] of properties) bytes += bytesOfText(name) + bytesOfText(value)
  return bytes
}

/** A destination whose texts are its own. */
export function ownDestination({ text, segments, wild }: Destination): Destination {
  return { text: ownText(text), segments: segments.map(ownText), wild }
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
