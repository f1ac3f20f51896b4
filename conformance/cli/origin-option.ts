import { UsageError } from './usage-error.js'

/** The origins of `--origin URL`. @throws {UsageError} */
export function originsOf(urls: readonly string[]): string[] {
  return urls.map((given) => {
    const url = URL.parse(given)
    const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
    if (!isOrigin)
      throw new UsageError(
        `--origin is given as scheme, host and port, as in https://queues.example:8443, and not "${given}".`,
      )
    return url.origin
  })
}
