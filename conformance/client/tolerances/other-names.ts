import { withoutCredentials } from '../credentials.js'
import { refused, succeeded } from '../exchange.js'
import type { Outgoing, Send, TracedExchange } from '../transport.js'

/**
 * A target behind a proxy may name itself by a name that only its own network knows: what cannot be reached there is asked at the same
 * path where the target was found.
 */
export class OtherNames {
  readonly #base: string
  readonly #send: Send
  /** Origins that take no connections: looking for one of an unknown name each time would take seconds. */
  readonly #unreachable: Set<string>
  /** Told why nobody can say what the target does at another origin, which was not shown the credentials. */
  readonly #onDoubt: (doubt: string) => void

  constructor(base: string, send: Send, unreachable: Set<string>, onDoubt: (doubt: string) => void) {
    this.#base = base
    this.#send = send
    this.#unreachable = unreachable
    this.#onDoubt = onDoubt
  }

  readonly send: Send = async (outgoing) => {
    const { url } = outgoing
    const here = this.#here(url)
    if (here === undefined) return this.#send(outgoing)
    const { origin } = new URL(url)
    if (this.#unreachable.has(origin)) return { ...(await this.#send({ ...outgoing, url: here })), url }
    const exchange = await this.#send(outgoing)
    if (!exchange.connected) {
      this.#unreachable.add(origin)
      return { ...(await this.#send({ ...outgoing, url: here })), url }
    }
    return exchange.isBare ? this.#answeredBare(exchange, outgoing, here) : exchange
  }

  /** Speaks over a connection of its own. @param speak gives undefined where nobody takes the connection */
  async directly<T>(uri: string, speak: (at: string) => Promise<T | undefined>): Promise<T | undefined> {
    const here = this.#here(uri)
    const { origin } = new URL(uri)
    const said = here !== undefined && this.#unreachable.has(origin) ? undefined : await speak(uri)
    if (said !== undefined || here === undefined) return said
    this.#unreachable.add(origin)
    return speak(here)
  }

  /** The same path where the target was found, for an address elsewhere. */
  #here(url: string): string | undefined {
    const base = new URL(this.#base)
    // What is of another scheme, as a `urn:`, is nowhere.
    if (!URL.canParse(url) || !/^https?:/i.test(url) || new URL(url).origin === base.origin) return undefined
    const { pathname, search } = new URL(url)
    return `${base.origin}${pathname}${search}`
  }

  /**
   * What another origin answers, which is not shown the credentials. What it refuses without them may be the target's own by another
   * name.
   */
  async #answeredBare(answer: TracedExchange, outgoing: Outgoing, here: string): Promise<TracedExchange> {
    const own = refused(answer) ? await this.#send({ ...outgoing, url: here }) : undefined
    if (own !== undefined && succeeded(own)) return { ...own, url: answer.url }
    // Who went away, or is stopped, was given no answer.
    if (answer.status === 0 && (outgoing.cut !== undefined || outgoing.signal?.aborted)) return answer
    // A login page is a success, too.
    if (!succeeded(answer) || /html/i.test(answer.headers['content-type'] ?? ''))
      this.#onDoubt(withoutCredentials(answer))
    return answer
  }
}
