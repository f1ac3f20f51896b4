import type { Fields, Reply } from './exchange.js'
import type { RawHead } from './head.js'

/** What a page may read of an answer beside its body. */
const EXPOSED = 'Location, ETag, Message-Id, Idempotent-Replayed, Preference-Applied, Allow, Retry-After'

/** Cross-origin requests (the Fetch standard, section 3.2) by pages of the origins that are allowed. */
export interface Cors {
  /** What an answer to such a page bears besides; undefined for everybody else. */
  headersFor(headers: Fields): Readonly<Record<string, string>> | undefined
  /** The answer to the question that a browser asks first; undefined where this is none, or from nobody who is allowed. */
  preflight(head: Pick<RawHead, 'method' | 'headers'>): Reply | undefined
}

/** @param allowed as browsers write them */
export function createCors(allowed: ReadonlySet<string>): Cors {
  const headersFor: Cors['headersFor'] = ({ origin }) =>
    origin !== undefined && allowed.has(origin)
      ? { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED }
      : undefined
  return {
    headersFor,
    preflight(head) {
      const { method } = head
      const headers = head.headers as Fields
      const asked = headers['access-control-request-method']
      if (method !== 'OPTIONS' || asked === undefined || headersFor(headers) === undefined) return undefined
      return {
        status: 204,
        headers: {
          'Access-Control-Allow-Methods': 'GET, HEAD, POST, DELETE',
          // Names of properties are anybody's, so what is asked for is what is allowed.
          'Access-Control-Allow-Headers': headers['access-control-request-headers'] ?? '',
          'Access-Control-Max-Age': '600',
          Vary: 'Origin, Access-Control-Request-Headers',
        },
      }
    },
  }
}

/** The same answer, as such a page may read it. */
export function withCors(reply: Reply, cors: Readonly<Record<string, string>>): Reply {
  const { Vary: vary } = reply.headers ?? {}
  const Vary = vary === undefined ? 'Origin' : `${vary}, Origin`
  return { ...reply, headers: { ...reply.headers, ...cors, Vary } }
}
