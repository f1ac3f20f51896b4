import type { Reply, Stream } from '../exchange.js'
import type { Exchange } from './connection.js'
import { NO_SNIFFING } from './wire.js'

/** How much may wait for a client that does not read, in bytes; who is further behind is cut off. */
const MOST_UNREAD = 1024 * 1024

/**
 * Sends an answer that goes on. The connection is its own from then on, and ends with it.
 *
 * @param onBacklog is told how many bytes have not left, whenever that changes
 */
export function openStream(
  exchange: Exchange,
  { status, headers }: Reply,
  stream: Stream,
  onBacklog: (bytes: number) => void,
): void {
  const { response } = exchange
  if (response.destroyed) return
  response.writeHead(status, { ...headers, ...NO_SNIFFING, Connection: 'close' })
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
    write(piece, sent) {
      if (over()) return
      if (response.writableLength > MOST_UNREAD) {
        response.destroy()
        return
      }
      response.write(piece, (error) => error ?? sent?.())
      onBacklog(response.writableLength)
    },
    end() {
      if (!over()) response.end()
    },
  })
  response.on('drain', () => onBacklog(response.writableLength))
  response.once('close', stopOnce)
  // An answer that stands behind others on its connection is not told of the connection's end.
  exchange.whenGone(stopOnce)
}
