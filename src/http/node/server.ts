import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Fields, Reply } from '../exchange.js'
import { admits, type FrontOptions, policyOf } from '../front.js'
import { bodyTooLarge, type HeadPolicy, headerTooLarge, readHead } from '../head.js'
import type { EdgeLimits } from '../limits.js'
import type { LiveRequest } from '../live-request.js'
import { overloaded, tooManyPipelined, tooManyRequests } from '../load.js'
import { Problem, problemOf } from '../problems.js'
import { Scheduler } from '../scheduler.js'
import { Answer } from './answer.js'
import { BodiesInFlight, NO_SINK } from './body.js'
import { Connection, Exchange } from './connection.js'
import { type HeadRoom, headRoom } from './head-room.js'
import { Incoming } from './incoming.js'
import { type ClientError, parseFailure } from './parse-failure.js'
import { Reading } from './reading.js'
import { openStream } from './stream.js'
import { UnsentAnswers } from './unsent.js'
import { sendAndLinger, sendRaw, sendReply } from './wire.js'

/** How many requests are thrown away on a connection that is about to end. */
const MOST_LATE = 8

/** What the edge is told at its start. */
export interface HttpServerOptions extends FrontOptions {
  /** The address to listen on; 127.0.0.1 when left out, so that nobody else is served by accident. It is a host that is answered. */
  readonly host?: string
  /** 0, or left out, takes a free one. */
  readonly port?: number
  /** Called once when closing begins; wakes every parked wait, so that it is answered now. */
  readonly onClosing?: () => void
}

/** @throws Error when the base path is not one */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  return new HttpServer(options)
}

/** The HTTP edge of a server. */
class HttpServer {
  readonly #options: HttpServerOptions
  readonly #host: string
  readonly #limits: Readonly<EdgeLimits>
  readonly #policy: HeadPolicy
  /** The types of Node do not tell of its `maxHeaderSize`. */
  readonly #server: Server<typeof Incoming, typeof Answer> & { maxHeaderSize?: number }
  readonly #connections = new Map<Socket, Connection>()
  readonly #bodies: BodiesInFlight
  readonly #unsent: UnsentAnswers
  /** What the connection has that is opened next. */
  #headRoom!: HeadRoom
  readonly #reading = new Reading(this.#connections)
  readonly #scheduler: Scheduler
  readonly #look = () => void this.#scheduler.look()
  /** Requests on all connections that have no answer yet. */
  #unanswered = 0
  #closed: Promise<void> | undefined

