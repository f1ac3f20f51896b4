import type { Exchange } from './exchange.js'
import type { Target } from './target.js'
import { parseUrl, withoutSlashes } from './url.js'

/** Bytes of an answer in which addresses are looked for. */
const READ = 64 * 1024

/** An address in the one form that addresses are compared in; a fragment never reaches a server. */
export function comparable(uri: string | undefined): string | undefined {
  return uri === undefined ? undefined : new URL(uri.replace(/#.*$/s, '')).href
}

/** An address with a further query, which one that has a query already is given with `&`. */
export function withQuery(uri: string, query: string): string {
  return `${uri}${uri.includes('?') ? '&' : '?'}${query}`
}

/** Where a message is sent to a queue with a guid. */
export function withGuid(queueUri: string, guid: string): string {
  return withQuery(queueUri, `guid=${encodeURIComponent(guid)}`)
}

/** A slash path as part of an address: each segment percent-encoded. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** The last segment of an address's path, as it is written there. */
export function lastSegment(uri: string): string {
  return withoutSlashes(uri.replace(/[?#].*$/s, ''))
    .split('/')
    .at(-1)!
}

/** What an answer without a Location tells in its body to be the address of what it made; undefined where it tells none. */
export function addressTold(target: Pick<Target, 'isOwn'>, answer: Exchange): string | undefined {
  const addresses = addressesIn(target, answer)
  return addresses.find((each) => each.startsWith(`${answer.url}/`)) ?? addresses[0]
}

/** The target's own addresses in the body of an answer, in their order, but that of the request. */
function addressesIn(target: Pick<Target, 'isOwn'>, { body, url }: Exchange): string[] {
  const written =
    body
      .subarray(0, READ)
      .toString()
      .match(/(?:https?:\/)?\/[^\s"'<>]+/g) ?? []
  return written
    .flatMap((each) => parseUrl(each, url)?.href ?? [])
    .filter((uri) => uri !== url && target.isOwn(uri))
}
