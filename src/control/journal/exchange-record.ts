import { ownText } from '../../broker/storing.js'
import type { Reply, Request } from '../../http/exchange.js'
import { toBase64, toUtf8 } from '../../platform/bytes.js'
import type { FaultKind } from '../faults/fault-terms.js'
import { readableQuery } from '../input/query.js'
import type { Targeted } from '../input/target.js'

/**
 * A body in the journal: as text where it is text, otherwise in base64, and how long it was.
 *
 * @example
 * ```ts
 * const body: RecordedBody | undefined = mq.journal.entries({ path: '/queues/**' })[0]?.request
 * body?.body    // 'a hat'
 * ```
 */
export interface RecordedBody {
  /** The body, or its beginning, where that is UTF-8 without control characters. */
  readonly body?: string
  /** The body, or its beginning, where it is not text. */
  readonly bodyBase64?: string
  /** Its whole length in bytes; there is more than is shown when this is larger. */
  readonly bytes: number
}

/**
 * A fault that fired at an exchange.
 *
 * @example
 * ```ts
 * const fired: readonly RecordedFault[] = mq.journal.entries()[0]?.faults ?? []
 * ```
 */
export interface RecordedFault {
  readonly id: string
  readonly fault: FaultKind
}

/**
 * One exchange, as the journal tells of it: plain JSON.
 *
 * @example
 * ```ts
 * const [first]: JournalEntry[] = mq.journal.entries({ method: 'DELETE' })
 * first?.response?.status    // 200
 * ```
 */
export interface JournalEntry {
  /** 1, 2, …, in the order in which the exchanges were over. */
  readonly number: number
  /** When the request was there, by the server's clock; milliseconds since the epoch. */
  readonly at: number
  /** How long its answer took, by the server's clock, in milliseconds. */
  readonly duration: number
  /** GET also for HEAD. */
  readonly method: string
  /** Below the base path, as it was sent. */
  readonly path: string
  /** Without `?`; empty for none. */
  readonly query: string
  /** Name of the principal that asked; absent where nobody is asked, and where it is not known. */
  readonly principal?: string
  readonly request: { readonly headers: Readonly<Record<string, string>> } & RecordedBody
  /** What was answered, or would have been but for a fault; absent where the request was never handled. */
  readonly response?: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
  } & RecordedBody
  /** What fired at it. */
  readonly faults: readonly RecordedFault[]
}

/** An exchange as it is kept: the bodies as bytes, until somebody looks. */
export interface ExchangeRecord {
  readonly number: number
  readonly at: number
  readonly duration: number
  readonly target: Pick<Request, 'method' | 'path'>
  readonly principal: string | undefined
  readonly query: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: KeptBody
  readonly status: number | undefined
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: KeptBody
  readonly faults: readonly RecordedFault[]
  /** What it counts against the journal's limit. */
  readonly cost: number
}

interface KeptBody {
  readonly head: Uint8Array
  readonly bytes: number
}

/** What was seen of one exchange. */
export interface Seen {
  readonly at: number
  readonly duration: number
  readonly request: Request
  /** Undefined where the request was never handled. */
  readonly reply: Reply | undefined
  readonly faults: readonly RecordedFault[]
}

/** Bytes that a record takes beside its texts and bodies, and a header field beside its name and value; about. */
const OVERHEAD = 512
const FIELD_OVERHEAD = 128

/** What a header field or a parameter is named that says who somebody is, or lets somebody in. */
const CREDENTIAL =
  /^(?:key|(?:set-)?cookie2?)$|authorization$|(?:^|[-_.])(?:(?:api|access|auth|private|secret)[-_.]?key|(?:access|auth|bearer|id|refresh|security|session)?[-_.]?token|auth|credentials?|jwt|pass(?:word|wd)?|pwd|secret|session(?:[-_.]?id)?|sid|sig(?:nature)?)$/i

/** Name of the principal that the owner of the server sends as. */
export const SENDER_NAME = 'mq.send'

/** What stands in the place of a credential. */
const BLANKED = '***'

/** @param mostBody how many bytes of each body are kept */
export function recordExchange(number: number, seen: Seen, mostBody: number): ExchangeRecord {
  const { request, reply } = seen
  const requestHeaders = blanked(request.headers)
  const responseHeaders = blanked(reply?.headers ?? {})
  const requestBody = keep(request.body, mostBody)
  const responseBody = keep(reply?.body ?? '', mostBody)
  const query = queryOf(request)
  const { method } = request
  const path = ownText(request.path)
  return {
    number,
    at: seen.at,
    duration: seen.duration,
    target: { method, path },
    principal: request.principal?.name,
    query,
    requestHeaders,
    requestBody,
    status: reply?.status,
    responseHeaders,
    responseBody,
    faults: seen.faults,
    cost:
      OVERHEAD +
      2 * (path.length + query.length + lengthOf(requestHeaders) + lengthOf(responseHeaders)) +
      requestBody.head.length +
      responseBody.head.length,
  }
}

/** A record as what a target is looked for in: with its credentials blanked, as it is kept. */
export function targetedOf(record: ExchangeRecord): Targeted {
  const { method, path } = record.target
  let query: URLSearchParams | undefined
  return {
    method,
    path,
    get query() {
      query ??= new URLSearchParams(record.query)
      return query
    },
    headers: record.requestHeaders,
    body: record.requestBody.head,
    principalName: record.principal,
  }
}

/** The record as plain data. */
export function shownExchange(record: ExchangeRecord): JournalEntry {
  const { number, at, duration, target, query, principal, faults, status } = record
  const entry = {
    number,
    at,
    duration,
    method: target.method,
    path: target.path,
    query,
    ...(principal !== undefined && { principal }),
    request: { headers: record.requestHeaders, ...shownBody(record.requestBody) },
    faults,
  }
  if (status === undefined) return entry
  return {
    ...entry,
    response: { status, headers: record.responseHeaders, ...shownBody(record.responseBody) },
  }
}

/** A body as a person can read it, or else as base64. */
export function shownBody({ head, bytes }: KeptBody): RecordedBody {
  if (bytes === 0) return { bytes }
  try {
    // As a stream: a character that the end of what is kept cuts in two is no reason to show base64.
    const body = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(head, {
      stream: head.length < bytes,
    })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are just what is looked for
    if (!/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(body)) return { body, bytes }
  } catch {
    // Not UTF-8.
  }
  return { bodyBase64: toBase64(head), bytes }
}

function keep(body: string | Uint8Array, most: number): KeptBody {
  const bytes = typeof body === 'string' ? toUtf8(body) : body
  // A copy: a small body may be a view of a large chunk, which would be kept with it.
  return { head: bytes.length === 0 ? bytes : new Uint8Array(bytes.subarray(0, most)), bytes: bytes.length }
}

function queryOf(request: Request): string {
  const shown = new URLSearchParams()
  for (const [name, value] of readableQuery(request))
    shown.append(name, CREDENTIAL.test(name) ? BLANKED : value)
  return shown.toString()
}

function blanked(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, CREDENTIAL.test(name) ? BLANKED : String(value)]),
  )
}

function lengthOf(headers: Readonly<Record<string, string>>): number {
  let length = 0
  for (const name in headers) length += name.length + (headers[name] as string).length + FIELD_OVERHEAD / 2
  return length
}
