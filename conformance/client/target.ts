import type { Cut } from './cut.js'
import type { Exchange, RawRequest } from './exchange.js'

/**
 * What a request has beside its method and its address.
 *
 * @example
 * ```ts
 * const options: RequestOptions = { headers: { 'Content-Type': 'text/plain' } }
 * ```
 */
export interface RequestOptions {
  headers?: Record<string, string>
  body?: string | Uint8Array
  /**
   * Who asks: the owner (the profile's `headers`; the default), or one of the profile's `unauthorized` by its header
   * set, which then stands in place of the owner's.
   */
  as?: 'owner' | Readonly<Record<string, string>> | undefined
  /** Milliseconds; default: what the run allows for one answer. */
  timeout?: number
  /** Whether it is sent again where the target refuses it for now, with `Retry-After`; default true. */
  patient?: boolean
  /** Where the client goes away; then there is no answer. */
  cut?: Cut | undefined
}

/**
 * Speaks to one target and remembers every exchange. Never throws for what a target does.
 *
 * @example
 * ```ts
 * const browse = (target: Target) => target.request('GET', '/queues')
 * ```
 */
export interface Target {
  /** The base URL, without a trailing slash. */
  readonly baseUrl: string
  /** All that was asked and answered, in the order in which the answers came. */
  readonly exchanges: readonly Exchange[]
  /** Absolute URI of a path of the interface: `at('/queues')`. */
  at(path: string): string
  /** Address of a queue or category by its slash path, each segment percent-encoded: `{base}/queues/a/b`. */
  queueUri(path: string): string
  /**
   * What the target answers is what is judged: a redirect is followed only where it leads to the same address with or
   * without a slash at its end, once and with the same method.
   */
  request(method: string, uri: string, options?: RequestOptions): Promise<Exchange>
  /**
   * Remembers a request that a check sends over a connection of its own, as no HTTP client would.
   *
   * @param send sends it; gives the status of the answer, or 0 and why there is none
   * @returns the status
   */
  remember(request: RawRequest, send: () => Promise<Pick<Exchange, 'status' | 'error'>>): Promise<number>
  /**
   * Speaks over a connection of its own to where an address is reached: a target may name itself by a name that only its own
   * network knows.
   *
   * @param speak is given the address to connect to, and in how many milliseconds what it asks is to be answered; gives undefined
   *   where nobody takes the connection
   */
  directly<T>(
    uri: string,
    speak: (at: string, within: number) => Promise<T | undefined>,
  ): Promise<T | undefined>
  /** What of some headers may be sent to an address over a connection of its own: credentials go only to some origins. */
  headersFor(uri: string, headers: Readonly<Record<string, string>>): Readonly<Record<string, string>>
  /** Whether it is a handler in this process, to which no bytes can be sent but a request's own. */
  readonly isInProcess?: boolean
  /** Whether its answers have shown again and again that they know no measure: then nobody waits for it. */
  readonly isHarmful: boolean
  /** Whether an address is the target's own: where it was found, on another name of this machine, or where it says. */
  isOwn(uri: string): boolean
  /** A `Location` or other reference made absolute against the exchange's own address; undefined where it has none. */
  location(exchange: Exchange): string | undefined
}
