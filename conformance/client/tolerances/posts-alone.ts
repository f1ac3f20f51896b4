import { type Exchange, refused, succeeded } from '../exchange.js'
import type { Speaker } from '../speaker.js'
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

/**
 * The document calls the `Location` of a new queue its address for posting, and has it read and deleted at its path below `/queues`.
 * Most targets take both at both; of one that takes only posts at its Locations, queues are read and deleted by their paths.
 *
 * @param created the answer to the queue's creation
 */
export async function readByPath(
  asking: Pick<Speaker, 'target' | 'onceInRun'>,
  path: string,
  created: Exchange,
): Promise<void> {
  const { target } = asking
  const posted = succeeded(created) ? target.location(created) : undefined
  const stated = target.queueUri(path)
  if (posted === undefined || posted === stated) return
  const takesPostsAlone = async () =>
    refused(await target.request('GET', posted)) && succeeded(await target.request('GET', stated))
  if (await asking.onceInRun('the Locations of queues take posts alone', takesPostsAlone))
    target.readElsewhere(posted, stated)
}
