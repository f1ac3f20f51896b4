import type { IncomingMessage } from 'node:http'
import type { Reply } from './exchange.js'

/** What a page may read of an answer beside its body. */
const EXPOSED = 'Location, ETag, Message-Id, Idempotent-Replayed, Preference-Applied, Allow, Retry-After'

/** Cross-origin requests (the Fetch standard, section 3.2) by pages of the origins that are allowed. */
export interface Cors {
  /** What an answer to such a page bears besides; undefined for everybody else. */
  headersFor(message: IncomingMessage): Readonly<Record<string, string>> | undefined
  /** The answer to the question that a browser asks first; undefined where this is none, or from nobody who is allowed. */
  preflight(message: IncomingMessage): Reply | undefined
}

/** @param allowed as browsers write them */
export function createCors(allowed: ReadonlySet<string>): Cors {
  const headersFor: Cors['headersFor'] = ({ headers: { origin } }) =>
    origin !== undefined && allowed.has(origin)
      ? { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED }
      : undefined
  return {
    headersFor,
    preflight(message) {
      const { method, headers } = message
      const asked = headers['access-control-request-method']
      if (method !== 'OPTIONS' || asked === undefined || headersFor(message) === undefined) return undefined
      return {
        status: 204,
        headers: {
          'Access-Control-Allow-Methods': 'GET, HEAD, POST, DELETE',
          // Names of properties are anybody's, so what is asked for is what is allowed.
          'Access-Control-Allow-Headers': String(headers['access-control-request-headers'] ?? ''),
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
