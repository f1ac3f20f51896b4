import { utf8Of } from '../platform/bytes.js'
import { Departure } from './departure.js'
import type { Fields, Reply, Stream } from './exchange.js'
import { admits, type FrontOptions, policyOf } from './front.js'
import { bodyTooLarge, type HeadPolicy, headerTooLarge, readHead } from './head.js'
import { tooManyRequests } from './load.js'
import { Problem, problemOf } from './problems.js'

/** How much of an answer that goes on may wait for its reader, in bytes; who is further behind is cut off. */
const MOST_UNREAD = 1024 * 1024

/** Up to how much of it is made before it is read, in bytes. */
const AHEAD = 64 * 1024

type FetchRequest = globalThis.Request
type FetchResponse = globalThis.Response

/**
 * A front in the same process, in the terms of the Fetch standard.
 *
 * @throws Error when the base path is not one
 */
export function createFetch(options: FrontOptions): Pick<Front, 'fetch' | 'close'> {
  const front = new Front(options)
  return { fetch: (request) => front.fetch(request), close: () => front.close() }
}

/** Who asks one request: gone when its signal is aborted. */
class Caller extends Departure {
  /** Rejects when it goes away. */
  readonly aborted: Promise<never>

  constructor(private readonly signal: AbortSignal) {
    super()
    this.aborted = new Promise((_, reject) => {
      signal.addEventListener(
        'abort',
        () => {
          reject(signal.reason)
          this.tellGone()
        },
        { once: true },
      )
    })
  }

  protected get isGone(): boolean {
    return this.signal.aborted
  }
}

class Front {
  readonly #options: FrontOptions
  readonly #policy: HeadPolicy
  #unanswered = 0
  #closed = false

  constructor(options: FrontOptions) {
    this.#options = options
    this.#policy = policyOf(options, 'localhost')
  }

  /** What is asked from now on is refused. */
  close(): void {
    this.#closed = true
  }

  /** See `ServerHandler.fetch`. */
  async fetch(request: FetchRequest): Promise<FetchResponse> {
    request.signal.throwIfAborted()
    const caller = new Caller(request.signal)
    const fields: Fields = Object.fromEntries(request.headers)
    this.#unanswered++
    try {
      const reply = await Promise.race([caller.aborted, this.#replyTo(request, fields, caller)])
      return responseOf(this.#options.cors?.readable(reply, fields) ?? reply, request, caller)
    } finally {
      this.#unanswered--
    }
  }

  async #replyTo(request: FetchRequest, fields: Fields, caller: Caller): Promise<Reply> {
    try {
      const { host: named, pathname, search } = new URL(request.url)
      const { host = named } = fields
      const { method } = request
      const raw = { method, url: pathname + search, headers: { ...fields, host }, httpVersion: '1.1' }
      this.#checkLoad(fields)
      const live = readHead({ ...raw, rawHeaders: ['host', host] }, this.#policy, caller)
      const preflight = this.#options.cors?.preflight(raw)
      if (preflight !== undefined) return preflight
      if (request.body !== null && admits(this.#options, live)) live.body = await this.#read(request)
      return await this.#options.handle(live)
    } catch (error) {
      if (error instanceof BrokenBody) throw error.cause
      return problemOf(error, this.#options.onDefect)
    }
  }

  // clause: http.limit.headers
  #checkLoad(fields: Fields): void {
    if (this.#closed)
      throw new Problem('shutting-down', 'The server is closed; nothing of this has happened.')
    const { limits } = this.#policy
    if (this.#unanswered > limits.maxRequests) throw tooManyRequests(limits)
    let length = 0
    for (const [name, value = ''] of Object.entries(fields))
      length += name.length + value.length + ': \r\n'.length
    if (length > limits.maxHeader) throw headerTooLarge(limits.maxHeader)
  }

  /** @throws Problem `body-too-large`; BrokenBody where the body is broken off, so that nothing happens */
  async #read(request: FetchRequest): Promise<Uint8Array> {
    const { limits } = this.#policy
    // Grows as it comes: a million chunks of a byte would take more than what they hold.
    let body = new Uint8Array(0)
    let length = 0
    try {
      // Not every browser shows the body of a request as a stream.
      if (request.body === undefined) return new Uint8Array(await request.arrayBuffer())
      const reader = request.body!.getReader()
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        const whole = length + next.value.length
        if (whole > limits.maxBody) {
          void reader.cancel().catch(() => {})
          throw bodyTooLarge(limits)
        }
        if (whole > body.length) {
          const longer = new Uint8Array(Math.max(whole, 2 * length))
          longer.set(body.subarray(0, length))
          body = longer
        }
        body.set(next.value, length)
        length = whole
      }
    } catch (error) {
      throw error instanceof Problem ? error : new BrokenBody(error)
    }
    return body.slice(0, length)
  }
}

/** A body that its client did not bring to its end. */
class BrokenBody extends Error {
  constructor(cause: unknown) {
    super('The body was broken off.', { cause })
  }
}

/** @throws TypeError where the connection is to break before any of the answer arrives */
function responseOf(reply: Reply, { method, signal }: FetchRequest, caller: Caller): FetchResponse {
  const { status, stream, cut } = reply
  const headers = new Headers(reply.headers)
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Date', new Date().toUTCString())
  const init = { status, headers }
  const isEmpty = method === 'HEAD' || status === 204 || status === 205 || status === 304
  if (cut === 'reset' || (cut !== undefined && isEmpty)) throw new TypeError(RESET)
  if (stream !== undefined) return new Response(isEmpty ? null : streamOf(stream, signal, caller), init)
  caller.forgetGone()
  const body = utf8Of(reply.body ?? '')
  if (status !== 204 && status !== 304)
    headers.set('Content-Length', String(Math.max(body.length, cut ? 1 : 0)))
  if (cut === 'truncate') return new Response(halfOf(body), init)
  return new Response(isEmpty || body.length === 0 ? null : (body as Uint8Array<ArrayBuffer>), init)
}

const RESET = 'The connection was reset.'

/** Half of a body, and then the connection ends. */
function halfOf(body: Uint8Array): ReadableStream {
  let isSent = false
  return new ReadableStream({
    pull(controller) {
      if (isSent || body.length < 2) controller.error(new TypeError(RESET))
      else controller.enqueue(body.slice(0, body.length >> 1))
      isSent = true
    },
  })
}

/** An answer that goes on: made while it is read, and no further ahead than a client may be behind. */
function streamOf(stream: Stream, signal: AbortSignal, caller: Caller): ReadableStream {
  let stop: (() => void) | undefined
  let over = false
  let left: (() => void)[] = []
  const stopOnce = () => {
    over = true
    stop?.()
    stop = undefined
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const fail = (reason: unknown) => {
          if (over) return
          controller.error(reason)
          stopOnce()
        }
        caller.whenGone(() => fail(signal.reason))
        stop = stream({
          write(piece, sent) {
            if (over) return
            if ((controller.desiredSize ?? 0) < AHEAD - MOST_UNREAD) {
              fail(new TypeError(RESET))
              return
            }
            if (sent !== undefined) left.push(sent)
            controller.enqueue(utf8Of(piece))
          },
          end() {
            if (over) return
            controller.close()
            stopOnce()
          },
        })
        // It may have ended while it began.
        if (over) stopOnce()
      },
      pull() {
        const told = left
        left = []
        for (const sent of told) sent()
      },
      cancel: stopOnce,
    },
    { highWaterMark: AHEAD, size: ({ length }) => length },
  )
}
