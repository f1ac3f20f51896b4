import type { Reply, Request } from '../http/exchange.js'
import { Problem } from '../http/problems.js'
import { json } from './input/json.js'

const ALLOW = { Allow: 'GET, HEAD, OPTIONS' }

/**
 * `GET /_health`: 200 as soon as the port is open, for everybody, with or without the other extras.
 *
 * @throws Problem `method-not-allowed`
 */
export function health({ method }: Request): Reply {
  if (method === 'GET') return json({ status: 'ok' })
  if (method === 'OPTIONS') return { status: 204, headers: ALLOW }
  throw new Problem(
    'method-not-allowed',
    `${method} is not allowed here; allowed are ${ALLOW.Allow}.`,
    {},
    ALLOW,
  )
}
