import type { Request } from './exchange.js'
import { LONGEST_HOST } from './host-check.js'
import { Problem } from './problems.js'

/** What is asked of a request that changes or takes something. */
export type CheckOrigin = (request: Pick<Request, 'headers' | 'authority'>) => void

/**
 * Sees that such a request was not made by a page of another site: any page may let its reader's browser speak to a
 * server on the reader's machine (`chosen`). Browsers tell it by `Sec-Fetch-Site`, by `Origin` or, the least of them, by
 * `Referer`; programs that are no browsers send none of the three. The edge has seen to it that the authority is one
 * that the server answers for.
 *
 * @param allowed origins whose pages may do it all the same
 * @param publicUrl where clients know the server by another address
 * @returns throws Problem `cross-site`
 */
export function createOriginCheck(allowed: ReadonlySet<string>, publicUrl?: string): CheckOrigin {
  const ownPublic = publicUrl === undefined ? undefined : new URL(publicUrl).origin
  const isOwn = (origin: string, authority: string) => origin === ownPublic || sameHost(origin, authority)
  return ({ headers, authority = '' }) => {
    const site = headers['sec-fetch-site']
    const { origin, referer } = headers
    if (site === undefined && origin === undefined && referer === undefined) return
    if (origin !== undefined && allowed.has(origin)) return
    if (site === undefined || site === 'same-origin' || site === 'none') {
      // A referrer counts where a browser says nothing else: at an address that is neither HTTPS nor of the same machine.
      const page = origin ?? (site === undefined ? originOf(referer as string) : undefined)
      if (page === undefined || allowed.has(page) || isOwn(page, authority)) return
    }
    throw new Problem(
      'cross-site',
      'A page of another site must not do this; ask from outside of a browser, or start the server with --allow-origin.',
    )
  }
}

/**
 * Reads an origin as an option gives it.
 *
 * @returns as a browser writes it
 * @throws Error when it is none
 */
export function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && url.origin !== 'null' && text.toLowerCase().replace(/\/$/, '') === url.origin) return url.origin
  throw new Error(`${JSON.stringify(text)} is not an origin; write it like "http://localhost:3000".`)
}

/** To read a host takes the platform time with the square of its length. */
const LONGEST_ORIGIN = 'https://'.length + LONGEST_HOST + ':65535'.length

function originOf(address: string): string {
  return /^https?:\/\/[^/?#\\]*/i.exec(address)?.[0] ?? 'null'
}

/** A server behind a proxy is spoken to by HTTP, whatever its clients speak. */
function sameHost(origin: string, authority: string): boolean {
  if (origin.length > LONGEST_ORIGIN || !URL.canParse(origin)) return false
  const { protocol, host } = new URL(origin)
  const own = `${protocol}//${authority}`
  return URL.canParse(own) && new URL(own).host === host
}
