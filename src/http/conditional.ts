import { toBase64 } from '../platform/bytes.js'
import { sha256 } from '../platform/sha256.js'
import type { Reply, Request } from './exchange.js'
import { encodeSegment } from './links.js'

/** A strong entity tag of what makes a representation: an id, a version, a page. */
export function makeETag(...parts: readonly (string | number)[]): string {
  let tag = ''
  for (const part of parts) tag += `-${typeof part === 'number' ? part : encodeSegment(part)}`
  return `"${tag.slice(1)}"`
}

/** A strong entity tag of a representation that nothing less than its own bytes stands for. */
export function hashETag(representation: string | Uint8Array): string {
  return makeETag(toBase64(sha256(representation)).slice(0, 22).replaceAll('+', '-').replaceAll('/', '_'))
}

/** Says whether `If-None-Match` lists this tag: weak comparison, lists and `*` (RFC 9110 section 13.1.2). */
export function listsETag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return ifNoneMatch.match(/"[^"]*"/g)?.some((listed) => listed === opaque) ?? false
}

/**
 * 304 when the client has this representation already, otherwise 200 with it.
 *
 * @param make is called only when the body is needed
 */
// clause: browse.conditional
export function conditionalReply(
  request: Pick<Request, 'headers'>,
  etag: string,
  headers: Readonly<Record<string, string>>,
  make: () => string | Uint8Array,
): Reply {
  if (!listsETag(request.headers['if-none-match'], etag)) {
    // Added one by one: to spread it takes as long as all the rest.
    const whole: Record<string, string> = {}
    for (const name in headers) whole[name] = headers[name] as string
    whole.ETag = etag
    return { status: 200, headers: whole, body: make() }
  }
  // RFC 9110 section 15.4.5: of the fields about the representation only what a cache needs.
  const { 'Content-Type': _, ...kept } = headers
  return { status: 304, headers: { ...kept, ETag: etag } }
}
