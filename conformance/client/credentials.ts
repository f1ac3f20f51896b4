import type { Exchange } from './exchange.js'
import type { Profile } from './profile.js'

/** Header fields that hold credentials, whoever gives them. */
const ALWAYS = ['authorization', 'proxy-authorization', 'cookie']

/** To whom the headers of a profile go: to the target's own origin, and to those that the user has named. */
export class Credentials {
  /** Why nobody can say what the target does there: the first answer of another origin that may lack them. */
  doubt: string | undefined
  readonly #names: ReadonlySet<string>
  readonly #origins: ReadonlySet<string>

  /**
   * @param profile whose headers are credentials, those of its unauthorized parties included
   * @param origins where they go
   */
  constructor(profile: Pick<Profile, 'headers' | 'unauthorized'>, origins: readonly string[]) {
    const sets = [profile.headers, ...profile.unauthorized]
    this.#names = new Set([...ALWAYS, ...sets.flatMap(Object.keys).map((name) => name.toLowerCase())])
    this.#origins = new Set(origins.map((url) => new URL(url).origin))
  }

  /** What of some headers goes to an address: the same object, where that is all. */
  headersFor(url: string, headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const isSecret = (name: string) => this.#names.has(name.toLowerCase())
    if (!Object.keys(headers).some(isSecret)) return headers
    if (URL.canParse(url) && this.#origins.has(new URL(url).origin)) return headers
    return Object.fromEntries(Object.entries(headers).filter(([name]) => !isSecret(name)))
  }
}

/** What is said of a request that another origin answered without the credentials. */
export function withoutCredentials({ method, url, status, error }: Exchange): string {
  const { origin } = new URL(url)
  return `credentials go to the target's own origin alone, and ${method} ${url} gave ${error ?? `status ${status}`} without them: "--origin ${origin}" sends them there, too`
}
