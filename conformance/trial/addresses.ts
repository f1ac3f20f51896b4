import type { Entry } from '../client/entry.js'
import type { Exchange } from '../client/exchange.js'
import type { Trial } from './trial.js'

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
  return uri
    .replace(/[?#].*$/s, '')
    .replace(/\/+$/, '')
    .split('/')
    .at(-1)!
}

/** The target's own addresses in the body of an answer, in their order, but that of the request. */
export function addressesIn({ target }: Pick<Trial, 'target'>, { body, url }: Exchange): string[] {
  const written = body.toString().match(/(?:https?:\/)?\/[^\s"'<>]+/g) ?? []
  return written
    .filter((each) => URL.canParse(each, url))
    .map((each) => new URL(each, url).href)
    .filter((uri) => uri !== url && target.isOwn(uri))
}
