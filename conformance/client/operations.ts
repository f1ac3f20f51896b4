import type { Exchange } from './exchange.js'

/** An operation of section 4.1. */
export type Operation =
  | 'list'
  | 'browse'
  | 'subtree'
  | 'create'
  | 'delete'
  | 'address'
  | 'post'
  | 'send with a guid'
  | 'subscribe'
  | 'consume'
  | 'end'

const OF_COLLECTIONS: Readonly<Record<string, Operation>> = {
  'GET queues': 'list',
  'POST queues': 'create',
  'POST subscriptions': 'subscribe',
}

type Kind = 'queue' | 'category' | 'address' | 'subscription'

const OF_KINDS: Readonly<Record<Kind, Readonly<Record<string, Operation>>>> = {
  queue: { GET: 'browse', POST: 'address', DELETE: 'delete' },
  category: { GET: 'subtree' },
  address: { POST: 'post' },
  subscription: { GET: 'consume', DELETE: 'end' },
}

/** What the success of some makes. */
const MADE: Readonly<Partial<Record<Operation, Kind>>> = {
  create: 'queue',
  address: 'address',
  subscribe: 'subscription',
}

const GUID = /[?&]guid=[^&]+$/

/** Tells which operation a request is: addresses are the target's choice, and are known from what it answered. */
export class Operations {
  readonly #base: string
  readonly #kinds = new Map<string, Kind>()

  /** @param base without a trailing slash */
  constructor(base: string) {
    this.#base = base
  }

  /** A queue's address by its path, which no answer told; what is above it are categories. */
  noteQueue(uri: string): void {
    this.#kinds.set(uri, 'queue')
    const root = `${this.#base}/queues/`
    const segments = uri.slice(root.length).split('/')
    for (let count = 1; count < segments.length; count++) {
      const above = root + segments.slice(0, count).join('/')
      if (!this.#kinds.has(above)) this.#kinds.set(above, 'category')
    }
  }

  /** Learns where what a request has made is. @param location of its answer */
  note({ method, url }: Pick<Exchange, 'method' | 'url'>, location: string | undefined): void {
    const operation = this.of(method, url)
    const kind = operation && MADE[operation]
    if (kind !== undefined && location !== undefined && !this.#kinds.has(location))
      this.#kinds.set(location, kind)
  }

  /** The operation of a request; undefined where it is none of section 4.1, or is not known to be one. */
  of(method: string, url: string): Operation | undefined {
    const collection = url.startsWith(`${this.#base}/`) && url.slice(this.#base.length + 1).replace(/\/$/, '')
    if (collection === 'queues' || collection === 'subscriptions')
      return OF_COLLECTIONS[`${method} ${collection}`]
    const kind = this.#kinds.get(url)
    if (kind !== undefined) return OF_KINDS[kind][method]
    const isQueue = this.#kinds.get(url.replace(GUID, '')) === 'queue'
    return isQueue && method === 'POST' ? 'send with a guid' : undefined
  }
}
