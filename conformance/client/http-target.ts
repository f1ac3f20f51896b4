import { resolve } from './atom.js'
import { Buffer } from './bytes.js'
import { withoutCredentials } from './credentials.js'
import { type Exchange, type RawRequest, refused, succeeded } from './exchange.js'
import type { HttpClient } from './http-client.js'
import { JustMade } from './just-made.js'
import type { Leftovers } from './leftovers.js'
import type { MarkupLimit } from './markup-limit.js'
import { Operations } from './operations.js'
import { retryAfter, wait } from './pace.js'
import type { Profile } from './profile.js'
import { wireName } from './queue-names.js'
import type { RequestOptions, Target } from './target.js'
import type { Outgoing, TracedExchange } from './transport.js'
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

/** How long what is not done is asked again, besides the time that effects take to show: milliseconds, and between two times. */
const UNFINISHED = 1500
const FIRST_PAUSE = 20
const LAST_PAUSE = 250

/** A request under way, and when it was sent last. */
interface Pending {
  readonly method: string
  readonly url: string
  since: number | undefined
}

/** The target as one check sees it: its exchanges are that check's own. */
export class HttpTarget implements Target {
  readonly baseUrl: string
  readonly exchanges: Exchange[] = []
  readonly operations: Operations
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

  constructor(options: HttpTargetOptions) {
    this.#justMade = new JustMade(options.profile.settleSeconds * 1000)
    this.#readAt = options.readAt ?? new Map()
    this.baseUrl = withoutSlashes(options.baseUrl)
    this.operations = new Operations(this.baseUrl)
    this.#options = options
    options.client.witness ??= { url: this.queueUri('kit-nothing'), headers: options.profile.headers }
  }

  /** What the target was asked and has not answered yet. What waits for its turn in the kit is not among it. */
  get pending(): (Pending & { since: number })[] {
    return [...this.#pending].filter((each): each is Pending & { since: number } => each.since !== undefined)
  }

  at(path: string): string {
    return this.baseUrl + path
  }

  queueUri(path: string): string {
    return this.at(
      `/queues/${wireName(this.#options.profile, path).split('/').map(encodeURIComponent).join('/')}`,
    )
  }

  /** From now on what is not posted to the first of these addresses is asked of the second. */
  readElsewhere(posted: string, read: string): void {
    const { client, leftovers } = this.#options
    this.#readAt.set(posted, read)
    if (client.created.delete(posted)) client.created.add(read)
    leftovers?.deleted(posted)
    leftovers?.made(this, read)
  }

  #addressOf(method: string, url: string): string {
    const [address = url] = /^[^?#]*/.exec(url) ?? []
    const read = method === 'POST' ? undefined : this.#readAt.get(address)
    return read === undefined ? url : read + url.slice(address.length)
  }

  async request(method: string, asked: string, options: RequestOptions = {}): Promise<Exchange> {
    const exchange = await this.#requestMade(method, asked, options)
    return exchange.status === 202 ? this.#untilDone(exchange, method, asked, options) : exchange
  }

  /**
   * Repeats what was answered with 202, which says that it is not done. What section 4.2 has is not repeated: it shows no status,
   * and a repeat may be another message.
   *
   * @returns the last answer; of a deletion the 202 where what it is about is gone by then
   */
  async #untilDone(
    first: Exchange,
    method: string,
    asked: string,
    options: RequestOptions,
  ): Promise<Exchange> {
    const operation = this.operations.of(method, first.url)
    if (operation === undefined && method !== 'DELETE') return first
    const { client, signal, idle = (wait: () => Promise<void>) => wait(), profile } = this.#options
    const kind = operation ?? method
    const patience = client.neverDone.has(kind) ? 0 : UNFINISHED + 2000 * profile.settleSeconds
    const until = performance.now() + patience
    for (let pause = FIRST_PAUSE; ; pause = Math.min(LAST_PAUSE, 1.5 * pause)) {
      await idle(() => wait(pause, signal))
      const again = await this.#requestMade(method, asked, options)
      if (again.status !== 202) return method === 'DELETE' && refused(again) ? first : again
      if (performance.now() < until) continue
      client.neverDone.add(kind)
      return again
    }
  }

