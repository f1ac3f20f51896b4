import type { ServerResponse } from 'node:http'
import type { Stream } from './exchange.js'

/** How much may wait for a client that does not read, in bytes; who is further behind is cut off. */
const MOST_UNREAD = 1024 * 1024

/** Sends an answer that goes on. The connection is its own from then on, and ends with it. */
export function openStream(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string | number>>,
  stream: Stream,
): void {
  response.writeHead(status, { ...headers, Connection: 'close' })
  if (response.req.method === 'HEAD') {
    response.end()
    return
  }
  response.flushHeaders()
  const over = () => response.writableEnded || response.destroyed || response.req.socket.destroyed
  let stop: (() => void) | undefined
  const stopOnce = () => {
    stop?.()
    stop = undefined
  }
  stop = stream({
    write(text, sent) {
      if (over()) return
      if (response.writableLength > MOST_UNREAD) response.destroy()
      else response.write(text, (error) => error ?? sent?.())
    },
    end() {
      if (!over()) response.end()
    },
  })
  response.once('close', stopOnce)
  // An answer that stands behind others on its connection is not told of the connection's end.
  if (response.req.socket.destroyed) stopOnce()
  else response.req.socket.once('close', stopOnce)
}
