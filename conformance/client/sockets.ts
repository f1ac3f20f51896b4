import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { AnswerReader } from './answer-reader.js'
import { cutOff } from './cut.js'
import { cutRequest } from './cut-request.js'
import { CLOSED, noAnswerWithin } from './exchange.js'
import { Measure } from './measure.js'
import { type NewConnection, NewConnections } from './new-connections.js'
import { onStop } from './stops.js'
import { IDLE, type Outgoing, type TracedExchange, type Transport, USER_AGENT } from './transport.js'

type Answer = Pick<TracedExchange, 'status' | 'headers' | 'body' | 'error' | 'isOverLimit'>

/** Bytes of the header of an answer. */
const MAX_HEADER = 256 * 1024
/** Interim answers (1xx) before an answer: a server that works for minutes sends one every few seconds. */
const MOST_INTERIM = 1000
// Requests that may be sent a second time when the connection they were put on turns out to be closed.
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Of a header that is too long, as Node's parser has it. */
const HEADER_OVERFLOW = 'HPE_HEADER_OVERFLOW'
/** So many closes may have crossed a request by chance. */
const SOME_LOST = 1

/** Sends requests over connections that it keeps. */
export class Sockets implements Transport {
  readonly isInProcess = false
  readonly measure = new Measure()
  #lost = 0
  #http = new HttpAgent({ keepAlive: true, timeout: IDLE })
  #https = new HttpsAgent({ keepAlive: true, timeout: IDLE })
  /** How many connections are opened at once. */
  readonly #connections = new NewConnections()
  readonly #answers = new AnswerReader(this.measure)

  /** @param now monotonic milliseconds, for the times of the exchanges */
  constructor(readonly now: () => number = () => performance.now()) {
    for (const agent of [this.#http, this.#https]) agent.on('free', () => this.#connections.look())
  }

  keepNone(): void {
    this.close()
    this.#keepNoMore()
  }

  /** As {@link keepNone}, and what is under way goes on: the target closes connections that it has said it would keep. */
  #keepNoMore(): void {
    this.#http = new HttpAgent({ keepAlive: false })
    this.#https = new HttpsAgent({ keepAlive: false })
  }

  allow(connections: number): void {
    this.#connections.allow(connections)
  }

  close(): void {
    this.#http.destroy()
    this.#https.destroy()
  }

  async send(outgoing: Outgoing): Promise<TracedExchange> {
    const { cut } = outgoing
    // What is of another scheme is asked nowhere, so that nothing is cut off.
    if (cut !== undefined && /^https?:/i.test(outgoing.url)) {
      const sentAt = this.now()
      await cutRequest(outgoing, cut)
      return cutOff(outgoing, cut, { sentAt, receivedAt: this.now() })
    }
    const first = await this.#attempt(outgoing)
    if (!first.stale) return first.exchange
    this.#lost += 1
    const isSafe = SAFE.has(outgoing.method)
    if (!isSafe || this.#lost > SOME_LOST) this.#keepNoMore()
    return isSafe ? (await this.#attempt(outgoing)).exchange : { ...first.exchange, isLost: true }
  }

  #attempt(outgoing: Outgoing): Promise<{ exchange: TracedExchange; stale: boolean }> {
    const { method, url, headers, body, timeout, signal } = outgoing
    let sentAt = this.now()
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
        forget()
        const asked = { method, url, requestHeaders: headers, requestBody: body, connected }
        resolve({ exchange: { ...asked, ...answer, sentAt, receivedAt: this.now() }, stale })
      }
      const fail = (error: string, isOverLimit = false) =>
        settle({ status: 0, headers: {}, body: Buffer.alloc(0), error, isOverLimit })
      const stop = () => {
        fail('the run was stopped')
        request?.destroy()
      }
      const { isFull } = this.measure
      let forget = () => {}
      if (isFull !== undefined) return fail(isFull, true)
      forget = onStop(signal, stop)
      if (settled) return undefined
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
          fail(connected ? noAnswerWithin(timeout) : `no connection within ${timeout} ms`)
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
        let interim = 0
        sent.on('information', () => {
          interim += 1
          if (interim <= MOST_INTERIM) return
          fail(`more than ${MOST_INTERIM} interim answers`, true)
          sent.destroy()
        })
        sent.on('response', (response) => {
          connection.answered(isKept(response))
          this.#answers.read(response, settle, fail)
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
      this.#connections.enter({ hasFree: this.#freeAt(url), start, isOver: () => settled })
    })
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

/** The usual transport. @param now monotonic milliseconds, for the times of the exchanges */
export const overSockets = (now?: () => number): Transport => new Sockets(now)

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

function sentence(error: NodeJS.ErrnoException, connected: boolean): string {
  const code = error.code ?? ''
  if (code === HEADER_OVERFLOW) return `the header of the answer is longer than ${MAX_HEADER} bytes`
  if (code.startsWith('HPE_')) return `the answer is not HTTP: ${error.message}`
  if (/wrong version number|packet length too long/.test(error.message))
    return 'it does not speak TLS; does its address begin with http://?'
  if (connected && (code === 'ECONNRESET' || code === 'EPIPE')) return CLOSED
  return error.message === '' ? code : error.message
}
