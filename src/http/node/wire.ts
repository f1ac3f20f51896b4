import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Reply } from '../exchange.js'
import type { EdgeLimits } from '../limits.js'
import type { Answer } from './answer.js'

/** No browser may take an answer for what its type does not say, whoever wrote its body. */
export const NO_SNIFFING = { 'X-Content-Type-Options': 'nosniff' } as const

/** A text that is longer waits as bytes for its reader: as a text it may take two for each character. */
const LONG = 16 * 1024

/**
 * Sends an answer that is whole: the head in one call, the body with it.
 *
 * @param close says that the connection ends with this answer
 * @returns bytes of head and body, about, where they have not left yet; otherwise 0
 */
export function sendReply(
  response: Answer,
  reply: Reply,
  close: boolean,
  limits: Readonly<EdgeLimits>,
): number {
  if (response.destroyed) return 0
  if (reply.cut !== undefined) {
    breakOff(response, reply)
    return 0
  }
  const { status, body = '' } = reply
  const length = lengthOf(body)
  const bodiless = status === 204 || status === 304
  // As many bytes as characters: it is ASCII, which Latin-1 writes with fewer steps.
  const plain = typeof body === 'string' && body.length === length
  const head =
    close || bodiless || !plain || !response.mayLeaveWhole ? undefined : ordinaryHead(reply, length, limits)
  if (head !== undefined) {
    response.writeWhole(head + body)
  } else {
    response.writeHead(status, fieldsOf(reply, close, bodiless ? undefined : length))
    // For HEAD, and where there is none, node:http leaves it out.
    if (plain) response.end(body, 'latin1')
    else response.end(typeof body === 'string' && body.length > LONG ? Buffer.from(body) : body)
  }
  return response.socket?.writableLength === 0 ? 0 : bytesOfHead(reply) + length
}

/** As characters and as what is written. */
function bytesOfHead({ headers = {} }: Reply): number {
  let bytes = 0
  for (const name in headers) bytes += 2 * (name.length + (headers[name] as string).length)
  return bytes
}

/**
 * Resets the connection, so that nothing of this answer, or of any that stands behind it, arrives; or sends the head,
 * which announces the whole body, and half of the body, and then ends it. Of an empty body one byte is announced, so that
 * the client can see that something is missing. An answer that never has a body cannot be cut short; none of it is sent.
 */
function breakOff(response: ServerResponse, { status, headers, body = '', cut }: Reply): void {
  const { socket, method } = response.req
  if (cut === 'reset' || status === 204 || status === 304 || method === 'HEAD') {
    socket.resetAndDestroy()
    return
  }
  const bytes = Buffer.from(body)
  response.writeHead(status, { ...headers, 'Content-Length': Math.max(1, bytes.length) })
  response.flushHeaders()
  if (bytes.length > 1) response.write(bytes.subarray(0, bytes.length >> 1))
  // Behind what is written: an answer whose turn has come writes before the next tick.
  const end = () => process.nextTick(() => socket.destroySoon())
  if (response.socket) end()
  else response.once('socket', end)
}

/** Names and values in turn, which node:http takes as they are. */
function fieldsOf(reply: Reply, close: boolean, length: number | undefined): string[] {
  const fields: string[] = ['X-Content-Type-Options', 'nosniff']
  for (const name in reply.headers) {
    if (name === 'X-Content-Type-Options' || name === 'Content-Length') continue
    if (!close || name !== 'Connection') fields.push(name, reply.headers[name] as string)
  }
  if (close) fields.push('Connection', 'close')
  if (length !== undefined) fields.push('Content-Length', String(length))
  return fields
}

/** The fields of ordinary answers, which say nothing to node:http itself. */
const ORDINARY = new Set([
  'Content-Type',
  'Cache-Control',
  'ETag',
  'Vary',
  'Location',
  'Idempotent-Replayed',
  'Preference-Applied',
  'Allow',
])

/** The head of an answer as node:http would write it; undefined where that has to look at it. */
function ordinaryHead(
  { status, headers }: Reply,
  length: number,
  { keepAliveTimeout }: Readonly<EdgeLimits>,
): string | undefined {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nX-Content-Type-Options: nosniff\r\n`
  for (const name in headers) {
    const value = headers[name] as string
    if (!ORDINARY.has(name) || !/^[ -~]*$/.test(value)) return undefined
    head += `${name}: ${value}\r\n`
  }
  return `${head}Content-Length: ${length}\r\n${lastLines(keepAliveTimeout)}`
}

/** The lines that ended the head before, and when they were made. */
let last = { second: 0, keepAliveTimeout: 0, lines: '' }

function lastLines(keepAliveTimeout: number): string {
  const now = Date.now()
  const second = Math.floor(now / 1000)
  if (second !== last.second || keepAliveTimeout !== last.keepAliveTimeout) {
    const seconds = Math.floor(keepAliveTimeout / 1000)
    const until = keepAliveTimeout > 0 ? `Keep-Alive: timeout=${seconds}\r\n` : ''
    const lines = `Date: ${new Date(now).toUTCString()}\r\nConnection: keep-alive\r\n${until}\r\n`
    last = { second, keepAliveTimeout, lines }
  }
  return last.lines
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
  const forget = () => clearTimeout(timer)
  response.once('close', forget)
  // Behind other answers it is not told that its connection has ended, all requests of which the timer would keep.
  message.socket.once('close', forget)
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
