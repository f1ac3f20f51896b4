import { splitQuoted, unquote } from './split-quoted.js'

/**
 * How many seconds the client would wait for something to change: `Prefer:
 * wait=N` (RFC 7240 section 4.3). Undefined when it did not say so. Other
 * preferences are ignored, and so is a wait that is not a whole number: a
 * preference can never make a request fail. Of several waits the first counts.
 */
export function preferredWait(prefer: string | readonly string[] | undefined): number | undefined {
  if (prefer === undefined) return undefined
  for (const preference of splitQuoted(typeof prefer === 'string' ? prefer : prefer.join(','), ',')) {
    const [first = ''] = splitQuoted(preference, ';')
    const equals = first.indexOf('=')
    if (
      equals < 0 ? first.toLowerCase() !== 'wait' : first.slice(0, equals).trim().toLowerCase() !== 'wait'
    ) {
      continue
    }
    const value = equals < 0 ? undefined : unquote(first.slice(equals + 1).trim())
    return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined
  }
  return undefined
}
