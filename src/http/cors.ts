import type { Fields, Reply } from './exchange.js'
import type { RawHead } from './head.js'

/** What a page may read of an answer beside its body. */
const EXPOSED = 'Location, ETag, Message-Id, Idempotent-Replayed, Preference-Applied, Allow, Retry-After'

export type Cors = ReturnType<typeof createCors>

/**
 * Cross-origin requests (the Fetch standard, section 3.2) by pages of the origins that are allowed.
 *
 * @param allowed as browsers write them
 */
export function createCors(allowed: ReadonlySet<string>) {
  const isAllowed = ({ origin }: Fields) => origin !== undefined && allowed.has(origin)
  return {
    /** An answer as the page that has asked may read it, where it is one of these. */
    readable(reply: Reply, headers: Fields): Reply {
      if (!isAllowed(headers)) return reply
      const { Vary: vary } = reply.headers ?? {}
      const fields = {
        'Access-Control-Allow-Origin': headers.origin as string,
        'Access-Control-Expose-Headers': EXPOSED,
        Vary: vary === undefined ? 'Origin' : `${vary}, Origin`,
      }
      return { ...reply, headers: { ...reply.headers, ...fields } }
    },
    /** The answer to the question that a browser asks first; undefined where this is none, or from nobody who is allowed. */
    preflight(head: Pick<RawHead, 'method' | 'headers'>): Reply | undefined {
      const { method } = head
      const headers = head.headers as Fields
      const asked = headers['access-control-request-method']
      if (method !== 'OPTIONS' || asked === undefined || !isAllowed(headers)) return undefined
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
