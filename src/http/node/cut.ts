import type { ServerResponse } from 'node:http'
import type { Reply } from '../exchange.js'

/** Resets the connection: nothing of this answer, or of any that stands behind it, arrives. */
export function cutOff(response: ServerResponse): void {
  response.req.socket.resetAndDestroy()
}

/**
 * Sends the head, which announces the whole body, and half of the body; then the connection ends. Of an empty body
 * one byte is announced, so that the client can see that something is missing. An answer that never has a
 * body cannot be cut short; none of it is sent.
 */
export function cutShort(response: ServerResponse, { status, headers, body = '' }: Reply): void {
  if (status === 204 || status === 304 || response.req.method === 'HEAD') {
    cutOff(response)
    return
  }
  const bytes = Buffer.from(body)
  response.writeHead(status, { ...headers, 'Content-Length': Math.max(1, bytes.length) })
  response.flushHeaders()
  if (bytes.length > 1) response.write(bytes.subarray(0, bytes.length >> 1))
  const { socket } = response.req
  // Behind what is written: an answer whose turn has come writes before the next tick.
  const end = () => process.nextTick(() => socket.destroySoon())
  if (response.socket) end()
  else response.once('socket', end)
}
