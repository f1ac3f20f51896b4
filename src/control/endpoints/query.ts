import { type Given, readWhole } from '../read.js'

/**
 * Reads a number in a query.
 *
 * @returns undefined where it is not there
 * @throws Problem `malformed-request`
 */
export function readCount(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const given: Given = { value: /^\d{1,15}$/.test(text) ? Number(text) : text, at: name }
  return readWhole(given, 0, 1_000_000_000_000)
}
