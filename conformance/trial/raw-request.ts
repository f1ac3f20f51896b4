import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { CLOSED, type Exchange, noAnswerWithin } from '../client/exchange.js'
import { sleep } from '../client/stops.js'
import { USER_AGENT } from '../client/transport.js'
import type { Trial } from './trial.js'

/** Status 0 where there was no answer, with why where that is known. */
export interface RawAnswer extends Pick<Exchange, 'status' | 'error'> {
  /** Of HTTP, by which it was given. */
  readonly version: string | undefined
}

/** Milliseconds: how long it is waited for a server to be done with what it may as well never answer. */
export const UNANSWERED = 1500
/** Milliseconds after which a client that asked whether to go on does so without being told. */
const PATIENCE = 1000
/** Milliseconds in which a server that is near gets to know that a connection has ended. */
const A_MOMENT = 50
/** Bytes of an answer that are read. */
const MOST = 64 * 1024

/** Ends a check whose question only a connection can carry, where the target has none. */
export function needSocket(trial: Pick<Trial, 'target' | 'notApplicable'>): void {
  if (trial.target.isInProcess)
    trial.notApplicable('it is asked over a socket alone, and the target has none')
}

/**
 * Whether a server answers as one of HTTP/1.1: to an older one nobody may send chunks.
 *
 * @returns undefined where nobody took the connection
 */
export async function speaksHttp11(
  uri: string,
  fields: Readonly<Record<string, string>>,
  within: number,
): Promise<boolean | undefined> {
  const answer = await rawRequest(uri, `${rawHead('GET', uri, fields)}\r\n`, within)
  return answer && answer.version === '1.1'
}

/** Waits until a server knows that a connection has ended, and has given up what it gives up then. */
export function untilGone({ timing: { latency } }: Pick<Trial, 'timing'>): Promise<void> {
  return sleep(Math.max(A_MOMENT, latency))
}

/** A connection of its own to the server of an address, and whether somebody has taken it so far. */
function connectTo(uri: string): { socket: Socket; isTaken: () => boolean } {
  const { protocol, hostname, port } = new URL(uri)
  // An IPv6 address stands in brackets in a URL only.
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket =
    protocol === 'https:'
      ? connectSecurely({ host, port: Number(port || 443), ...(isIP(host) ? {} : { servername: host }) })
      : connectPlain({ host, port: Number(port || 80) })
  let isTaken = false
  socket.once('connect', () => {
    isTaken = true
  })
  return { socket, isTaken: () => isTaken }
}

/**
 * Sends the beginning of a request, ends the connection there, and waits until the server is done with it: until it answers or
 * closes its side, or the timeout passes.
 *
 * @returns undefined where nobody took the connection
 */
export function brokenOff(uri: string, bytes: Uint8Array): Promise<true | undefined> {
  return new Promise((resolve) => {
    const { socket, isTaken } = connectTo(uri)
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(isTaken() || undefined)
    }
    const timer = setTimeout(end, UNANSWERED)
    for (const event of ['data', 'error', 'close']) socket.on(event, end)
    socket.end(bytes)
  })
}

/**
 * Sends a whole request, and goes away some milliseconds later, or when its answer begins to come.
 *
 * @returns undefined where nobody took the connection
 */
export function leftAfter(uri: string, bytes: Uint8Array, milliseconds: number): Promise<true | undefined> {
  return new Promise((resolve) => {
    const { socket, isTaken } = connectTo(uri)
    const leave = () => socket.destroy()
    let leaving = setTimeout(leave, UNANSWERED)
    for (const event of ['data', 'error']) socket.once(event, leave)
    socket.once('close', () => {
      clearTimeout(leaving)
      resolve(isTaken() || undefined)
    })
    socket.write(bytes, () => {
      clearTimeout(leaving)
      leaving = setTimeout(leave, milliseconds)
    })
  })
}

/** What follows a request's first bytes. */
interface Rest {
  /** Bytes that follow when the server has said to go on, as `Expect: 100-continue` asks it to, or nothing for a while. */
  readonly later?: Uint8Array
  /** Milliseconds of that while. */
  readonly wait?: number
}

/**
 * Sends bytes that an HTTP client would not, over a connection of their own, and reads what comes until the connection is closed,
 * an answer's head is there, or the time is over. Where the answer comes first, what would follow is not sent (RFC 9110, section
 * 10.1.1).
 *
 * @param within milliseconds for the answer, from when all is sent; a whole request is given those of any other
 * @returns the first answer, undefined where nobody took the connection
 */
export function rawRequest(
  uri: string,
  bytes: string | Uint8Array,
  within: number,
  { later, wait = PATIENCE }: Rest = {},
): Promise<RawAnswer | undefined> {
  return new Promise((resolve) => {
    let answer = ''
    let rest = later
    const { socket, isTaken } = connectTo(uri)
    const goOn = () => {
      clearTimeout(patience)
      if (rest !== undefined) socket.write(rest)
      rest = undefined
    }
    const end = (why?: string) => {
      clearTimeout(timer)
      clearTimeout(patience)
      socket.destroy()
      const [, version, status] = /^HTTP\/(1\.[01]) (\d{3})/.exec(answer) ?? []
      const error = status === undefined ? why : undefined
      resolve(isTaken() ? { status: Number(status ?? 0), version, error } : undefined)
    }
    const timer = setTimeout(() => end(noAnswerWithin(within)), within + (later === undefined ? 0 : wait))
    const patience = setTimeout(goOn, wait)
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1')
      const interim = /^(?:HTTP\/1\.1 1\d\d.*?\r\n\r\n)+/s.exec(answer)
      if (interim !== null) {
        goOn()
        answer = answer.slice(interim[0].length)
      }
      if (answer.includes('\r\n\r\n') || answer.length > MOST) end()
    })
    for (const event of ['error', 'close']) socket.on(event, () => end(CLOSED))
    socket.write(bytes)
  })
}

/** The head of a request to a path of a target, as bytes on the wire, without the empty line at its end. */
export function rawHead(method: string, uri: string, fields: Readonly<Record<string, string>> = {}): string {
  const { host, pathname, search } = new URL(uri)
  const all = { Host: host, 'User-Agent': USER_AGENT, Connection: 'close', ...fields }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${pathname}${search} HTTP/1.1`, ...lines, ''].join('\r\n')
}
