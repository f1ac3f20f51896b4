import { withoutSlashes } from './url.js'

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
