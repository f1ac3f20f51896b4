import type { Departure } from './departure.js'
import type { Fields } from './exchange.js'
import type { EdgeLimits } from './limits.js'
import { LiveRequest } from './live-request.js'
import { Problem } from './problems.js'

/** What a front knows of a request before its body. `node:http` has it so. */
export interface RawHead {
  readonly method?: string | undefined
  /** The target as it was sent, or an absolute address. */
  readonly url?: string | undefined
  readonly headers: object
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[]
  readonly httpVersion: string
}

/** What a head is measured against. */
export interface HeadPolicy {
  readonly basePath: string
  readonly limits: Readonly<EdgeLimits>
  readonly checkHost: (authority: string) => boolean | undefined
}

/**
 * Reads the head of a request, before any of its body.
 *
 * @param departure tells when its client goes away
 * @throws Problem `target-too-long`, `malformed-request`, `misdirected`, `not-implemented`,
 *   `expectation-failed`, `body-too-large`, `no-such-resource`
 */
export function readHead(message: RawHead, policy: HeadPolicy, departure: Departure): LiveRequest {
  const { method = '', url = '' } = message
  const headers = message.headers as Fields
  if (url.length > policy.limits.maxTarget) throw targetTooLong(policy.limits)
  const { authority = hostOf(message), target } = splitTarget(method, url)
  checkAuthority(authority, policy)
  checkExpectation(message)
  const hasBody = checkFraming(headers['transfer-encoding'], headers['content-length'], policy.limits)
  const mark = target.indexOf('?')
  const path = belowBase(mark < 0 ? target : target.slice(0, mark), policy.basePath)
  const rawQuery = mark < 0 ? '' : target.slice(mark + 1)
  return new LiveRequest(method, path, rawQuery, headers, authority, hasBody, departure)
}

/** The refusal of a target over the limit. */
// clause: http.limit.target
export function targetTooLong({ maxTarget }: Pick<EdgeLimits, 'maxTarget'>): Problem {
  return new Problem('target-too-long', `The request target may be ${maxTarget} bytes long; shorten it.`, {
    limit: maxTarget,
  })
}

/**
 * The refusal of a header section over a limit.
 *
 * @param limit in bytes
 * @param fields how many it may have, where they are counted
 */
export function headerTooLarge(limit: number, fields?: number): Problem {
  const counted = fields === undefined ? '' : ` and have ${fields} fields`
  const detail = `The header section may be ${limit} bytes long${counted}; send less.`
  return new Problem('header-too-large', detail, { limit })
}

/** The refusal of a body over the limit. */
// clause: http.limit.message
export function bodyTooLarge({ maxBody }: Readonly<EdgeLimits>): Problem {
  return new Problem(
    'body-too-large',
    `The body may be ${maxBody} bytes long, in chunks of a fair size; send less, or in larger pieces.`,
    {
      limit: maxBody,
    },
  )
}

/** The four forms of RFC 9112 section 3.2, of which the authority form belongs to CONNECT alone. */
function splitTarget(method: string, url: string): { authority?: string; target: string } {
  if (/[^!-~]|#/.test(url)) {
    throw new Problem(
      'malformed-request',
      'The request target has characters that a URI has not; percent-encode them.',
    )
  }
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return { target: url }
  const absolute = /^https?:\/\/([^/?]*)(.*)$/i.exec(url)
  if (!absolute) {
    throw new Problem(
      'malformed-request',
      'The request target is neither a path nor an http URI; begin it with "/".',
    )
  }
  const [, authority = '', rest = ''] = absolute
  return { authority, target: rest.startsWith('/') ? rest : `/${rest}` }
}

/** The one `Host`; an HTTP/1.0 request may have none and then names no host at all. */
function hostOf(message: RawHead): string | undefined {
  let hosts = 0
  for (let at = 0; at < message.rawHeaders.length; at += 2) {
    const name = message.rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (hosts > 1) throw new Problem('malformed-request', 'The request has several Host fields; send one.')
  if (hosts === 0 && message.httpVersion !== '1.0') {
    throw new Problem('malformed-request', 'The request has no Host field; send one.')
  }
  return (message.headers as Fields).host
}

// clause: http.host
function checkAuthority(authority: string | undefined, { checkHost }: HeadPolicy): void {
  if (authority === undefined) return
  const meant = checkHost(authority)
  if (meant === undefined) {
    throw new Problem('malformed-request', 'The Host field is not a host with an optional port.')
  }
  if (meant) return
  throw new Problem(
    'misdirected',
    `This server does not answer for the host ${JSON.stringify(authority)}; use the address it printed, or start it with --allow-host.`,
  )
}

// clause: http.expectation
function checkExpectation({ headers, httpVersion }: RawHead): void {
  const { expect } = headers as Fields
  if (expect === undefined || httpVersion === '1.0' || expect.trim().toLowerCase() === '100-continue') return
  throw new Problem('expectation-failed', 'The only expectation that can be met is 100-continue.')
}

function checkFraming(
  encoding: string | undefined,
  length: string | undefined,
  limits: Readonly<EdgeLimits>,
) {
  if (encoding !== undefined) {
    if (encoding.trim().toLowerCase() === 'chunked') return true
    throw new Problem('not-implemented', 'The only transfer coding that is implemented is chunked.')
  }
  if (length === undefined) return false
  if (Number(length) > limits.maxBody) throw bodyTooLarge(limits)
  return Number(length) > 0
}

// clause: http.base-url
function belowBase(path: string, basePath: string): string {
  if (basePath === '' || path === '*') return path
  if (path === basePath) return '/'
  if (path.startsWith(`${basePath}/`)) return path.slice(basePath.length)
  throw new Problem(
    'no-such-resource',
    `There is nothing at this address; everything here begins with ${basePath}/.`,
  )
}
