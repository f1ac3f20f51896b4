import type { ReportedExchange } from '../result.js'
import type { Sources } from './sources.js'

/** Who makes each request, as far as addresses tell: consumers by their subscriptions and ids, and those who send. */
export class Roles {
  /** By the answer that told a subscription's address, or by the id that a consumer gives itself. */
  readonly #consumers = new Map<number | string, string>()

  /** @param answer the number of the answer to this request */
  of(answer: number, { request, advanced }: ReportedExchange, sources: Sources): string {
    if (advanced !== undefined) return 'The clock'
    const { method, url } = request
    const path = URL.canParse(url) ? new URL(url).pathname : url
    const named = /\/(?:subscribe|unsubscribe|nextMessageForMe|lockNextMessage|ack)\/([^/?]+)/.exec(path)?.[1]
    if (named !== undefined) return this.#named(named)
    if (method === 'POST' && /\/subscriptions\/?$/.test(path)) return this.#named(answer)
    const teller = sources.teller(url)
    const consumer = teller === undefined ? undefined : this.#consumers.get(teller)
    if (consumer !== undefined) {
      // What its feed tells are its own messages.
      this.#consumers.set(answer, consumer)
      return consumer
    }
    if (method !== 'POST') return 'Somebody'
    return /\/queues\/?$/.test(path) ? 'Somebody' : 'A producer'
  }

  #named(key: number | string): string {
    const known = this.#consumers.get(key)
    if (known !== undefined) return known
    const count = new Set(this.#consumers.values()).size
    const name = `Consumer ${count < 26 ? String.fromCharCode(65 + count) : count + 1}`
    this.#consumers.set(key, name)
    return name
  }
}
