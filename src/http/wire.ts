import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { cutOff, cutShort } from './cut.js'
import type { Reply } from './exchange.js'
import type { EdgeLimits } from './limits.js'
import { openStream, type StreamWatch } from './stream.js'

/** No browser may take an answer for what its type does not say, whoever wrote its body. */
const NO_SNIFFING = { 'X-Content-Type-Options': 'nosniff' } as const

/** Bytes that an answer takes beside its body, about. */
const HEAD_BYTES = 1024

/**
 * Sends an answer: the head in one call, the body with it.
 *
 * @param close says that the connection ends with this answer
 * @param watch is asked for what an answer that goes on needs
 * @returns bytes that have not left yet; 0 for an answer that goes on
 */
export function sendReply(
  response: ServerResponse,
  reply: Reply,
  close: boolean,
  watch: () => StreamWatch,
): number {
  if (response.destroyed) return 0
  if (reply.cut !== undefined) {
    if (reply.cut === 'reset') cutOff(response)
    else cutShort(response, reply)
    return 0
  }
  if (reply.stream !== undefined) {
    openStream(response, reply.status, { ...reply.headers, ...NO_SNIFFING }, reply.stream, watch())
    return 0
  }
  // Names and values in turn, which node:http takes as they are.
  const fields: string[] = ['X-Content-Type-Options', 'nosniff']
  for (const name in reply.headers) {
    if (name === 'X-Content-Type-Options' || name === 'Content-Length') continue
    if (!close || name !== 'Connection') fields.push(name, reply.headers[name] as string)
  }
  if (close) fields.push('Connection', 'close')
  const { body } = reply
  let length = 0
  if (reply.status === 204 || reply.status === 304) {
    response.writeHead(reply.status, fields).end()
  } else {
    length = lengthOf(body)
    fields.push('Content-Length', String(length))
    response.writeHead(reply.status, fields)
    // As many bytes as characters: it is ASCII, which Latin-1 writes with fewer steps. For HEAD, node:http leaves it out.
    if (typeof body === 'string' && body.length === length) response.end(body, 'latin1')
    else response.end(body)
  }
  return response.socket?.writableLength === 0 ? 0 : HEAD_BYTES + length
}

/**
 * Answers a request whose body is still on its way. The answer goes out whole,
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
    ...NO_SNIFFING,
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
    // A chunk takes time beside its bytes.
    left -= chunk.length + 256
    if (left < 0) end()
  })
  message.once('end', end)
}

/** Sends an answer where node:http has no request to answer, and ends the connection. */
export function sendRaw(socket: Socket, reply: Reply, limits: Readonly<EdgeLimits>): void {
  const fields = {
    ...reply.headers,
    ...NO_SNIFFING,
    Date: new Date().toUTCString(),
    'Content-Length': lengthOf(reply.body),
    Connection: 'close',
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\n${lines.join('')}\r\n`
  socket.end(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(reply.body ?? '')]))
  const timer = setTimeout(() => socket.destroy(), limits.lingerTimeout).unref()
  socket.once('close', () => clearTimeout(timer))
  socket.resume()
}

function lengthOf(body: string | Uint8Array = ''): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
}
