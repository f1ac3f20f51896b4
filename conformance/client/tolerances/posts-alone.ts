import type { Send } from '../transport.js'

/**
 * Asks elsewhere what is not posted to an address that takes only posts.
 *
 * @param readAt such addresses, with where what is there is read and deleted
 */
export function whereRead(send: Send, readAt: ReadonlyMap<string, string>): Send {
  return (outgoing) => {
    const { method, url } = outgoing
    const [address = url] = /^[^?#]*/.exec(url) ?? []
    const read = method === 'POST' ? undefined : readAt.get(address)
    return send(read === undefined ? outgoing : { ...outgoing, url: read + url.slice(address.length) })
  }
}
