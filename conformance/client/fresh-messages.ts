import { Buffer } from './bytes.js'
import { decodeBase64 } from './content.js'
import { formsOf } from './forms.js'
import type { KnowingMessages } from './parse-entry.js'
import type { Profile } from './profile.js'
import type { Sent } from './sent.js'
import { messageOf } from './template.js'

/** What makes a message unique. */
const TOKEN = /kit-(?:probe-)?[\da-f]{10}-\d+/g
/** A text that every envelope shows as it is. */
const PLAIN = /^[\w .,:;-]*$/

/** What a check has made a message of. */
interface Made {
  /** What is posted. */
  readonly text: string
  /** What the template was filled with. */
  readonly inner: string
}

/** The messages that a check has made or posted, known again however a target shows them. */
export class FreshMessages {
  readonly #profile: Profile
  /** By what is unique in each. */
  readonly #made = new Map<string, Made>()
  readonly #texts = new Set<string>()
  /** The bytes of what was made or posted, by their text. */
  readonly #posted = new Map<string, Buffer>()

  constructor(profile: Profile) {
    this.#profile = profile
  }

  /** @param token unique */
  make(token: string, around: string): Sent {
    const inner = around + token
    const text = messageOf(this.#profile, inner)
    const body = Buffer.from(text)
    this.#made.set(token, { text, inner })
    this.#texts.add(text)
    this.post(body)
    return { body, text, address: undefined }
  }

  has(text: string): boolean {
    return this.#texts.has(text)
  }

  /** Notes what is posted, whatever made it. */
  post(body: Buffer): void {
    this.#posted.set(body.toString(), body)
  }

  is(body: Buffer, message: Sent): boolean {
    return body.equals(message.body) || (!this.#arriveWhole && this.textOf(body) === message.text)
  }

  /**
   * What tells messages from what is only about them.
   *
   * @param proven relations of links that have led to messages in this run
   */
  knowing(proven: Set<string>): KnowingMessages {
    const isPosted = (body: Buffer) => this.#posted.get(body.toString())?.equals(body) ?? false
    return {
      proven,
      isMessage: (body, isPage) =>
        isPosted(body) || (!isPage && !this.#arriveWhole && this.#known(body) !== undefined),
      isAbout: (body) =>
        [...formsOf(body)].some((form) => this.#tokensIn(form.toString().toLowerCase()).length > 0),
    }
  }

  /** The text that was sent, where a target may show it as another. */
  textOf(body: Buffer): string {
    return (this.#arriveWhole ? undefined : this.#known(body)) ?? body.toString()
  }

  /** The text of the message that these bytes hold whole. */
  #known(body: Buffer): string | undefined {
    const held = [...formsOf(body)].flatMap((form) => this.#heldBy(form.toString()))
    // What one message begins with, or what stands by chance in another's Base64, may be another.
    return held.toSorted((one, other) => other.inner.length - one.inner.length)[0]?.text
  }

  #heldBy(text: string): Made[] {
    const made = this.#tokensIn(text).filter(({ inner }) => !PLAIN.test(inner) || text.includes(inner))
    // What is shorter than others take for Base64 is that where it is just what was posted.
    const bytes = decodeBase64(text)
    const posted = [...this.#posted]
      .filter(([each, body]) => each !== '' && (text.includes(each) || bytes?.equals(body) === true))
      .map(([each]) => each)
    return [...made, ...posted.map((each) => ({ text: each, inner: each }))]
  }

  #tokensIn(text: string): Made[] {
    return [...text.matchAll(TOKEN)].flatMap(([token]) => this.#made.get(token) ?? [])
  }

  get #arriveWhole(): boolean {
    return this.#profile.message.arrives === 'same'
  }
}