  /** What was made a moment ago may not show yet. */
  async #requestMade(method: string, asked: string, options: RequestOptions): Promise<Exchange> {
    const url = this.#addressOf(method, asked)
    const exchange = await this.#requestOnce(method, url, options)
    const isOwner = options.as === undefined || options.as === 'owner'
    const pause = exchange.status === 404 && isOwner ? this.#justMade.pauseAt(url) : undefined
    if (pause === undefined) return exchange
    const { signal, idle = (wait: () => Promise<void>) => wait() } = this.#options
    await idle(() => wait(pause, signal))
    return this.#requestMade(method, url, options)
  }

  async #requestOnce(method: string, url: string, options: RequestOptions): Promise<Exchange> {
    const { profile, client, answerTimeout, signal, beforeRequest, idle, repeatsLost } = this.#options
    beforeRequest?.()
    const { as = 'owner', headers = {}, body = '', timeout = answerTimeout, cut } = options
    const isReading = method === 'GET' || method === 'HEAD'
    const patient = options.patient ?? (isReading || !this.#isRefused || this.isPaced)
    const asked: Pending = { method, url, since: undefined }
    this.#pending.add(asked)
    const outgoing = {
      method,
      url,
      headers: { ...(as === 'owner' ? profile.headers : as), ...headers },
      body: Buffer.from(body as Uint8Array),
      timeout,
      signal,
      patient,
      cut,
      idle,
      onSent: () => {
        asked.since = performance.now()
      },
    }
    // A target behind a proxy may name itself by a name that only its own network knows.
    const here = this.#here(url)
    const host = here === undefined ? '' : new URL(url).origin
    const isKnown = here !== undefined && client.unreachable.has(host)
    let exchange = await client.send(isKnown ? { ...outgoing, url: here } : outgoing)
    if (here !== undefined && !isKnown && !exchange.connected) {
      client.unreachable.add(host)
      exchange = await client.send({ ...outgoing, url: here })
    } else if (here !== undefined && exchange.isBare)
      exchange = await this.#answeredBare(exchange, outgoing, here)
    if (exchange.isLost && repeatsLost) exchange = await client.send(outgoing)
    if (client.unreachable.has(host)) exchange = { ...exchange, url }
    if (exchange.isLost) this.lost ??= exchange
    if (exchange.isOverLimit) this.limit ??= `${method} ${url}: ${exchange.error}`
    const slashed = otherSlash(exchange)
    if (slashed !== undefined) {
      this.#keep(exchange)
      exchange = await client.send({ ...outgoing, url: slashed })
    }
    this.#pending.delete(asked)
    this.#keep(exchange)
    if (!isReading && options.patient === undefined)
      this.#isRefused = retryAfter(exchange.status, exchange.headers) !== undefined
    if (succeeded(exchange)) this.#noteMade(exchange)
    return exchange
  }

  /**
   * What another origin answers, which is not shown the credentials. What it refuses without them may be the target's own by another
   * name: then it is at the same path where the target was found.
   */
  async #answeredBare(answer: TracedExchange, outgoing: Outgoing, here: string): Promise<TracedExchange> {
    const { client } = this.#options
    const own = refused(answer) ? await client.send({ ...outgoing, url: here }) : undefined
    if (own !== undefined && succeeded(own)) return { ...own, url: answer.url }
    // A login page is a success, too.
    if (!succeeded(answer) || /html/i.test(answer.headers['content-type'] ?? '')) {
      this.doubt ??= withoutCredentials(answer)
      if (client.credentials !== undefined) client.credentials.doubt ??= this.doubt
    }
    return answer
  }

  /** Notes what an answer says was made, or deleted. */
  #noteMade(exchange: Exchange): void {
    const { method, url } = exchange
    const { client, leftovers } = this.#options
    if (method === 'DELETE') {
      leftovers?.deleted(url)
      this.#justMade.delete(url)
    }
    this.operations.note(exchange, this.location(exchange))
    const made = this.#justMade.isOfUse ? this.location(exchange) : undefined
    if (made !== undefined) this.#justMade.add(made)
    // A target may have sent the kit on to the collection's address with a slash.
    const collection = url.replace(/\/$/, '')
    const isQueue = collection === this.at('/queues')
    if (method !== 'POST' || !(isQueue || collection === this.at('/subscriptions'))) return
    const created = this.location(exchange)
    if (created === undefined || !this.isOwn(created)) return
    if (isQueue) client.created.add(created)
    leftovers?.made(this, created)
  }

  /** The same path where the target was found, for an address elsewhere. */
  #here(url: string): string | undefined {
    const base = new URL(this.baseUrl)
    if (!URL.canParse(url) || new URL(url).origin === base.origin) return undefined
    const { pathname, search } = new URL(url)
    return `${base.origin}${pathname}${search}`
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

  async directly<T>(uri: string, speak: (at: string) => Promise<T | undefined>): Promise<T | undefined> {
    const { unreachable } = this.#options.client
    const here = this.#here(uri)
    const { origin } = new URL(uri)
    const said = here !== undefined && unreachable.has(origin) ? undefined : await speak(uri)
    if (said !== undefined || here === undefined) return said
    unreachable.add(origin)
    return speak(here)
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
   * @param limit a sentence that names the limit of the kit's own that it has met; none where it has shown that it has no end
   */
  noteExcess(limit?: string): void {
    this.limit ??= limit
    this.#options.client.transport.measure.noteExcess()
  }

  /** What its client knows of feeds that were read. */
  get reading(): Pick<HttpClient, 'foreign' | 'notPages'> {
    return this.#options.client
  }

  get markup(): MarkupLimit {
    return this.#options.client.markup
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

/** Where a redirect leads that only adds a slash to the end of the path, or takes it away, for the same method. */
export function otherSlash({ method, status, url, headers: { location } }: Exchange): string | undefined {
  const repeats = method === 'GET' || method === 'HEAD' ? [301, 302, 307, 308] : [307, 308]
  const uri = repeats.includes(status) && location !== undefined ? resolve(location, url) : undefined
  if (uri === undefined || !URL.canParse(url)) return undefined
  const [from, to] = [new URL(url), new URL(uri)]
  const differs = to.pathname === `${from.pathname}/` || from.pathname === `${to.pathname}/`
  return differs && to.origin === from.origin && to.search === from.search ? uri : undefined
}
