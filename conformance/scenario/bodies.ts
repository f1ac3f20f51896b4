import { Buffer } from '../client/bytes.js'
import { NotApplicable } from '../client/findings.js'
import type { FreshMessages } from '../client/fresh-messages.js'
import type { Sent } from '../client/sent.js'
import type { Speaker } from '../client/speaker.js'
import { headerOf } from '../client/template.js'
import type { Made } from './step.js'

/** What is posted as a message. */
export interface Posted extends Sent {
  /** Header fields beside those of the profile. */
  readonly fields: Readonly<Record<string, string>>
  /** Whether a step says what it is. */
  readonly isGiven: boolean
  /** Whether a target may refuse it: what a body may be beside a text, and how long, the document leaves open. */
  readonly mayBeRefused: boolean
  /** The same in UTF-8, of a text in another charset: inline in a feed it is characters, and these are the same. */
  readonly alike?: Buffer
}

/** A message that is longer may be too long for a target: bytes. */
const SHORT = 1024
const TEXT = 'text/plain; charset=utf-8'
const BYTES = 'application/octet-stream'
const UP = Array.from({ length: 256 }, (_, byte) => byte)
/** A byte order mark, and each byte: forwards, and backwards. */
const EVERY = [0xef, 0xbb, 0xbf, ...UP, ...UP.toReversed()]
/** What the messages of a scenario are made of, and which one a body is that arrived. */
export class Bodies {
  readonly #speaker: Speaker
  readonly #fresh: FreshMessages
  readonly #unique: () => string
  readonly #posted = new Map<string, Posted>()
  /** What messages are called, by their text. */
  readonly #called = new Map<string, string>()

  /** @param unique a text that nobody else has, each time */
  constructor(speaker: Speaker, fresh: FreshMessages, unique: () => string) {
    this.#speaker = speaker
    this.#fresh = fresh
    this.#unique = unique
  }

  /** Makes what is sent as a message: the body of another, what its step says, or one of its own, which its name begins. */
  make(name: string, made: Made): void {
    const { like, headers = [] } = made
    const known = like === undefined ? undefined : this.#posted.get(like)
    const given = known === undefined ? givenIn(made) : undefined
    const body = known?.body ?? given ?? this.#own(name, made.size ?? 0)
    const type = given && !made.empty ? { 'Content-Type': made.body === undefined ? BYTES : TEXT } : {}
    const fields = { ...known?.fields, ...type, ...Object.fromEntries(headers) }
    const alike = isLatin1(fields) ? { alike: Buffer.from(body.toString('latin1')) } : {}
    const text = body.toString()
    const isGiven = known?.isGiven ?? given !== undefined
    const isPlain = body.length > 0 && (known === undefined ? headers.length === 0 : !known.mayBeRefused)
    const mayBeRefused = !isPlain || body.length > SHORT || made.bytes !== undefined || made.every === true
    this.#posted.set(name, { body, text, address: undefined, fields, isGiven, mayBeRefused, ...alike })
    for (const each of [text, ...(alike.alike === undefined ? [] : [alike.alike.toString()])])
      if (!this.#called.has(each)) this.#called.set(each, name)
  }

  /** A body that nobody else has, of so many bytes at least. */
  #own(name: string, size: number): Buffer {
    const { body } = this.#fresh.make(this.#unique(), `${name} `)
    const lacking = size - body.length
    if (lacking <= 0) return body
    return this.#fresh.make(this.#unique(), `${name} ${counting(lacking - 1)} `).body
  }

  get(name: string): Posted {
    return this.#posted.get(name)!
  }

  /** What its body is called: of messages with one body, the first. */
  called(name: string): string {
    return this.#called.get(this.#posted.get(name)?.text ?? '') ?? name
  }

  all(): Posted[] {
    return [...new Set(this.#posted.values())]
  }

  /** What a body that arrived is called. @throws {NotApplicable} where it may be a message, in a form that nobody can tell */
  nameOf(body: Buffer): string | undefined {
    const name = this.#called.get(this.#speaker.messageText(body))
    if (this.#isWithin) {
      if (name === undefined) this.needReadable()
      return name
    }
    const { body: sent, alike } = (name !== undefined && this.#posted.get(name)) || {}
    return sent?.equals(body) || alike?.equals(body) ? name : undefined
  }

  /** How an envelope holds what is no text, or nothing, is the target's own affair. @throws {NotApplicable} where a message is such */
  needReadable(): void {
    if (this.#isWithin && this.all().some((each) => !isText(each)))
      throw new NotApplicable('such a body comes in a form that the kit cannot read')
  }

  /** How a body that arrived, and is none that was sent, differs from the one like it that is long, or that a step says. */
  tell(body: Buffer): string | undefined {
    const isLike = ({ isGiven, body: { length } }: Posted) => length > SHORT || (isGiven && length > 0)
    const [like] = [...this.#posted]
      .reverse()
      .filter(([, each]) => isLike(each))
      .map(([name, { body: sent }]) => ({
        ...{ name, sent, shared: sharedBy(sent, body) },
        apart: Math.abs(sent.length - body.length),
      }))
      .sort((one, other) => other.shared - one.shared || one.apart - other.apart)
    if (like === undefined || this.#isWithin) return undefined
    return `${like.name} with ${difference(like.sent, body)}`
  }

  get #isWithin(): boolean {
    return this.#speaker.profile.message.arrives !== 'same'
  }
}

/** What a step says that a message is. */
function givenIn({ body, bytes, every, empty, size = 0 }: Made): Buffer | undefined {
  if (empty) return Buffer.alloc(0)
  if (body !== undefined) return filled(Buffer.from(body), size)
  if (bytes !== undefined) return filled(Buffer.from(bytes, 'latin1'), size)
  return every ? filled(Buffer.from(EVERY), size) : undefined
}

/** Bytes again and again, until they are so many. */
function filled(bytes: Buffer, size: number): Buffer {
  if (bytes.length >= size || bytes.length === 0) return bytes
  const times = Math.ceil(size / bytes.length)
  return Buffer.concat(Array.from({ length: times }, () => bytes)).subarray(0, size)
}

/** The numbers from 0 on, as far as they have been needed. */
let counted = ''
let next = 0

/** So many characters, of which no part is there twice. */
function counting(length: number): string {
  while (counted.length < length) counted += `${next++} `
  return counted.slice(0, length)
}

function isLatin1(fields: Posted['fields']): boolean {
  return /charset="?iso-8859-1/i.test(headerOf(fields, 'content-type') ?? '')
}

/** Whether an envelope shows it as the text that it is. */
function isText({ body, fields }: Posted): boolean {
  return body.length > 0 && (headerOf(fields, 'content-type') ?? TEXT).startsWith('text/plain')
}

/** With how many bytes both begin. */
function sharedBy(one: Buffer, other: Buffer): number {
  const shorter = Math.min(one.length, other.length)
  let at = 0
  while (at < shorter && one[at] === other[at]) at++
  return at
}

/** How a body that came back differs from the one that was sent, as a sentence. */
export function difference(sent: Buffer, got: Buffer): string {
  const at = sharedBy(sent, got)
  const part = (bytes: Buffer) => {
    const piece = bytes.subarray(Math.max(0, at - 8), at + 16)
    return piece.length === 0 ? 'nothing' : JSON.stringify(piece.toString('latin1'))
  }
  return `${got.length} of ${sent.length} bytes; from byte ${at} on ${part(got)} stands for ${part(sent)}`
}
