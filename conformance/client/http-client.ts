import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Credentials } from './credentials.js'
import type { Exchange } from './exchange.js'
import { ForeignMarkup } from './foreign-markup.js'
import { askInProcess, type Fetch } from './in-process.js'
import { MarkupLimit } from './markup-limit.js'
import { type NewConnection, NewConnections } from './new-connections.js'
import { LONGEST_WAIT, Pace, retryAfter, wait } from './pace.js'

/** A request, ready to be sent. */
export interface Outgoing {
  readonly method: string
  /** Absolute. A target may have given it: then of any scheme. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Milliseconds from sending until the answer must be whole. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
  /** Whether it is sent again where it is refused for now; default true. */
  readonly patient?: boolean | undefined
  /** Carries out a wait that the target or its pace asks for; by default as it is. */
  readonly idle?: ((wait: () => Promise<void>) => Promise<void>) | undefined
  /** Called each time that it is sent; until then it waits for its turn here. */
  readonly onSent?: (() => void) | undefined
}

/** An exchange, and whether anybody took the connection. */
export interface TracedExchange extends Exchange {
  readonly connected: boolean
  /** Whether the target closed a connection that it had said it would keep, and the request may never have reached it. */
  readonly isLost?: boolean
  /** Whether it went without credentials that it had, since its address is not of an origin that they go to. */
  readonly isBare?: boolean
  /** Whether there is no answer, or no request, for a limit of the kit's own, which `error` names. */
  readonly isOverLimit?: boolean
}

type Answer = Pick<TracedExchange, 'status' | 'headers' | 'body' | 'error' | 'isOverLimit'>

/** A longer answer is not read to its end: nothing that a check asks for is near it. */
const MAX_ANSWER = 16 * 1024 * 1024
/** Bytes of all answers that are under way at once. */
const MAX_UNDER_WAY = 64 * 1024 * 1024
/** Bytes of all answers of a run: when they were read, nothing more is asked. Feeds of half a megabyte stay below it. */
const MAX_ALL = 8 * 1024 * 1024 * 1024
/** Bytes of the header of an answer. */
const MAX_HEADER = 256 * 1024
/** The longest answer of a target that is taken to mean harm that is still read. */
const MAX_HARMFUL = 64 * 1024
/** After more answers beyond all measure than so many a target is taken to mean harm. */
const HARM = 8
/** Many servers, and what stands before them, refuse a client that does not say what it is. */
export const USER_AGENT = 'atom-mq-conformance'
/** How often a request is repeated that the target refuses for now. */
const MOST_TRIES = 12
/** A request that is refused while others are answered is waited for once, and for so long where it takes more: milliseconds. */
const ALONE = 5000
// Servers close idle connections after some seconds. A connection idle for longer than this is not used again, so
// that no request is lost to a close that crosses it.
export const IDLE = 1000
// Requests that may be sent a second time when the connection they were put on turns out to be closed.
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Of a header that is too long, as Node's parser has it. */
const HEADER_OVERFLOW = 'HPE_HEADER_OVERFLOW'
/** So many closes may have crossed a request by chance. */
const SOME_LOST = 1

/**
 * Refuses to ask what is no address: who asks that has overlooked that a target gave none, which is the kit's own fault.
 *
 * @throws {TypeError} where it is none
 */
export function refuseNoAddress({ method, url }: Pick<Outgoing, 'method' | 'url'>): void {
  if (!URL.canParse(url)) throw new TypeError(`${method} of what is no address: ${JSON.stringify(url)}`)
}

/**
 * Sends single requests over connections that it keeps. Whatever goes wrong is in the exchange; nothing is thrown but for what is no
 * address.
 */
export class HttpClient {
  #lost = 0
  #http = new HttpAgent({ keepAlive: true, timeout: IDLE })
  #https = new HttpsAgent({ keepAlive: true, timeout: IDLE })

  /** What each signal stops: one listener for all requests of a check, of which there are many at once. */
  readonly #stops = new WeakMap<AbortSignal, Set<() => void>>()

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
  /** Foreign elements of feeds that were parsed. */
  readonly foreign = new ForeignMarkup()
  /** Addresses that were named as next and turned out to be no pages of a feed. */
  readonly notPages = new Set<string>()
  /** How many connections are opened at once. */
  readonly connections = new NewConnections()
  #underWay = 0
  #all = 0
  #excesses = 0

