import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { basePathOf } from './base-path.js'
import { collectBody, NO_BODY } from './body.js'
import type { Reply, Request } from './exchange.js'
import { bodyTooLarge, type Head, type HeadPolicy, readHead } from './head.js'
import { createHostCheck } from './host-check.js'
import { DEFAULT_EDGE_LIMITS, type EdgeLimits } from './limits.js'
import { LiveRequest } from './live-request.js'
import { type ClientError, parseFailure } from './parse-failure.js'
import { Problem, problemOf } from './problems.js'
import { sendAndLinger, sendRaw, sendReply } from './wire.js'

/** What the edge is told at its start. */
export interface HttpServerOptions {
  /** Answers a request that the edge has accepted; usually a router's `handle`. What it throws becomes a problem. */
  readonly handle: (request: Request) => Reply | Promise<Reply>
  /** The address to listen on; 127.0.0.1 when left out, so that nobody else is served by accident. */
  readonly host?: string
  /** 0, or left out, takes a free one. */
  readonly port?: number
  /** See `basePathOf`. Requests outside it get 404. */
  readonly basePath?: string
  readonly limits?: Partial<EdgeLimits>
  /** Host names that are answered beside the loopback names and `host`. */
  readonly allowHosts?: readonly string[]
  /** Called once when closing begins; wakes every parked wait, so that it is answered now. */
  readonly onClosing?: () => void
  /** Is told of what must never happen: a handler that threw neither a refusal nor a problem. */
  readonly onDefect?: (defect: unknown) => void
}

/** The HTTP edge of a server. */
export interface HttpServer {
  /**
   * Opens the port.
   *
   * @returns where it is bound
   * @throws the error of `node:net` when the address cannot be had
   */
  listen(): Promise<{ host: string; port: number }>
  /**
   * Ends, always and within `closeTimeout`: no new connections, idle ones closed
   * at once, parked waits woken, the others closed after their answers, or cut
   * off when those take too long. Closing again is the same closing.
   */
  close(): Promise<void>
}

/** One request on its way to its answer. */
interface Exchange {
  readonly connection: Connection
  readonly message: IncomingMessage
  readonly response: ServerResponse
  answered: boolean
}

/** What is known of one client's connection. */
interface Connection {
  /** Exchanges whose answers have not left yet, oldest first: the answers leave in this order. */
  readonly exchanges: Set<Exchange>
  /** How many of those have no answer yet. */
  unanswered: number
  /** Bytes read when it was decided to close it; undefined before. No request after that is looked at. */
  endedAt: number | undefined
}

/** @throws Error when the base path is not one */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  return new Edge(options)
}

class Edge implements HttpServer {
  readonly #options: HttpServerOptions
  readonly #host: string
  readonly #limits: Readonly<EdgeLimits>
  readonly #policy: HeadPolicy
  readonly #onDefect: (defect: unknown) => void
  readonly #server: Server
  readonly #connections = new Map<Socket, Connection>()
  #closed: Promise<void> | undefined

