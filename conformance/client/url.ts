/** Characters of the longest address that the kit takes for one: servers refuse longer targets. */
export const LONGEST_ADDRESS = 8 * 1024
/** No name of a host is longer, escapes included. It takes the square of its length to read one that is not ASCII. */
const LONGEST_HOST = 300
const HOST = /^(?:[a-z][a-z\d+.-]*:[/\\]*|[/\\]{2,})([^/\\?#]*)/i
const CONTROLS = /[\0-\x20]+/g

/** Whether a reference is longer than the kit reads. */
export function isTooLong(reference: string): boolean {
  if (reference.length > LONGEST_ADDRESS) return true
  if (reference.length <= LONGEST_HOST) return false
  const host = HOST.exec(reference.replace(CONTROLS, ''))?.[1] ?? ''
  return host.length > LONGEST_HOST
}

/** A reference as an absolute URL; undefined where it is none, or longer than the kit reads. */
export function parseUrl(reference: string, base?: string): URL | undefined {
  if (isTooLong(reference)) return undefined
  try {
    return new URL(reference, base)
  } catch {
    return undefined
  }
}

/** Without its slashes at the end. */
export function withoutSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}
