import type { ServerResponse } from 'node:http'
import type { Stream } from '../exchange.js'

/** How much may wait for a client that does not read, in bytes; who is further behind is cut off. */
const MOST_UNREAD = 1024 * 1024

/** What the edge does about an answer that goes on. */
export interface StreamWatch {
  /** Calls back once when the client goes away. */
  readonly whenGone: (callback: () => void) => void
  /** Is told how many bytes have not left, whenever that changes. */
  readonly onBacklog: (bytes: number) => void
}

/** Sends an answer that goes on. The connection is its own from then on, and ends with it. */
export function openStream(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string | number>>,
  stream: Stream,
  { whenGone, onBacklog }: StreamWatch,
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
  whenGone(stopOnce)
}