  /**
   * @param now monotonic milliseconds, for the times of the exchanges
   * @param pace that of all requests
   * @param credentials decides to which origins they go; without it, every header goes to every address
   * @param fetch answers in this process, where the target is no server behind a socket
   */
  constructor(
    readonly now: () => number,
    readonly pace: Pace = new Pace(null),
    readonly credentials?: Credentials,
    readonly fetch?: Fetch,
  ) {
    for (const agent of [this.#http, this.#https]) agent.on('free', () => this.connections.look())
  }

  /** Keeps no connection from now on: the target takes no other while one is open. */
  keepNone(): void {
    this.close()
    this.#http = new HttpAgent({ keepAlive: false })
    this.#https = new HttpsAgent({ keepAlive: false })
  }

  /** As {@link keepNone}, and what is under way goes on: the target closes connections that it has said it would keep. */
  #keepNoMore(): void {
    this.#http = new HttpAgent({ keepAlive: false })
    this.#https = new HttpsAgent({ keepAlive: false })
  }

  /** Notes an answer beyond all measure: without an end, or nested without one. */
  noteExcess(): void {
    this.#excesses += 1
  }

  /** Whether the target has shown again and again that its answers know no measure: nobody waits for it any more. */
  get isHarmful(): boolean {
    return this.#excesses > HARM || this.#all > MAX_ALL
  }

  /** Sends a request, without the credentials in it where its address is of another origin than they go to. */
  async send(outgoing: Outgoing): Promise<TracedExchange> {
    const headers = this.headersFor(outgoing.url, outgoing.headers)
    if (headers === outgoing.headers) return this.sendAsIs(outgoing)
    return { ...(await this.sendAsIs({ ...outgoing, headers })), isBare: true }
  }

  /** What of some headers goes to an address. */
  headersFor(url: string, headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    return this.credentials?.headersFor(url, headers) ?? headers
  }

  /** A request that is refused with 429 or 503 and `Retry-After` has not happened: it is sent again after that time. */
  protected async sendAsIs(outgoing: Outgoing): Promise<TracedExchange> {
    const { signal, patient = true, idle = (pause) => pause() } = outgoing
    refuseNoAddress(outgoing)
    let waited = 0
    for (let tries = 1; ; tries++) {
      const early = this.pace.turn()
      if (early > 0) await idle(() => wait(early, signal))
      const sentAt = this.pace.now()
      const exchange = await this.#sendOnce(outgoing)
      const later = retryAfter(exchange.status, exchange.headers)
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
    const { status } = await this.#sendOnce(request)
    return status !== 0 && status !== 429 && status !== 503
  }

  async #sendOnce(outgoing: Outgoing): Promise<TracedExchange> {
    const first = await this.#attempt(outgoing)
    if (!first.stale) return first.exchange
    this.#lost += 1
    const isSafe = SAFE.has(outgoing.method)
    if (!isSafe || this.#lost > SOME_LOST) this.#keepNoMore()
    return isSafe ? (await this.#attempt(outgoing)).exchange : { ...first.exchange, isLost: true }
  }

  /** Closes the connections that are kept. */
  close(): void {
    this.#http.destroy()
    this.#https.destroy()
  }

  #attempt(outgoing: Outgoing): Promise<{ exchange: TracedExchange; stale: boolean }> {
    const { method, url, headers, body, timeout, signal } = outgoing
    let sentAt = this.now()
    const stops = signal && this.#stopsOf(signal)
    if (this.fetch !== undefined) return this.#attemptInProcess(this.fetch, outgoing, stops)
    return new Promise((resolve) => {
      let connected = false
      let stale = false
      let settled = false
      let timer: NodeJS.Timeout | undefined
      let request: ClientRequest | undefined
      const settle = (answer: Answer) => {
        if (settled) return
        settled = true
        clearTimeout(timer)
        stops?.delete(stop)
        const { status, headers: answered, body: content, error, isOverLimit = false } = answer
        resolve({
          exchange: {
            method,
            url,
            requestHeaders: headers,
            requestBody: body,
            status,
            headers: answered,
            body: content,
            error,
            sentAt,
            receivedAt: this.now(),
            connected,
            isOverLimit,
          },
          stale,
        })
      }
      const fail = (error: string, isOverLimit = false) =>
        settle({ status: 0, headers: {}, body: Buffer.alloc(0), error, isOverLimit })
      const stop = () => {
        fail('the run was stopped')
        request?.destroy()
      }
      if (signal?.aborted) return fail('the run was stopped')
      if (this.#all > MAX_ALL)
        return fail(`the answers of the run are longer than ${MAX_ALL} bytes together`, true)
      stops?.add(stop)
      const start = (connection: NewConnection): void => {
        sentAt = this.now()
        const sent = this.#open(outgoing, fail)
        if (!sent) {
          connection.answered(false)
          return
        }
        request = sent
        outgoing.onSent?.()
        timer = setTimeout(() => {
          fail(connected ? `no answer within ${timeout} ms` : `no connection within ${timeout} ms`)
          sent.destroy()
        }, timeout)
        sent.on('socket', (socket) => {
          connected = !socket.connecting
          if (connected) return
          socket.once('connect', () => {
            connected = true
            connection.connected()
          })
        })
        sent.on('response', (response) => {
          connection.answered(isKept(response))
          this.#collect(response, settle, fail)
        })
        sent.on('close', () => connection.answered(false))
        sent.on('error', (error: NodeJS.ErrnoException) => {
          stale = sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
          fail(sentence(error, connected), error.code === HEADER_OVERFLOW)
        })
        // An end without data makes Node announce a length of 0 where the method expects a body.
        if (body.length > 0) sent.end(body)
        else sent.end()
      }
      this.connections.enter({ hasFree: this.#freeAt(url), start, isOver: () => settled })
    })
  }

  async #attemptInProcess(fetch: Fetch, outgoing: Outgoing, stops: Set<() => void> | undefined) {
    outgoing.onSent?.()
    const headers = { 'User-Agent': USER_AGENT, ...outgoing.headers }
    const exchange = await askInProcess(fetch, { ...outgoing, headers }, this.now, (stop) => {
      if (outgoing.signal?.aborted) stop()
      stops?.add(stop)
      return () => stops?.delete(stop)
    })
    return { exchange: { ...exchange, requestHeaders: outgoing.headers }, stale: false }
  }

  /** Tells, as often as it is called, whether a connection to the server of an address is there that nobody uses. */
  #freeAt(url: string): () => boolean {
    const { protocol, hostname, port } = new URL(url)
    const isSafe = protocol === 'https:'
    const place = `${bare(hostname)}:${port || (isSafe ? 443 : 80)}:`
    return () => {
      const { freeSockets } = isSafe ? this.#https : this.#http
      return Object.entries(freeSockets).some(
        ([name, sockets]) => name.startsWith(place) && (sockets?.length ?? 0) > 0,
      )
    }
  }

  #collect(
    response: IncomingMessage,
    settle: (answer: Answer) => void,
    fail: (error: string, isOverLimit?: boolean) => void,
  ): void {
    const chunks: Buffer[] = []
    let length = 0
    const tooLong = (why: string) => {
      this.noteExcess()
      fail(why, true)
      response.destroy()
    }
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      this.#underWay += chunk.length
      this.#all += chunk.length
      const most = this.isHarmful ? MAX_HARMFUL : MAX_ANSWER
      if (length > most) tooLong(`the answer is longer than ${most} bytes`)
      else if (this.#underWay > MAX_UNDER_WAY)
        tooLong(`the answers under way together are longer than ${MAX_UNDER_WAY} bytes`)
    })
    response.on('close', () => {
      this.#underWay -= length
      length = 0
    })
    response.on('error', () => fail('the connection was closed before the answer was whole'))
    response.on('end', () =>
      settle({
        status: response.statusCode!,
        headers: joinHeaders(response.rawHeaders),
        // Of many small pieces none is kept beside the whole.
        body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks.splice(0)),
        error: undefined,
      }),
    )
  }

