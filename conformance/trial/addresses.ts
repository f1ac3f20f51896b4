import type { Entry } from '../client/entry.js'
import type { Exchange } from '../client/exchange.js'
import { parseUrl, withoutSlashes } from '../client/url.js'
import { Blocked } from './findings.js'
import type { Trial } from './trial.js'

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

/** How many different addresses there are among these. */
export function countDifferent(uris: readonly string[]): number {
  return new Set(uris.map(comparable)).size
}

/** The address that a successful creation gives: 2xx with a `Location`; undefined where it did not succeed. */
export function createdAt(trial: Trial, exchange: Exchange): string | undefined {
  return exchange.status >= 200 && exchange.status < 300 ? trial.target.location(exchange) : undefined
}

/** The address of an entry's message. Blocked by `consume.message-uri` where it has none. */
export function messageUriOf({ messageUri }: Entry): string {
  if (messageUri === undefined) throw new Blocked('consume.message-uri', 'an entry without an address')
  return messageUri
}

/** Deletes what an answer says was made; nothing where it does not say where that is. */
export async function deleteMade({ target }: Trial, answer: Exchange): Promise<void> {
  const made = target.location(answer)
  if (made !== undefined) await target.request('DELETE', made)
}

/** Addresses at which an entry says that its content is. */
export function contentsOf({ contentUri, links }: Entry): string[] {
  const linked = links
    .filter(({ rel }) => rel === 'edit-media' || rel === 'enclosure')
    .map(({ href }) => href)
  return contentUri === undefined ? linked : [contentUri, ...linked]
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

/** The target's own addresses in the body of an answer, in their order, but that of the request. */
export function addressesIn({ target }: Pick<Trial, 'target'>, { body, url }: Exchange): string[] {
  const written =
    body
      .subarray(0, READ)
      .toString()
      .match(/(?:https?:\/)?\/[^\s"'<>]+/g) ?? []
  return written
    .flatMap((each) => parseUrl(each, url)?.href ?? [])
    .filter((uri) => uri !== url && target.isOwn(uri))
}
