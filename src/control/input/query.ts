import { Problem } from '../../http/problems.js'
import { type Given, readWhole } from './read.js'

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

/**
 * Sees that a query has nothing but what is read of it, and each of that once: a misspelt name would ask for
 * something else in silence.
 *
 * @param more names beside those
 * @throws Problem `malformed-request`
 */
export function checkQuery(query: URLSearchParams, names: readonly string[], more?: RegExp): void {
  const seen = new Set<string>()
  for (const name of query.keys()) {
    if (!names.includes(name) && !more?.test(name)) {
      throw new Problem('malformed-request', `There is no ${name}; the query can have ${names.join(', ')}.`, {
        at: name,
      })
    }
    if (seen.size === seen.add(name).size) {
      throw new Problem('malformed-request', `${name} is given twice; give it once.`, { at: name })
    }
  }
}
