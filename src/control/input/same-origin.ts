import type { Request } from '../../http/exchange.js'
import { Problem } from '../../http/problems.js'

/**
 * Sees that a request was not made by a page of another site: any page may let its reader's browser post to a
 * server on the reader's machine. Programs that are no browsers send neither of the two fields.
 *
 * @param publicUrl where clients know the server by another address
 * @throws Problem `cross-site`
 */
export function checkSameOrigin({ headers }: Request, publicUrl: string | undefined): void {
  const site = headers['sec-fetch-site']
  const { origin, host = '' } = headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw refused()
  if (origin !== undefined && !isOwn(origin, host, publicUrl)) throw refused()
}

/** The edge has seen to it that `Host` is one that the server answers for. */
function isOwn(origin: string, host: string, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  if (publicUrl !== undefined && url.origin === new URL(publicUrl).origin) return true
  return URL.canParse(`${url.protocol}//${host}`) && url.host === new URL(`${url.protocol}//${host}`).host
}

function refused(): Problem {
  return new Problem('cross-site', 'A page of another site must not do this; ask from outside of a browser.')
}
