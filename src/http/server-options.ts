import type { Cors } from './cors.js'
import type { Reply, Request } from './exchange.js'
import type { EdgeLimits } from './limits.js'
import type { Turns } from './turns.js'

/** What the edge is told at its start. */
export interface HttpServerOptions {
  /** Answers a request that the edge has accepted; usually a router's `handle`. What it throws becomes a problem. */
  readonly handle: (request: Request) => Reply | Promise<Reply>
  /**
   * Asked before the body of a request is read; what it throws refuses the request. `handle` is then given the request
   * without its body and with its `refusal`.
   */
  readonly admit?: (request: Request) => void
  /** What pages of other sites may do; nothing when left out. */
  readonly cors?: Cors
  /** The address to listen on; 127.0.0.1 when left out, so that nobody else is served by accident. */
  readonly host?: string
  /** 0, or left out, takes a free one. */
  readonly port?: number
  /** See `basePathOf`. Requests outside it get 404. */
  readonly basePath?: string
  readonly limits?: Partial<EdgeLimits>
  /** In which those go on who were woken; they are told when there is room for their answers. */
  readonly turns?: Turns
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
