import { Buffer } from './bytes.js'
import { HttpClient } from './http-client.js'
import type { Transport } from './transport.js'
import { parseUrl, withoutSlashes } from './url.js'

/** How long a base is waited for that may send on: milliseconds. */
const LONGEST = 5000
const REDIRECTS: readonly number[] = [301, 302, 307, 308]
const ROOT = '/queues'

/**
 * A URL that no target can have; the message is one sentence.
 *
 * @example
 * ```ts
 * try {
 *   runConformance('ftp://127.0.0.1')
 * } catch (error) {
 *   error instanceof BaseUrlError    // true
 * }
 * ```
 */
export class BaseUrlError extends Error {
  override readonly name = 'BaseUrlError'
}

/** The base URL of a target, without a trailing slash. @throws {BaseUrlError} */
export function baseUrlOf(text: string): string {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new BaseUrlError(`"${text}" is not a URL: give the target's base URL, as in http://127.0.0.1:8080.`)
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new BaseUrlError(`"${text}" is not an http or https URL.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new BaseUrlError("The base URL holds credentials: give them in the profile's headers.")
  }
  if (url.search !== '' || url.hash !== '') {
    throw new BaseUrlError(`The base URL "${text}" has a query or a fragment: give it without.`)
  }
  return withoutSlashes(url.href)
}

/**
 * The base URL that one sends on to, by what its root listing answers; undefined where it sends nowhere, or to another host, where the
 * credentials of this one have no place.
 */
export async function sentOnTo(
  base: string,
  headers: Readonly<Record<string, string>>,
  transport: Transport,
  signal: AbortSignal,
): Promise<string | undefined> {
  const client = new HttpClient(transport)
  try {
    const url = `${baseUrlOf(base)}${ROOT}`
    const body = Buffer.alloc(0)
    const answer = await client.send({
      method: 'GET',
      url,
      headers,
      body,
      timeout: LONGEST,
      patient: false,
      signal,
    })
    const { location } = answer.headers
    if (!REDIRECTS.includes(answer.status) || location === undefined) return undefined
    const to = parseUrl(location, url)
    const path = withoutSlashes(to?.pathname ?? '')
    if (to === undefined || !isAsSafe(to, new URL(url)) || !path.endsWith(ROOT) || to.search !== '')
      return undefined
    const next = `${to.origin}${path.slice(0, -ROOT.length)}`
    return next === baseUrlOf(base) ? undefined : next
  } finally {
    client.close()
  }
}

/** Whether what goes to one address may go to another: it is of the same origin, or the same host by https. */
function isAsSafe(to: URL, from: URL): boolean {
  return to.origin === from.origin || (to.hostname === from.hostname && to.protocol === 'https:')
}
