import { resolve } from './atom.js'
import type { Exchange } from './exchange.js'
import type { HttpClient } from './http-client.js'
import type { Profile } from './profile.js'
import type { RequestOptions, Target } from './target.js'

export interface HttpTargetOptions {
  readonly baseUrl: string
  readonly profile: Profile
  readonly client: HttpClient
  /** Milliseconds that one answer may take, unless a request says otherwise. */
  readonly answerTimeout: number
  readonly signal?: AbortSignal
  /** Called before each request; what it throws ends the request before it is sent. */
  readonly beforeRequest?: () => void
}

/** The target as one check sees it: its exchanges are that check's own. */
export class HttpTarget implements Target {
  readonly baseUrl: string
  /** Every exchange, in the order in which their answers came. */
  readonly exchanges: Exchange[] = []
  /** What was asked and is not answered yet, and since when. */
  readonly pending = new Map<
    symbol,
    { readonly method: string; readonly url: string; readonly since: number }
  >()
  readonly #options: HttpTargetOptions

  constructor(options: HttpTargetOptions) {
    this.baseUrl = options.baseUrl.replace(/\/+$/, '')
    this.#options = options
  }

  at(path: string): string {
    return this.baseUrl + path
  }

  queueUri(path: string): string {
    return this.at(`/queues/${path.split('/').map(encodeURIComponent).join('/')}`)
  }

  async request(method: string, url: string, options: RequestOptions = {}): Promise<Exchange> {
    const { profile, client, answerTimeout, signal, beforeRequest } = this.#options
    beforeRequest?.()
    const { as = 'owner', headers = {}, body = '', timeout = answerTimeout } = options
    const asked = Symbol(url)
    this.pending.set(asked, { method, url, since: performance.now() })
    const exchange = await client.send({
      method,
      url,
      headers: { ...(as === 'owner' ? profile.headers : as), ...headers },
      body: Buffer.from(body as Uint8Array),
      timeout,
      signal,
    })
    this.pending.delete(asked)
    this.exchanges.push(exchange)
    return exchange
  }

  location(exchange: Exchange): string | undefined {
    const written = exchange.headers.location
    return written === undefined || written === '' ? undefined : resolve(written, exchange.url)
  }
}
