import { messageOf } from '../client/message-body.js'
import type { Profile } from '../client/profile.js'
import type { Sent } from './trial.js'

/** What makes a message unique. */
const TOKEN = /kit-(?:probe-)?[\da-f]{10}-\d+/g

/** The messages that a check has made, known again however a target shows them. */
export class FreshMessages {
  readonly #profile: Profile
  /** Their texts, by what is unique in each. */
  readonly #texts = new Map<string, string>()

  constructor(profile: Profile) {
    this.#profile = profile
  }

  /** @param token unique */
  make(token: string, around: string): Sent {
    const text = messageOf(this.#profile, around + token)
    this.#texts.set(token, text)
    return { body: Buffer.from(text), text, address: undefined }
  }

  has(text: string): boolean {
    return [...this.#texts.values()].includes(text)
  }

  is(body: Buffer, message: Sent): boolean {
    return body.equals(message.body) || (!this.#arriveWhole && this.textOf(body) === message.text)
  }

  /** The text that was sent, where a target may show it as another. */
  textOf(body: Buffer): string {
    const text = body.toString()
    if (this.#arriveWhole) return text
    for (const [token] of text.matchAll(TOKEN)) {
      const known = this.#texts.get(token)
      if (known !== undefined) return known
    }
    return text
  }

  get #arriveWhole(): boolean {
    return this.#profile.message.arrives === 'same'
  }
}
