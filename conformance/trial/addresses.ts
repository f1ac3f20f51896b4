import { comparable } from '../client/addresses.js'
import type { Exchange } from '../client/exchange.js'
import type { Entry } from '../client/feed.js'
import { Blocked } from '../client/findings.js'
import type { Trial } from './trial.js'

export { comparable, encodePath, lastSegment, withGuid, withQuery } from '../client/addresses.js'

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
