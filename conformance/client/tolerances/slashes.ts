import { resolve } from '../atom.js'
import type { Exchange } from '../exchange.js'
import type { Send } from '../transport.js'

/** Follows a redirect that only adds a slash to the end of the path, or takes it away: once, and for the same method. */
export function withOtherSlash(send: Send): Send {
  return async (outgoing) => {
    const exchange = await send(outgoing)
    const url = otherSlash(exchange)
    return url === undefined ? exchange : send({ ...outgoing, url })
  }
}

/** Where a redirect leads that only adds a slash to the end of the path, or takes it away, for the same method. */
function otherSlash({ method, status, url, headers: { location } }: Exchange): string | undefined {
  const repeats = method === 'GET' || method === 'HEAD' ? [301, 302, 307, 308] : [307, 308]
  const uri = repeats.includes(status) && location !== undefined ? resolve(location, url) : undefined
  if (uri === undefined || !URL.canParse(url)) return undefined
  const [from, to] = [new URL(url), new URL(uri)]
  const differs = to.pathname === `${from.pathname}/` || from.pathname === `${to.pathname}/`
  return differs && to.origin === from.origin && to.search === from.search ? uri : undefined
}
