import type { Exchange } from './exchange.js'
import type { Manner } from './speaker.js'
import type { Target } from './target.js'

/** POST of acknowledgements, all in one body: the addresses of the messages, a line each. */
export function postUris(
  { target }: { readonly target: Pick<Target, 'request'> },
  address: string,
  uris: readonly string[],
  how: Manner = {},
): Promise<Exchange> {
  return target.request('POST', address, {
    ...{ headers: { 'Content-Type': 'text/uri-list' }, ...how },
    body: uris.map((uri) => `${uri}\r\n`).join(''),
  })
}
