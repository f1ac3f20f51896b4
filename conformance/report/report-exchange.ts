import { isUtf8 } from 'node:buffer'
import type { Exchange } from '../client/exchange.js'
import type { Redactor } from './redactor.js'
import type { ReportedBody, ReportedExchange } from './result.js'

/** Bytes of a body that a report shows. */
const SHOWN = 8 * 1024
/** Exchanges of one check that a report keeps at each end, where there are more than both together. */
const KEPT_AT_START = 40
const KEPT_AT_END = 60

/** As Atom has them (RFC 3339). */
const MOMENTS = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?/g

/**
 * The exchanges of one check as a report shows them: credentials redacted, bodies cut, and the same question
 * with the same answer, as waiting gives it many times over, told once.
 *
 * @param began when the check began, in the exchanges' time
 */
export function reportExchanges(
  exchanges: readonly Exchange[],
  began: number,
  redactor: Redactor,
): ReportedExchange[] {
  const told: ReportedExchange[] = []
  let last: Exchange | undefined
  let wasBeside = false
  for (const exchange of exchanges) {
    const before = told.at(-1)
    // What was sent at the same moment is told one by one: that it was so may be what matters.
    const isBeside = last !== undefined && exchange.sentAt < last.receivedAt
    if (last && before && !isBeside && !wasBeside && isSameExchange(last, exchange))
      told[told.length - 1] = { ...before, times: before.times + 1 }
    else told.push(report(exchange, began, redactor))
    last = exchange
    wasBeside = isBeside
  }
  if (told.length <= KEPT_AT_START + KEPT_AT_END) return told
  const omitted = told.length - KEPT_AT_START - KEPT_AT_END
  const [next, ...others] = told.slice(-KEPT_AT_END)
  return [...told.slice(0, KEPT_AT_START), { ...next!, omitted }, ...others]
}

function report(exchange: Exchange, began: number, redactor: Redactor): ReportedExchange {
  const { method, url, requestHeaders, requestBody, status, headers, body, error } = exchange
  return {
    at: secondsOf(exchange.sentAt - began),
    seconds: secondsOf(exchange.receivedAt - exchange.sentAt),
    request: {
      method,
      url: redactor.text(url),
      headers: redactor.headers(requestHeaders),
      body: reportBody(requestBody, redactor),
    },
    response:
      status === 0 ? null : { status, headers: redactor.headers(headers), body: reportBody(body, redactor) },
    error: error === undefined ? null : redactor.text(error),
    times: 1,
    ...(exchange.advanced === undefined ? {} : { advanced: exchange.advanced / 1000 }),
  }
}

function reportBody(body: Buffer, redactor: Redactor): ReportedBody {
  const bytes = redactor.bytes(body)
  const isText = isUtf8(bytes) && !bytes.includes(0)
  const shown = bytes.subarray(0, SHOWN)
  return {
    encoding: isText ? 'text' : 'base64',
    // A character that the cut falls into would end as U+FFFD.
    data: isText
      ? shown.toString('utf8').replace(bytes.length > SHOWN ? /\ufffd+$/ : /$^/, '')
      : shown.toString('base64'),
    bytes: body.length,
    cut: bytes.length > SHOWN,
  }
}

function isSameExchange(one: Exchange, other: Exchange): boolean {
  return (
    one.method === other.method &&
    one.url === other.url &&
    one.status === other.status &&
    one.error === other.error &&
    JSON.stringify({ ...one.headers, date: '' }) === JSON.stringify({ ...other.headers, date: '' }) &&
    one.requestBody.equals(other.requestBody) &&
    sameBodies(one.body, other.body) &&
    JSON.stringify(one.requestHeaders) === JSON.stringify(other.requestHeaders)
  )
}

/** Whether bodies are alike but for moments in them, such as when a feed was written. */
function sameBodies(one: Buffer, other: Buffer): boolean {
  if (one.equals(other)) return true
  // Moments are mostly written with equally many digits; and what is long is not looked through.
  if (one.length !== other.length || one.length > SHOWN) return false
  const [first, second] = [one, other].map((each) => each.toString('latin1').replace(MOMENTS, ''))
  return first === second
}

function secondsOf(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1_000_000
}
