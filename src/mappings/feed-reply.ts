import { FEED_TYPE } from '../atom/names.js'
import { PAGE_HEADERS, PAGE_TYPE } from '../html/page.js'
import { prefersHtml } from '../http/accept.js'
import { conditionalReply } from '../http/conditional.js'
import type { Reply, Request } from '../http/exchange.js'
import type { Written } from '../platform/bytes.js'

/** One feed, in either of its forms; each is made only when it is asked for, and told the form's entity tag. */
export interface Forms {
  readonly atom: (etag: string) => Written
  readonly html: (etag: string) => Written
}

/**
 * A feed, or 304 to a client that has it and asks by GET. `chosen`: it is HTML for who prefers that, and Atom for
 * everybody else, whatever they accept. It is one client's view at one moment, so no cache between may keep it,
 * and every use is checked again.
 */
// clause: auth.shared-cache
// clause: browse.caching http.not-acceptable
export function feedReply(
  request: Request,
  etagOf: (form: 'atom' | 'html') => string,
  forms: Forms,
  extra: Readonly<Record<string, string>> = {},
): Reply {
  const form = prefersHtml(request.headers.accept) ? 'html' : 'atom'
  const headers: Record<string, string> = {
    'Content-Type': form === 'html' ? PAGE_TYPE : FEED_TYPE,
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept',
  }
  if (form === 'html') Object.assign(headers, PAGE_HEADERS)
  for (const name in extra) headers[name] = extra[name] as string
  const etag = etagOf(form)
  if (request.method !== 'GET') return { status: 200, headers, body: forms[form](etag) }
  return conditionalReply(request, etag, headers, () => forms[form](etag))
}
