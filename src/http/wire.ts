import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { cutOff, cutShort } from './cut.js'
import type { Reply } from './exchange.js'
import type { EdgeLimits } from './limits.js'
import { openStream } from './stream.js'

/**
 * Sends an answer: the head in one call, the body with it.
 *
 * @param close says that the connection ends with this answer
 */
export function sendReply(response: ServerResponse, reply: Reply, close: boolean): void {
  if (response.destroyed) return
  if (reply.cut !== undefined) {
    if (reply.cut === 'reset') cutOff(response)
    else cutShort(response, reply)
    return
  }
  const headers: Record<string, string | number> = { ...reply.headers }
  if (reply.stream !== undefined) {
    openStream(response, reply.status, headers, reply.stream)
    return
  }
  if (close) headers.Connection = 'close'
  if (reply.status === 204 || reply.status === 304) {
    response.writeHead(reply.status, headers).end()
    return
  }
  headers['Content-Length'] = lengthOf(reply.body)
  // For HEAD, node:http itself leaves the body out.
  response.writeHead(reply.status, headers).end(reply.body)
}

/**
 * Refuses a request whose body is still on its way. The answer goes out whole,
 * but the connection is closed only when the rest was read and thrown away, or
 * that took too long: closing over unread bytes resets the connection, and the
 * client may never see the answer (RFC 9112 section 9.6). In real time also at a
 * manual clock, since the client on the other side is real.
 */
export function sendAndLinger(
  message: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  limits: Readonly<EdgeLimits>,
): void {
  if (response.destroyed) return
  response.writeHead(reply.status, {
    ...reply.headers,
    'Content-Length': lengthOf(reply.body),
    Connection: 'close',
  })
  response.flushHeaders()
  response.write(reply.body ?? '')
  const end = () => response.end()
  const timer = setTimeout(end, limits.lingerTimeout).unref()
  response.once('close', () => clearTimeout(timer))
  let left = limits.lingerBytes
  message.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) end()
  })
  message.once('end', end)
}

/** Sends an answer where node:http has no request to answer, and ends the connection. */
export function sendRaw(socket: Socket, reply: Reply, limits: Readonly<EdgeLimits>): void {
  const fields = {
    ...reply.headers,
    Date: new Date().toUTCString(),
    'Content-Length': lengthOf(reply.body),
    Connection: 'close',
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\n${lines.join('')}\r\n`)
  socket.end(reply.body ?? '')
  const timer = setTimeout(() => socket.destroy(), limits.lingerTimeout).unref()
  socket.once('close', () => clearTimeout(timer))
  socket.resume()
}

function lengthOf(body: string | Uint8Array = ''): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
}
