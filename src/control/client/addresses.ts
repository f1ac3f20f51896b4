import type { Reply } from '../../http/exchange.js'

/** How many are remembered. */
const MOST = 100_000

/** The addresses that a server's answers gave to its clients, as paths below the base path. */
export class Addresses {
  readonly #known = new Set<string>()

  /** The path of a reference, below whatever base path and without a query. */
  static pathOf(reference: string): string {
    const { pathname } = new URL(reference, 'http://localhost')
    return /\/(?:addresses|subscriptions|messages)\/.*$/.exec(pathname)?.[0] ?? pathname
  }

  /** Remembers every address in an answer: its `Location`, and what is linked in a feed or an entry. */
  learn({ headers = {}, body = '' }: Reply): void {
    for (const [name, value] of Object.entries(headers)) {
      if (name.toLowerCase() === 'location') this.#add(value)
    }
    const type = headers['Content-Type'] ?? ''
    if (!/atom|html|uri-list/.test(type)) return
    const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8')
    for (const [, reference = ''] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
      this.#add(reference.replaceAll('&amp;', '&'))
    }
    if (type.includes('uri-list')) for (const line of text.split(/\r?\n/)) if (line !== '') this.#add(line)
  }

  /** Whether a path was given. */
  knows(path: string): boolean {
    return this.#known.has(path)
  }

  clear(): void {
    this.#known.clear()
  }

  #add(reference: string): void {
    if (!URL.canParse(reference, 'http://localhost')) return
    this.#known.add(Addresses.pathOf(reference))
    if (this.#known.size > MOST) this.#known.delete(this.#known.values().next().value as string)
  }
}
