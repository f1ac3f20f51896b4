import { Buffer } from './bytes.js'
import type { Credentials } from './credentials.js'
import { ForeignMarkup } from './foreign-markup.js'
import { MarkupLimit } from './markup-limit.js'
import { LONGEST_WAIT, Pace, retryAfter, wait } from './pace.js'
import type { Outgoing, TracedExchange, Transport } from './transport.js'
import { Turns } from './turns.js'

/** How often a request is repeated that the target refuses for now. */
const MOST_TRIES = 12
/** A request that is refused while others are answered is waited for once, and for so long where it takes more: milliseconds. */
const ALONE = 5000

/**
 * Sends single requests at the pace of the target. Whatever goes wrong is in the exchange; nothing is thrown but for what is no
 * address.
 */
export class HttpClient {
  /** Addresses of queues that were created through it. */
  readonly created = new Set<string>()
  /** Origins that take no connections: looking for one of an unknown name each time would take seconds. */
  readonly unreachable = new Set<string>()
  /** What was answered with 202 for as long as it was asked again: nobody waits for that once more. */
  readonly neverDone = new Set<string>()
  /** A reading of nothing: whether it is refused, too, tells a want of time from a want of room. */
  witness: Pick<Outgoing, 'url' | 'headers'> | undefined
  /** How much is parsed of what the target answers. */
  readonly markup = new MarkupLimit()
  /** How many requests the target takes at once. */
  readonly turns = new Turns()
  /** Foreign elements of feeds that were parsed. */
  readonly foreign = new ForeignMarkup()
  /** Addresses that were named as next and turned out to be no pages of a feed. */
  readonly notPages = new Set<string>()

  /**
   * @param pace that of all requests
   * @param credentials decides to which origins they go; without it, every header goes to every address
   */
  constructor(
    readonly transport: Transport,
    readonly pace: Pace = new Pace(null),
    readonly credentials?: Credentials,
  ) {}

  /** Monotonic milliseconds, which the times of the exchanges are of. */
  get now(): () => number {
    return this.transport.now
  }

  /** Sends a request, without the credentials in it where its address is of another origin than they go to. */
  async send(outgoing: Outgoing): Promise<TracedExchange> {
    const headers = this.headersFor(outgoing.url, outgoing.headers)
    if (headers === outgoing.headers) return this.#sendAsIs(outgoing)
    return { ...(await this.#sendAsIs({ ...outgoing, headers })), isBare: true }
  }

  /** What of some headers goes to an address. */
  headersFor(url: string, headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    return this.credentials?.headersFor(url, headers) ?? headers
  }

  /** A request that is refused with 429 or 503 and `Retry-After` has not happened: it is sent again after that time. */
  async #sendAsIs(outgoing: Outgoing): Promise<TracedExchange> {
    const { signal, patient = true, idle = (pause) => pause(), cut } = outgoing
    refuseNoAddress(outgoing)
    // Nobody is there any more to be told to come again.
    if (cut !== undefined) return this.turns.take(() => this.transport.send(outgoing))
    let waited = 0
    for (let tries = 1; ; tries++) {
      const early = this.pace.turn()
      if (early > 0) await idle(() => wait(early, signal))
      const sentAt = this.pace.now()
      const exchange = await this.turns.take(() => this.transport.send(outgoing))
      const later = retryAfter(exchange)
      if (later === undefined) {
        if (exchange.status !== 0 && exchange.status !== 429) this.pace.answered()
        return exchange
      }
      if (!patient) return exchange
      if (await this.#takesOthers(outgoing)) {
        waited += later
        if (waited > (tries === 1 ? LONGEST_WAIT : ALONE) || tries >= MOST_TRIES || signal?.aborted)
          return exchange
        await idle(() => wait(later, signal))
      } else if (!this.pace.refused(exchange.status, later, sentAt) || tries >= MOST_TRIES || signal?.aborted)
        return exchange
    }
  }

  /**
   * Whether a reading is answered where a request was just refused that may make something: others need not wait then. Of a
   * target that keeps a pace, a reading may just have had its turn.
   */
  async #takesOthers({ method, timeout, signal }: Outgoing): Promise<boolean> {
    const isPaced = this.pace.requestsPerSecond !== undefined
    if (this.witness === undefined || isPaced || method === 'GET' || method === 'HEAD') return false
    const request = { ...this.witness, method: 'GET', body: Buffer.alloc(0), timeout, signal }
    const { status } = await this.turns.take(() => this.transport.send(request))
    return status !== 0 && status !== 429 && status !== 503
  }

  /** Closes the connections that are kept. */
  close(): void {
    this.transport.close()
  }
}

/**
 * Refuses to ask what is no address: who asks that has overlooked that a target gave none, which is the kit's own fault.
 *
 * @throws {TypeError} where it is none
 */
function refuseNoAddress({ method, url }: Pick<Outgoing, 'method' | 'url'>): void {
  if (!URL.canParse(url)) throw new TypeError(`${method} of what is no address: ${JSON.stringify(url)}`)
}
