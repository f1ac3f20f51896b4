import { FEED_TYPE } from '../atom/names.js'
import { conditionalReply } from '../http/conditional.js'
import type { Reply, Request } from '../http/exchange.js'

/**
 * A feed, or 304 to a client that has it and asks by GET. `chosen`: a feed is one client's view at one moment, so no cache between
 * may keep it, and every use is checked again.
 */
export function feedReply(
  request: Request,
  etag: string,
  make: () => string,
  extra: Readonly<Record<string, string>> = {},
): Reply {
  const headers = { 'Content-Type': FEED_TYPE, 'Cache-Control': 'private, no-cache', ...extra }
  if (request.method !== 'GET') return { status: 200, headers, body: make() }
  return conditionalReply(request, etag, headers, make)
}
