import { type Principal, ROLES } from '../auth/principal.js'
import { Ids } from '../broker/ids.js'
import { REFUSALS, Refusal, type RefusalKind } from '../broker/refusals.js'
import type { Reply, Request } from '../http/exchange.js'
import { type EdgeKind, PROBLEMS, Problem } from '../http/problems.js'
import { textOf, toLatin1, toUtf8 } from '../platform/bytes.js'
import type { Handle } from './faults/apply-faults.js'
import { type Given, type Readers, readMembers, readProperties, readText, wrong } from './input/read.js'
import { SENDER_NAME } from './journal/exchange-record.js'

/**
 * What a message of {@link ServerExtras.send} has beside its body.
 *
 * @example
 * ```ts
 * const options: SendOptions = { guid: 'order-2', type: 'text/plain', properties: { colour: 'blue' } }
 * await mq.send('orders/new', 'a hat', options)
 * ```
 */
export interface SendOptions {
  /** Unique id: a later send with it is ignored. A new one unless given. */
  readonly guid?: string | undefined
  /** Media type; that of a text, of JSON or of bytes unless given. */
  readonly type?: string | undefined
  /** Application properties. */
  readonly properties?: Readonly<Record<string, string>> | undefined
}

/**
 * What came of a send.
 *
 * @example
 * ```ts
 * const sent: SentMessage = await mq.send('orders/new', 'a hat', { guid: 'order-3' })
 * ```
 */
export interface SentMessage {
  readonly queue: string
  readonly guid: string
  /** Whether a message with this guid was sent before, so that this one was ignored. */
  readonly replayed: boolean
}

/**
 * A text, bytes, or anything else that can be said in JSON.
 *
 * @example
 * ```ts
 * const bodies: SendBody[] = ['a hat', { item: 'hat' }, new Uint8Array([1, 2])]
 * for (const body of bodies) await mq.send('orders/new', body)
 * ```
 */
export type SendBody = string | Uint8Array | object | number | boolean | null

const READERS: Readers<SendOptions> = {
  guid: readText,
  type: readText,
  properties: (given) => readProperties(given),
}

const ids = new Ids()

/** Who sends where principals are known: the owner of the server. */
export const SENDER: Principal = { name: SENDER_NAME, roles: new Set(ROLES) }

/**
 * Sends a message the way that a client's request goes: the journal records it, faults fire at it, and it is refused
 * as it would be.
 *
 * @param handle what answers requests, past the question who asks
 * @throws Refusal or Problem as the answer says it; Error where a fault has cut the answer off, or changed it
 */
export async function sendMessage(
  handle: Handle,
  queue: string,
  body: SendBody,
  options: SendOptions = {},
): Promise<SentMessage> {
  const read = readMembers<SendOptions>({ value: options, at: '' }, READERS)
  const name = readText({ value: queue, at: 'queue' })
  const id = read.guid ?? ids.uuid()
  const [bytes, usual] = contentOf({ value: body, at: 'body' })
  const path = `/queues/${name.split('/').map(encodeURIComponent).join('/')}`
  const request: Request = {
    method: 'POST',
    path,
    segments: path.slice(1).split('/'),
    query: new URLSearchParams({ guid: id }),
    headers: {
      'content-type': read.type ?? usual,
      'content-length': String(bytes.length),
      ...fieldsOf(read.properties ?? {}),
    },
    body: bytes,
    principal: SENDER,
    whenGone: () => () => {},
  }
  const reply = await handle(request)
  if (reply.cut !== undefined) {
    throw new Error(`The answer to the send to ${JSON.stringify(queue)} was lost: a fault cut it off.`)
  }
  if (reply.status !== 200) throw refusalOf(reply)
  return { queue, guid: id, replayed: reply.headers?.['Idempotent-Replayed'] === 'true' }
}

function contentOf(given: Given): [bytes: Uint8Array, type: string] {
  const { value } = given
  if (typeof value === 'string') return [toUtf8(value), 'text/plain;charset=utf-8']
  if (value instanceof Uint8Array) return [value, 'application/octet-stream']
  const text = JSON.stringify(value)
  return text === undefined
    ? wrong(given, 'a text, bytes, or what JSON can say')
    : [toUtf8(text), 'application/json']
}

/** As header fields are: UTF-8, of which each byte is a character. */
function fieldsOf(properties: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [
      `property-${name.toLowerCase()}`,
      toLatin1(toUtf8(value)),
    ]),
  )
}

function refusalOf({ status, body = '' }: Reply): Error {
  try {
    const { type, detail } = JSON.parse(textOf(body)) as Record<string, string>
    const kind = type?.slice('urn:atom-mq:problem:'.length) ?? ''
    if (Object.hasOwn(REFUSALS, kind)) return new Refusal(kind as RefusalKind, detail)
    if (PROBLEMS.has(kind as EdgeKind)) return new Problem(kind as EdgeKind, detail ?? '')
  } catch {
    // Not a problem document.
  }
  return new Error(`The send was answered with ${status}.`)
}
