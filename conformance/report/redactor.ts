import { CUT } from '../client/answered.js'
import type { Profile } from '../client/profile.js'
import { headerOf } from '../client/template.js'

/** What stands in place of credentials. */
export const BLANK = '***'

// Headers of a profile that say what is asked for and not who asks.
const HARMLESS = new Set([
  'accept',
  'accept-language',
  'accept-encoding',
  'content-type',
  'user-agent',
  'prefer',
])
// Headers that hold credentials whoever sets them.
const SECRET = /^(?:(?:proxy-)?authorization|cookie|set-cookie|x-api-key|x-auth-token)$/i
// A shorter value is found everywhere by chance.
const MIN_SECRET = 6

/** Takes a profile's credentials out of whatever a report shows, wherever they stand in it. */
export class Redactor {
  readonly #names = new Set<string>()
  readonly #values = new Set<string>()

  constructor(private readonly profile: Profile) {
    for (const headers of [profile.headers, ...profile.unauthorized]) {
      for (const [name, value] of Object.entries(headers)) {
        if (HARMLESS.has(name.toLowerCase())) continue
        this.#names.add(name.toLowerCase())
        // With and without its scheme: a target may echo the token alone.
        for (const secret of [value, value.split(' ').at(-1)!]) {
          if (secret.length >= MIN_SECRET) this.#values.add(secret)
        }
      }
    }
  }

  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => {
        const secret = SECRET.test(name) || this.#names.has(name.toLowerCase())
        return [name, secret ? this.#blank(name, value) : this.text(value)]
      }),
    )
  }

  /** Whose credentials they are is no secret, and what repeats a request has to know it. */
  #blank(name: string, value: string): string {
    const { headers, unauthorized } = this.profile
    const holds = (party: Readonly<Record<string, string>>) => headerOf(party, name.toLowerCase()) === value
    const other = holds(headers) ? -1 : unauthorized.findIndex(holds)
    return other < 0 ? BLANK : `${BLANK} (unauthorized ${other + 1})`
  }

  text(text: string): string {
    let redacted = text
    for (const secret of this.#values) redacted = redacted.replaceAll(secret, BLANK)
    // A quotation may end within one.
    return redacted.includes(CUT) ? this.#withoutBeginnings(redacted) : redacted
  }

  #withoutBeginnings(text: string): string {
    const parts = text.split(CUT)
    const ends = parts.slice(0, -1).map((part) => {
      for (const secret of this.#values) {
        for (let length = secret.length - 1; length >= MIN_SECRET / 2; length--) {
          if (part.endsWith(secret.slice(0, length))) return part.slice(0, -length) + BLANK
        }
      }
      return part
    })
    return [...ends, parts.at(-1)].join(CUT)
  }

  bytes(bytes: Buffer): Buffer {
    // In latin1 each byte is one character, so nothing but the credentials changes.
    const text = bytes.toString('latin1')
    const redacted = this.text(text)
    return redacted === text ? bytes : Buffer.from(redacted, 'latin1')
  }
}
