import { encodePath } from './addresses.js'
import { resolve } from './atom.js'
import { Buffer } from './bytes.js'
import { type Exchange, type RawRequest, succeeded } from './exchange.js'
import type { HttpClient } from './http-client.js'
import type { Leftovers } from './leftovers.js'
import { retryAfter } from './pace.js'
import type { Profile } from './profile.js'
import { wireName } from './queue-names.js'
import type { RequestOptions, Target } from './target.js'
import { JustMade, settled } from './tolerances/just-made.js'
import { OtherNames } from './tolerances/other-names.js'
import { whereRead } from './tolerances/posts-alone.js'
import { withOtherSlash } from './tolerances/slashes.js'
import { untilDone } from './tolerances/until-done.js'
import type { Outgoing, Send, TracedExchange } from './transport.js'
import { parseUrl, withoutSlashes } from './url.js'

export interface HttpTargetOptions {
  readonly baseUrl: string
  readonly profile: Profile
  readonly client: HttpClient
  /** Milliseconds that one answer may take, unless a request says otherwise. */
  readonly answerTimeout: number
  readonly signal?: AbortSignal
  /** Called before each request; what it throws ends the request before it is sent. */
  readonly beforeRequest?: () => void
  /** Whether a request is sent again that may never have reached the target, whatever it does; otherwise only safe ones. */
  readonly repeatsLost?: boolean
  /** What the checks of the run have made. */
  readonly leftovers?: Pick<Leftovers, 'made' | 'deleted'> | undefined
  /** Addresses that take only posts, with where what is there is read and deleted; default: none is known. */
  readonly readAt?: Map<string, string>
  /** Carries out a wait that the target asks for. */
  readonly idle?: (wait: () => Promise<void>) => Promise<void>
}

/** Names of the machine that the kit runs on. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
/** Bytes of answers that are kept of one check; of those that come later, the beginning. */
const KEPT = 8 * 1024 * 1024
const BEGINNING = 16 * 1024

/** A request under way, and when it was sent last. */
interface Pending extends Pick<Exchange, 'method' | 'url'> {
  since: number
}

/** The target as one check sees it: its exchanges are that check's own. */
export class HttpTarget implements Target {
  readonly baseUrl: string
  readonly exchanges: Exchange[] = []
  readonly #pending = new Set<Pending>()
  /** A request that may never have reached the target, since it closed the connection. It was not sent again. */
  lost: Exchange | undefined
  /** Why nobody can say what the target does at another origin, which was not shown the credentials. */
  doubt: string | undefined
  /** The first limit of the kit's own that an answer has met, as a sentence: what came of it is not the target's fault. */
  limit: string | undefined
  readonly #options: HttpTargetOptions
  readonly #named = new Set<string>()
  /** Whether the last request that may make something was refused however long it was waited for: the next need not wait. */
  #isRefused = false
  #kept = 0
  readonly #justMade: JustMade
  /** Of addresses that take only posts, where what is there is read and deleted. */
  readonly #readAt: Map<string, string>
  readonly #otherNames: OtherNames
  /** What is sent once more only where the target redirects it to the other slash. */
  readonly #direct: Send
  readonly #send: Send