  #stopsOf(signal: AbortSignal): Set<() => void> {
    let stops = this.#stops.get(signal)
    if (stops === undefined) {
      const all = new Set<() => void>()
      const stopAll = () => {
        for (const stop of all) stop()
      }
      signal.addEventListener('abort', stopAll, { once: true })
      this.#stops.set(signal, all)
      stops = all
    }
    return stops
  }

  #open({ method, url, headers, body }: Outgoing, fail: (error: string) => void) {
    try {
      const target = new URL(url)
      if (target.protocol !== 'http:' && target.protocol !== 'https:') throw new Error('it is not http')
      const secure = target.protocol === 'https:'
      const length = body.length > 0 ? { 'Content-Length': String(body.length) } : {}
      const options = {
        ...place(target),
        method,
        headers: { 'User-Agent': USER_AGENT, 'Accept-Encoding': 'identity', ...length, ...headers },
        agent: secure ? this.#https : this.#http,
        maxHeaderSize: MAX_HEADER,
      }
      const request = secure ? httpsRequest(options) : httpRequest(options)
      // Of more fields than this Node would leave out the last without a word; their bytes are bounded.
      request.maxHeadersCount = 0
      return request
    } catch (error) {
      fail(`no request can be made of ${method} ${url}: ${(error as Error).message}`)
      return undefined
    }
  }
}

// Node makes these of a URL, too, but with all that a URL could have besides: a tenth of what a request costs.
function place({ hostname, port, pathname, search, username, password }: URL): RequestOptions {
  const auth =
    username === '' ? {} : { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` }
  return { host: bare(hostname), port, path: pathname + search, ...auth }
}

function isKept({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.connection?.toLowerCase() !== 'close'
}

/** An IPv6 address stands in brackets in a URL, and nowhere else. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function joinHeaders(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index]!.toLowerCase()
    const value = raw[index + 1]!
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value
  }
  return headers
}

function sentence(error: NodeJS.ErrnoException, connected: boolean): string {
  const code = error.code ?? ''
  if (code === HEADER_OVERFLOW) return `the header of the answer is longer than ${MAX_HEADER} bytes`
  if (code.startsWith('HPE_')) return `the answer is not HTTP: ${error.message}`
  if (connected && (code === 'ECONNRESET' || code === 'EPIPE'))
    return 'the connection was closed before the answer'
  return error.message === '' ? code : error.message
}
