import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { USER_AGENT } from '../client/transport.js'
import type { Trial } from './trial.js'

/** Milliseconds: how long bytes that are no request are waited on. A server may as well never answer them. */
const TIMEOUT = 1500
/** Milliseconds after which a client that asked whether to go on does so without being told. */
const PATIENCE = 1000
/** Milliseconds between two pieces of a request. */
const BETWEEN = 150
/** Bytes of an answer that are read. */
const MOST = 64 * 1024

/** Ends a check whose question only a connection can carry, where the target has none. */
export function needSocket(trial: Pick<Trial, 'target' | 'notApplicable'>): void {
  if (trial.target.isInProcess)
    trial.notApplicable('it is asked over a socket alone, and the target has none')
}

/**
 * Sends bytes that an HTTP client would not, over a connection of their own, and reads what comes until the
 * connection is closed, an answer's head is there, or the timeout passes.
 *
 * @returns the status of the first answer; 0 where there was none, and undefined where nobody took the connection
 */
export async function rawRequest(uri: string, bytes: string | Uint8Array): Promise<number | undefined> {
  return statusIn(await rawAnswer(uri, bytes))
}

function statusIn(answer: string | undefined): number | undefined {
  if (answer === undefined) return undefined
  return Number(/^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1] ?? 0)
}

/**
 * Sends a request that asks by `Expect: 100-continue` whether to go on: its head, and its body when it is told so. Where the
 * answer comes first, the body is not sent (RFC 9110, section 10.1.1).
 *
 * @returns as of {@link rawRequest}
 */
export async function continuedRequest(
  uri: string,
  head: string,
  body: Uint8Array,
): Promise<number | undefined> {
  return statusIn(await rawAnswer(uri, `${head}\r\n`, body))
}

/**
 * Sends a request in two pieces, the second so late that a server has read the first.
 *
 * @returns as of {@link rawRequest}
 */
export async function requestInTwo(
  uri: string,
  first: Uint8Array,
  second: Uint8Array,
): Promise<number | undefined> {
  return statusIn(await rawAnswer(uri, first, second, BETWEEN))
}

/**
 * Whether a server answers as one of HTTP/1.1: to an older one nobody may send chunks.
 *
 * @returns undefined where nobody took the connection
 */
export async function speaksHttp11(
  uri: string,
  fields: Readonly<Record<string, string>>,
): Promise<boolean | undefined> {
  return (await rawAnswer(uri, `${rawHead('GET', uri, fields)}\r\n`))?.startsWith('HTTP/1.1 ')
}

/** A connection of its own to the server of an address. */
function connectTo(uri: string): Socket {
  const { protocol, hostname, port } = new URL(uri)
  // An IPv6 address stands in brackets in a URL only.
  const host = hostname.replace(/^\[|\]$/g, '')
  return protocol === 'https:'
    ? connectSecurely({ host, port: Number(port || 443), ...(isIP(host) ? {} : { servername: host }) })
    : connectPlain({ host, port: Number(port || 80) })
}

/** @returns whether somebody has taken the connection so far */
function watchTaken(socket: Socket): () => boolean {
  let isTaken = false
  socket.once('connect', () => {
    isTaken = true
  })
  return () => isTaken
}

/**
 * Sends the beginning of a request, ends the connection there, and waits until the server is done with it: until it answers or
 * closes its side, or the timeout passes.
 *
 * @returns undefined where nobody took the connection
 */
export function brokenOff(uri: string, bytes: Uint8Array): Promise<true | undefined> {
  return new Promise((resolve) => {
    const socket = connectTo(uri)
    const isTaken = watchTaken(socket)
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(isTaken() || undefined)
    }
    const timer = setTimeout(end, TIMEOUT)
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
    const socket = connectTo(uri)
    const isTaken = watchTaken(socket)
    const leave = () => socket.destroy()
    let leaving = setTimeout(leave, TIMEOUT)
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

/**
 * @param later bytes that follow when the server has said to go on, or nothing for a while
 * @param wait milliseconds of that while
 */
function rawAnswer(
  uri: string,
  bytes: string | Uint8Array,
  later?: Uint8Array,
  wait = PATIENCE,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = ''
    let rest = later
    const socket = connectTo(uri)
    const isTaken = watchTaken(socket)
    const goOn = () => {
      clearTimeout(patience)
      if (rest !== undefined) socket.write(rest)
      rest = undefined
    }
    const end = () => {
      clearTimeout(timer)
      clearTimeout(patience)
      socket.destroy()
      resolve(isTaken() ? answer : undefined)
    }
    const timer = setTimeout(end, TIMEOUT + (later === undefined ? 0 : wait))
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
    socket.on('error', end)
    socket.on('close', end)
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