  // clause: http.limit.slow
  constructor(options: HttpServerOptions) {
    this.#options = options
    this.#host = options.host ?? '127.0.0.1'
    this.#policy = policyOf(options, this.#host)
    const { limits } = this.#policy
    this.#limits = limits
    this.#bodies = new BodiesInFlight(limits.maxInFlight, this.#look)
    this.#unsent = new UnsentAnswers(limits)
    this.#scheduler = options.scheduler ?? new Scheduler()
    this.#scheduler.intake = this.#reading
    // The other half is for those who have not waited.
    this.#scheduler.hasRoom = () => this.#unsent.bytes < limits.maxUnsent / 2
    const headersTimeout = Math.min(limits.headersTimeout, limits.requestTimeout)
    this.#server = createServer({
      headersTimeout,
      requestTimeout: limits.requestTimeout,
      keepAliveTimeout: limits.keepAliveTimeout,
      // How often node:http looks for requests that are late.
      connectionsCheckingInterval: Math.min(1000, Math.max(10, headersTimeout / 4)),
      // The edge checks it itself, to answer with a problem document.
      requireHostHeader: false,
      IncomingMessage: Incoming,
      ServerResponse: Answer,
    })
    this.#server.maxConnections = limits.maxConnections
    this.#makeHeadRoom()
    this.#server.on('connection', (socket) => this.#connected(socket))
    for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
      this.#server.on(event, (message, response) => this.#request(message, response))
    }
    this.#server.on('clientError', (error, socket) => this.#failed(error, socket as Socket))
    this.#server.on('connect', (message, socket) => this.#connect(message, socket as Socket))
  }

  /**
   * Opens the port.
   *
   * @returns where it is bound
   * @throws the error of `node:net` when the address cannot be had
   */
  listen(): Promise<{ host: string; port: number }> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(this.#options.port ?? 0, this.#host, () => {
        this.#server.off('error', reject)
        const { address, port } = this.#server.address() as AddressInfo
        resolve({ host: address, port })
      })
    })
  }

  /**
   * Ends, always and within `closeTimeout`: no new connections, idle ones closed
   * at once, parked waits woken, the others closed after their answers, or cut
   * off when those take too long. Closing again is the same closing.
   */
  close(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      const cutOff = setTimeout(() => {
        for (const socket of this.#connections.keys()) socket.destroy()
      }, this.#limits.closeTimeout)
      this.#server.close(() => {
        clearTimeout(cutOff)
        resolve()
      })
      // node:http counts a connection that never spoke as busy, so idleness is judged here.
      for (const [socket, { exchanges }] of this.#connections) if (exchanges.size === 0) socket.destroySoon()
      this.#options.onClosing?.()
    })
    return this.#closed
  }

  /** Says how large the heads of the connection that is opened next may be; `node:http` takes that when it is opened. */
  #makeHeadRoom(): void {
    this.#headRoom = headRoom(this.#connections.size + 1, this.#limits)
    this.#server.maxHeaderSize = this.#headRoom.bytes
    // It drops what is beyond its count: one that has more than may be is refused.
    this.#server.maxHeadersCount = this.#headRoom.fields + 1
  }

  #connected(socket: Socket): void {
    const connection = new Connection(socket, this.#headRoom)
    this.#connections.set(socket, connection)
    this.#makeHeadRoom()
    this.#scheduler.opened()
    this.#reading.opened(connection)
    socket.once('end', () => {
      this.#look()
      if (!socket.writableEnded) connection.line.left = { at: performance.now(), inOrder: true }
    })
    socket.once('close', (broken: boolean) => {
      if (broken) connection.line.left = { at: performance.now(), inOrder: false }
      this.#connections.delete(socket)
      this.#makeHeadRoom()
      this.#scheduler.forget(connection)
      this.#reading.closed(connection)
      for (const exchange of connection.exchanges) {
        exchange.tellGone()
        exchange.collecting?.abandon()
        this.#settle(exchange)
        this.#unsent.remove(exchange)
      }
    })
  }

  /** A request has arrived, its body apart. It has its turn when its reader has taken enough of what stands before it. */
  #request(message: Incoming, response: Answer): void {
    const connection = this.#connections.get(message.socket)!
    if (connection.endedAt !== undefined) {
      // Each costs memory until the connection ends, although nobody looks at it: without its fields, not much.
      message.rawHeaders = []
      message.url = ''
      if (++connection.late > MOST_LATE) {
        message.socket.destroy()
        // All that has come in one piece is made into requests, which stay until this turn is over: thousands of each connection.
        this.#scheduler.restIntake()
      }
      message.resume()
      return
    }
    const exchange = new Exchange(connection, message, response)
    response.onClose = () => this.#left(exchange)
    connection.exchanges.append(exchange)
    connection.unanswered++
    this.#unanswered++
    const { maxPipelined, maxUnsentOfOne } = this.#limits
    const waits = connection.held.length > 0 || connection.unsent >= maxUnsentOfOne
    if (!waits || connection.unanswered > maxPipelined) this.#begin(exchange)
    else if (this.#parks(exchange, 0)) connection.held.push(exchange)
    else this.#refuse(exchange, overloaded(this.#limits))
  }

  /** An answer has left, or its connection has ended. */
  #left(exchange: Exchange): void {
    const { connection } = exchange
    // node:http may tell it twice: an answer that has left, and then its connection.
    exchange.response.onClose = undefined
    this.#settle(exchange)
    this.#unsent.remove(exchange)
    connection.exchanges.remove(exchange)
    if (connection.exchanges.size === 0) this.#reading.served(connection)
    while (connection.held.length > 0 && connection.unsent < this.#limits.maxUnsentOfOne) {
      if (connection.socket.destroyed) return
      const next = connection.held.shift()!
      this.#unpark(next)
      this.#begin(next)
    }
  }

  /** The way of one request: head, body, handler, answer. */
  #begin(exchange: Exchange): void {
    const { connection, message, response } = exchange
    if (exchange.answered) return // Refused while it had to wait: the stream behind it broke off.
    let request: LiveRequest
    try {
      this.#checkLoad(connection)
      const { headRoom } = connection
      if (message.rawHeaders.length > 2 * headRoom.fields)
        throw headerTooLarge(headRoom.bytes, headRoom.fields)
      request = readHead(message, this.#policy, exchange)
    } catch (error) {
      this.#refuse(exchange, error)
      return
    }
    const preflight = this.#options.cors?.preflight(message)
    if (preflight !== undefined) this.#send(exchange, preflight)
    else if (!request.hasBody) {
      message.giveTo(NO_SINK)
      this.#handle(exchange, request)
    } else if (admits(this.#options, request)) {
      if (message.headers.expect !== undefined && message.httpVersion !== '1.0') response.writeContinue()
      exchange.collecting = this.#bodies.collect(message, this.#limits.maxBody, (body) => {
        if (typeof body === 'string') {
          this.#refuse(exchange, (body === 'too-large' ? bodyTooLarge : overloaded)(this.#limits))
          return
        }
        request.body = body
        this.#handle(exchange, request)
      })
    } else {
      exchange.early = true
      this.#handle(exchange, request)
    }
  }

  #checkLoad({ unanswered, socket }: Connection): void {
    if (this.#closed)
      throw new Problem('shutting-down', 'The server is shutting down; send this to the next.')
    if (unanswered > this.#limits.maxPipelined) {
      socket.pause()
      throw tooManyPipelined(this.#limits)
    }
    if (this.#unanswered > this.#limits.maxRequests) {
      socket.pause()
      throw tooManyRequests(this.#limits)
    }
  }

  /** A request is there, read whole: it is answered in this turn of the event loop, or in one of the next. */
  #handle(exchange: Exchange, request: LiveRequest): void {
    // The refusal of a stream that broke off, or of a late one, may have come before.
    if (exchange.answered) return
    if (this.#scheduler.mayAnswerNow()) this.#scheduler.go(() => this.#answer(exchange, request))
    else if (this.#park(exchange, request)) {
      this.#scheduler.add(exchange.connection, request, () => {
        this.#unpark(exchange)
        this.#answer(exchange, request)
      })
    }
  }

  #answer(exchange: Exchange, request: LiveRequest): void {
    if (exchange.answered) return
    try {
      const reply = this.#options.handle(request)
      if (!(reply instanceof Promise)) {
        this.#send(exchange, reply)
        return
      }
      reply
        .then((late) => this.#send(exchange, late))
        .catch((error: unknown) => this.#send(exchange, problemOf(error, this.#options.onDefect)))
      this.#park(exchange, request)
    } catch (error) {
      this.#send(exchange, problemOf(error, this.#options.onDefect))
    }
  }

  /**
   * A request waits; it takes memory meanwhile, and so does its body, where that is still of use.
   *
   * @returns whether there is room; it is refused where there is none
   */
  #park(exchange: Exchange, request: LiveRequest): boolean {
    if (this.#parks(exchange, request.body.length)) return true
    exchange.tellGone()
    this.#send(exchange, problemOf(overloaded(this.#limits), this.#options.onDefect))
    return false
  }

  #parks(exchange: Exchange, bodyLength: number): boolean {
    const bytes = exchange.headCost + bodyLength
    if (!this.#bodies.park(bytes)) return false
    exchange.parked = bytes
    return true
  }

  #send(exchange: Exchange, reply: Reply): void {
    if (exchange.answered) return
    const { message, response, connection } = exchange
    exchange.forgetGone()
    if (connection.socket.destroyed) reply.onLost?.()
    const whole = this.#options.cors?.readable(reply, message.headers as Fields) ?? reply
    let unsent = 0
    if (whole.stream !== undefined && whole.cut === undefined) {
      // It tells by itself how much of it has not left.
      openStream(exchange, whole, whole.stream, (bytes) => this.#unsent.set(exchange, bytes))
    } else if (exchange.early && whole.cut === undefined) {
      // The last answer of a connection, given before the request was read to its end.
      connection.endedAt ??= message.socket.bytesRead
      sendAndLinger(message, response, whole, this.#limits)
    } else {
      unsent = sendReply(response, whole, this.#closed !== undefined, this.#limits)
    }
    this.#settle(exchange)
    // With its answer the request stays in memory.
    if (unsent > 0 && !connection.socket.destroyed) this.#unsent.set(exchange, exchange.headCost + unsent)
  }

  /** Says no to a request of which a body may still be on its way. */
  #refuse(exchange: Exchange, error: unknown): void {
    this.#scheduler.look()
    exchange.early = true
    this.#send(exchange, problemOf(error, this.#options.onDefect))
  }

  #settle(exchange: Exchange): void {
    if (exchange.answered) return
    exchange.answered = true
    exchange.connection.unanswered--
    this.#unanswered--
    this.#unpark(exchange)
  }

  #unpark(exchange: Exchange): void {
    this.#bodies.unpark(exchange.parked)
    exchange.parked = 0
  }

  /** The client's stream is not HTTP, or not in time. What was asked before is answered first. */
  // clause: http.survives
  #failed(error: ClientError, socket: Socket): void {
    this.#scheduler.look()
    const connection = this.#connections.get(socket)
    if (!connection || !socket.writable || socket.bytesRead === 0 || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    if (connection.endedAt !== undefined) {
      if (socket.bytesRead - connection.endedAt > this.#limits.lingerBytes) socket.destroy()
      return
    }
    connection.endedAt = socket.bytesRead
    const failure = parseFailure(error, connection.headRoom, this.#limits)
    const last = connection.last
    if (last && !last.message.complete) {
      last.collecting?.abandon()
      this.#refuse(last, failure)
    } else this.#endWith(connection, failure)
  }

  /** CONNECT asks for a tunnel; node:http has let go of the socket by now. What was asked before is answered first. */
  #connect(message: Incoming, socket: Socket): void {
    socket.on('error', () => socket.destroy())
    const connection = this.#connections.get(socket)!
    // What comes is thrown away, so that the client's end is seen, which is then the end as for any other connection.
    socket.once('end', () => socket.end())
    socket.resume()
    if (connection.endedAt !== undefined) return
    connection.endedAt = socket.bytesRead
    this.#endWith(
      connection,
      new Problem('not-implemented', `This server opens no tunnels to ${message.url}.`),
    )
  }

  /** Refuses what is no request, behind all that was asked before, and ends the connection. */
  #endWith(connection: Connection, failure: Problem): void {
    const { socket } = connection
    const answer = () => {
      if (socket.writable) sendRaw(socket, problemOf(failure, this.#options.onDefect), this.#limits)
    }
    const last = connection.last
    if (last) last.response.once('close', answer)
    else answer()
  }
}
