import type { Content } from '../../broker/content.js'
import { ownText } from '../../broker/storing.js'
import type { Reply, Request } from '../../http/exchange.js'
import { toBase64, utf8Of } from '../../platform/bytes.js'
import type { FaultKind } from '../faults/fault.js'
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

/** A part of an exchange as it is kept: its body as bytes, until somebody looks. */
interface KeptPart {
  readonly headers: Readonly<Record<string, string>>
  readonly head: Uint8Array
  readonly bytes: number
}

export interface ExchangeRecord extends Omit<JournalEntry, 'request' | 'response'> {
  readonly request: KeptPart
  readonly response: (KeptPart & { readonly status: number }) | undefined
  /** What it counts against the journal's limit. */
  readonly cost: number
}

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
  const { at, duration, faults } = seen
  const { method, principal } = seen.request
  const path = ownText(seen.request.path)
  const query = queryOf(seen.request)
  const request = keptPart(seen.request, mostBody)
  const response = seen.reply && { status: seen.reply.status, ...keptPart(seen.reply, mostBody) }
  return {
    ...{ number, at, duration, method, path, query },
    ...(principal !== undefined && { principal: principal.name }),
    ...{ request, response, faults },
    cost: OVERHEAD + 2 * (path.length + query.length) + costOf(request) + (response ? costOf(response) : 0),
  }
}

/** What was looked for in last: many questions are asked of one record. */
let latest: { readonly record: ExchangeRecord; readonly targeted: Targeted } | undefined

/** A record as what a target is looked for in: with its credentials blanked, as it is kept. */
export function targetedOf(record: ExchangeRecord): Targeted {
  if (latest?.record !== record) latest = { record, targeted: targetedIn(record) }
  return latest.targeted
}

function targetedIn({ method, path, request, principal, query: shown }: ExchangeRecord): Targeted {
  let query: Targeted['query'] | undefined
  return {
    method,
    path,
    get query() {
      query ??= parametersIn(shown)
      return query
    },
    headers: request.headers,
    body: request.head,
    principalName: principal,
  }
}

/** Values by name: there may be thousands, of which many are asked for. */
function parametersIn(query: string): Targeted['query'] {
  const values = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(query)) {
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  return { getAll: (name) => values.get(name) ?? [] }
}

/** The record as plain data. */
export function shownExchange({ request, response, cost: _, ...entry }: ExchangeRecord): JournalEntry {
  const shown = { ...entry, request: { headers: request.headers, ...shownBody(request) } }
  if (response === undefined) return shown
  const { status, headers } = response
  return { ...shown, response: { status, headers, ...shownBody(response) } }
}

/** The type and the body of a message as plain data. @param most how many bytes of its body */
export function shownContent({ body, contentType }: Content, most: number) {
  return {
    contentType: contentType ?? null,
    ...shownBody({ head: body.subarray(0, most), bytes: body.length }),
  }
}

/** A body as a person can read it, or else as base64. */
export function shownBody({ head, bytes }: Pick<KeptPart, 'head' | 'bytes'>): RecordedBody {
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

function keptPart(
  { headers = {}, body = '' }: Pick<Reply, 'headers' | 'body'> | Request,
  most: number,
): KeptPart {
  const bytes = utf8Of(body)
  // A copy: a small body may be a view of a large chunk, which would be kept with it.
  const head = bytes.length === 0 ? bytes : new Uint8Array(bytes.subarray(0, most))
  return { headers: blanked(headers), head, bytes: bytes.length }
}

function queryOf(request: Request): string {
  const shown = new URLSearchParams()
  for (const [name, value] of readableQuery(request))
    shown.append(name, CREDENTIAL.test(name) ? BLANKED : value)
  // What the platform puts together piece by piece refers to all the pieces.
  return ownText(shown.toString())
}

function blanked(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return keyed(
    Object.entries(fields).map(([name, value]) => [name, CREDENTIAL.test(name) ? BLANKED : String(value)]),
  )
}

/**
 * An object of these members as a dictionary. Where each object has names of its own, to make them otherwise takes four times as
 * long, and what the platform learns of each takes kilobytes.
 */
export function keyed(members: Iterable<readonly [string, string]>): Record<string, string> {
  const made: Record<string, string> = Object.create(null)
  for (const [name, value] of members) made[name] = value
  return Object.setPrototypeOf(made, Object.prototype)
}

/** What the fields and the body take, in bytes, about. */
function costOf({ headers, head }: KeptPart): number {
  let length = 0
  for (const name in headers) length += name.length + (headers[name] as string).length + FIELD_OVERHEAD / 2
  return 2 * length + head.length
}