  constructor(options: HttpTargetOptions) {
    const { profile, client, readAt = new Map() } = options
    const settle = profile.settleSeconds * 1000
    this.#options = options
    this.#justMade = new JustMade(settle)
    this.#readAt = readAt
    this.baseUrl = withoutSlashes(options.baseUrl)
    client.witness ??= { url: this.queueUri('kit-nothing'), headers: profile.headers }
    const send: Send = (outgoing) => client.send(outgoing)
    this.#otherNames = new OtherNames(this.baseUrl, send, client.unreachable, (doubt) => {
      this.doubt ??= doubt
      if (client.credentials !== undefined) client.credentials.doubt ??= this.doubt
    })
    this.#direct = withOtherSlash((outgoing) => this.#sendNoted(outgoing))
    this.#send = untilDone(
      whereRead(
        settled((outgoing) => this.#sendOnce(outgoing), this.#justMade),
        readAt,
      ),
      { base: this.baseUrl, settle, neverDone: client.neverDone },
    )
  }

  /** What the target was asked and has not answered yet. What waits for its turn in the kit is not among it. */
  get pending(): Pending[] {
    return [...this.#pending]
  }

  at(path: string): string {
    return this.baseUrl + path
  }

  queueUri(path: string): string {
    return this.at(`/queues/${encodePath(wireName(this.#options.profile, path))}`)
  }

  /** From now on what is not posted to the first of these addresses is asked of the second. */
  readElsewhere(posted: string, read: string): void {
    const { client, leftovers } = this.#options
    this.#readAt.set(posted, read)
    if (client.created.delete(posted)) client.created.add(read)
    leftovers?.deleted(posted)
    leftovers?.made(this, read)
  }

  request(method: string, url: string, options: RequestOptions = {}): Promise<Exchange> {
    const { profile, answerTimeout, signal, idle } = this.#options
    const { as = 'owner', headers = {}, body = '', timeout = answerTimeout, patient, cut } = options
    const isOwner = as === 'owner'
    return this.#send({
      ...{ method, url, timeout, signal, patient, cut, idle, isOwner },
      headers: { ...(isOwner ? profile.headers : as), ...headers },
      body: Buffer.from(body as Uint8Array),
    })
  }

  async #sendOnce(outgoing: Outgoing): Promise<TracedExchange> {
    this.#options.beforeRequest?.()
    const { method, url } = outgoing
    const isReading = method === 'GET' || method === 'HEAD'
    const patient = outgoing.patient ?? (isReading || !this.#isRefused || this.isPaced)
    const asked: Pending = { method, url, since: 0 }
    const onSent = () => {
      asked.since = performance.now()
      this.#pending.add(asked)
    }
    const exchange = await this.#direct({ ...outgoing, patient, onSent })
    this.#pending.delete(asked)
    if (!isReading && outgoing.patient === undefined) this.#isRefused = retryAfter(exchange) !== undefined
    if (succeeded(exchange)) this.#noteMade(exchange)
    return exchange
  }

  /** Sends a request, again where it may never have reached the target and that is wanted, and remembers what came. */
  async #sendNoted(outgoing: Outgoing): Promise<TracedExchange> {
    const first = await this.#otherNames.send(outgoing)
    const isAgain = first.isLost && this.#options.repeatsLost
    const exchange = isAgain ? await this.#otherNames.send(outgoing) : first
    if (exchange.isLost) this.lost ??= exchange
    if (exchange.isOverLimit) this.limit ??= `${outgoing.method} ${outgoing.url}: ${exchange.error}`
    this.#keep(exchange)
    return exchange
  }

  /** Notes what an answer says was made, or deleted. */
  #noteMade(exchange: Exchange): void {
    const { method, url } = exchange
    const { client, leftovers } = this.#options
    if (method === 'DELETE') {
      leftovers?.deleted(url)
      this.#justMade.delete(url)
    }
    const created = this.location(exchange)
    if (this.#justMade.isOfUse && created !== undefined) this.#justMade.add(created)
    // A target may have sent the kit on to the collection's address with a slash.
    const collection = url.replace(/\/$/, '')
    const isQueue = collection === this.at('/queues')
    if (method !== 'POST' || !(isQueue || collection === this.at('/subscriptions'))) return
    if (created === undefined || !this.isOwn(created)) return
    if (isQueue) client.created.add(created)
    leftovers?.made(this, created)
  }

  #keep(exchange: Exchange): void {
    this.#kept += exchange.body.length
    const cut = this.#kept > KEPT && exchange.body.length > BEGINNING
    this.exchanges.push(
      cut ? { ...exchange, body: Buffer.from(exchange.body.subarray(0, BEGINNING)) } : exchange,
    )
  }

  async remember(
    request: RawRequest,
    send: () => Promise<Pick<Exchange, 'status' | 'error'>>,
  ): Promise<number> {
    const { now } = this.#options.client
    const sentAt = now()
    const { status, error } = await send()
    const answer = { status, error, headers: {}, body: Buffer.alloc(0) }
    this.#keep({ ...request, ...answer, sentAt, receivedAt: now() })
    return status
  }

  directly<T>(
    uri: string,
    speak: (at: string, within: number) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const { client, answerTimeout } = this.#options
    return this.#otherNames.directly(uri, (at) => client.turns.take(() => speak(at, answerTimeout)))
  }

  headersFor(uri: string, headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    return this.#options.client.headersFor(uri, headers)
  }

  get isInProcess(): boolean {
    return this.#options.client.transport.isInProcess
  }

  /** Whether the target is known to take only so many requests a second. */
  get isPaced(): boolean {
    return this.#options.client.pace.requestsPerSecond !== undefined
  }

  get isHarmful(): boolean {
    return this.#options.client.transport.measure.isHarmful
  }

  /**
   * Notes an answer beyond all measure.
   *
   * @param limit a sentence that names the limit of the kit's own that it has met
   */
  noteExcess(limit: string): void {
    this.limit ??= limit
    this.#options.client.transport.measure.noteExcess()
  }

  /** What its client knows of feeds that were read. */
  get reading(): Pick<HttpClient, 'foreign' | 'notPages' | 'markup'> {
    return this.#options.client
  }

  isOwn(uri: string): boolean {
    const at = parseUrl(uri)
    if (at === undefined) return false
    const { origin, hostname, port } = at
    const base = new URL(this.baseUrl)
    const isHere = LOOPBACK.has(hostname) && LOOPBACK.has(base.hostname) && port === base.port
    return origin === base.origin || isHere || this.#named.has(origin)
  }

  location(exchange: Exchange): string | undefined {
    const written = exchange.headers.location
    const given = written !== undefined && written !== ''
    // A fragment never reaches a server, and whatever is put behind it would not either.
    const uri = given ? resolve(written, exchange.url)?.replace(/#.*$/s, '') : undefined
    // What it has made is at an address of its own, whatever it calls itself.
    if (uri !== undefined && succeeded(exchange)) this.#named.add(new URL(uri).origin)
    return uri
  }
}
