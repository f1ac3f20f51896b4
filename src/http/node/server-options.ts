import type { FrontOptions } from '../front.js'

/** What the edge is told at its start. */
export interface HttpServerOptions extends FrontOptions {
  /** The address to listen on; 127.0.0.1 when left out, so that nobody else is served by accident. It is a host that is answered. */
  readonly host?: string
  /** 0, or left out, takes a free one. */
  readonly port?: number
  /** Called once when closing begins; wakes every parked wait, so that it is answered now. */
  readonly onClosing?: () => void
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
