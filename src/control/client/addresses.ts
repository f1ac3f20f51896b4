import { ownText } from '../../broker/storing.js'
import type { Reply } from '../../http/exchange.js'
import { fromUtf8 } from '../../platform/bytes.js'

/** How many bytes those that are remembered may take, and what one takes beside its characters, about. */
const MOST_BYTES = 8 * 1024 * 1024
const OVERHEAD = 64

/** What an address looks like that a server gives to one client, as a path below the base path. */
const ADDRESS = /\/(?:addresses|subscriptions|messages)\/[^\s"&<?#]+/

const ALL_ADDRESSES = new RegExp(ADDRESS, 'g')

/** The addresses that a server's answers gave to its clients, as paths below the base path. */
export class Addresses {
  readonly #known = new Set<string>()
  #bytes = 0

  /** The path of a reference, below whatever base path and without a query; undefined for other addresses. */
  static pathOf(reference: string): string | undefined {
    return ADDRESS.exec(reference)?.[0]
  }

  /** Remembers every address in an answer: its `Location`, and what stands in a feed, an entry, a page or a list. */
  learn({ headers = {}, body = '' }: Reply): void {
    for (const [name, value] of Object.entries(headers)) {
      if (name.toLowerCase() === 'location') this.#learnFrom(value)
    }
    if (!/atom|html|uri-list/.test(headers['Content-Type'] ?? '')) return
    this.#learnFrom(typeof body === 'string' ? body : fromUtf8(body))
  }

  /** Whether a path was given. */
  knows(path: string): boolean {
    return this.#known.has(path)
  }

  clear(): void {
    this.#known.clear()
    this.#bytes = 0
  }

  #learnFrom(text: string): void {
    for (const [path] of text.matchAll(ALL_ADDRESSES)) {
      if (this.#known.has(path)) continue
      this.#known.add(ownText(path))
      this.#bytes += path.length + OVERHEAD
    }
    for (const oldest of this.#known) {
      if (this.#bytes <= MOST_BYTES) return
      this.#known.delete(oldest)
      this.#bytes -= oldest.length + OVERHEAD
    }
  }
}