  constructor(options: HttpServerOptions) {
    this.#options = options
    this.#host = options.host ?? '127.0.0.1'
    const limits = { ...DEFAULT_EDGE_LIMITS, ...options.limits }
    this.#limits = limits
    this.#policy = {
      basePath: basePathOf(options.basePath ?? ''),
      limits,
      checkHost: createHostCheck(this.#host, options.allowHosts ?? []),
    }
    this.#onDefect = options.onDefect ?? ((defect) => console.error(defect))
    const headersTimeout = Math.min(limits.headersTimeout, limits.requestTimeout)
    this.#server = createServer({
      maxHeaderSize: limits.maxHeader,
      headersTimeout,
      requestTimeout: limits.requestTimeout,
      keepAliveTimeout: limits.keepAliveTimeout,
      // How often node:http looks for requests that are late.
      connectionsCheckingInterval: Math.min(1000, Math.max(10, headersTimeout / 4)),
      // The edge checks it itself, to answer with a problem document.
      requireHostHeader: false,
    })
    // Bytes bound the header section; a count would drop fields silently.
    this.#server.maxHeadersCount = 0
    this.#server.on('connection', (socket) => this.#connected(socket))
    this.#server.on('request', (message, response) => this.#request(message, response))
    this.#server.on('checkContinue', (message, response) => this.#request(message, response))
    this.#server.on('checkExpectation', (message, response) => this.#request(message, response))
    this.#server.on('clientError', (error, socket) => this.#failed(error, socket as Socket))
    this.#server.on('connect', (message, socket) => this.#connect(message, socket as Socket))
  }

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

  #connected(socket: Socket): void {
    this.#connections.set(socket, { exchanges: new Set(), unanswered: 0, endedAt: undefined })
    socket.once('close', () => this.#connections.delete(socket))
  }

  /** The way of one request: head, body, handler, answer. */
  #request(message: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(message.socket)!
    if (connection.endedAt !== undefined) {
      message.resume()
      return
    }
    const exchange: Exchange = { connection, message, response, answered: false }
    connection.exchanges.add(exchange)
    connection.unanswered++
    response.once('close', () => {
      this.#settle(exchange)
      connection.exchanges.delete(exchange)
    })
    let head: Head
    try {
      this.#checkLoad(connection, message.socket)
      head = readHead(message, this.#policy)
    } catch (error) {
      this.#refuse(exchange, error)
      return
    }
    if (!head.hasBody) {
      this.#handle(exchange, head, NO_BODY)
      return
    }
    if (message.headers.expect !== undefined && message.httpVersion !== '1.0') response.writeContinue()
    collectBody(message, this.#limits.maxBody, (body) => {
      if (body === undefined) this.#refuse(exchange, bodyTooLarge(this.#limits))
      else this.#handle(exchange, head, body)
    })
  }

  #checkLoad({ unanswered }: Connection, socket: Socket): void {
    if (this.#closed)
      throw new Problem('shutting-down', 'The server is shutting down; send this to the next.')
    if (unanswered <= this.#limits.maxPipelined) return
    socket.pause()
    throw new Problem(
      'too-many-requests',
      `${this.#limits.maxPipelined} requests of this connection wait for their answers; read those first.`,
      { limit: this.#limits.maxPipelined },
    )
  }

  /** Between a request read whole and the handler's command there is no turn of the event loop. */
  #handle(exchange: Exchange, head: Head, body: Buffer): void {
    // The refusal of a stream that broke off, or of a late one, may have come before.
    if (exchange.answered) return
    try {
      const reply = this.#options.handle(new LiveRequest(head, exchange.message, exchange.response, body))
      if (!(reply instanceof Promise)) {
        this.#send(exchange, reply)
        return
      }
      reply
        .then((late) => this.#send(exchange, late))
        .catch((error: unknown) => this.#send(exchange, problemOf(error, this.#onDefect)))
    } catch (error) {
      this.#send(exchange, problemOf(error, this.#onDefect))
    }
  }

  #send(exchange: Exchange, reply: Reply): void {
    this.#settle(exchange)
    sendReply(exchange.response, reply, this.#closed !== undefined)
  }

  /** Says no to a request of which a body may still be on its way. */
  #refuse(exchange: Exchange, error: unknown): void {
    const { connection, message, response } = exchange
    this.#settle(exchange)
    connection.endedAt ??= message.socket.bytesRead
    sendAndLinger(message, response, problemOf(error, this.#onDefect), this.#limits)
  }

  #settle(exchange: Exchange): void {
    if (!exchange.answered) exchange.connection.unanswered--
    exchange.answered = true
  }

  /** The client's stream is not HTTP, or not in time. What was asked before is answered first. */
  #failed(error: ClientError, socket: Socket): void {
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
    const failure = parseFailure(error, this.#limits)
    const last = [...connection.exchanges].at(-1)
    if (last && !last.message.complete) {
      this.#refuse(last, failure)
      return
    }
    const answer = () => {
      if (socket.writable) sendRaw(socket, problemOf(failure, this.#onDefect), this.#limits)
    }
    if (last) last.response.once('close', answer)
    else answer()
  }

  /** CONNECT asks for a tunnel; node:http has let go of the socket by now. */
  #connect(message: IncomingMessage, socket: Socket): void {
    socket.on('error', () => socket.destroy())
    if (this.#connections.get(socket)!.exchanges.size > 0) {
      socket.destroy()
      return
    }
    const refusal = new Problem('not-implemented', `This server opens no tunnels to ${message.url}.`)
    sendRaw(socket, problemOf(refusal, this.#onDefect), this.#limits)
  }
}
