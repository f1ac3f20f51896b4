import type { Request } from '../../http/exchange.js'
import { Problem } from '../../http/problems.js'
import { type Given, readWhole } from './read.js'

/** The query of a request; empty where it cannot be read: the request is then refused by whoever has to read it. */
export function readableQuery(request: Pick<Request, 'query'>): URLSearchParams {
  try {
    return request.query
  } catch {
    return new URLSearchParams()
  }
}

/** How a parameter is read; a `list` has commas, a `map` is given as `header.NAME`, once for each of its members. */
export type Kind = 'text' | 'count' | 'switch' | 'list' | 'map'

/**
 * Reads a query. It has nothing but what is read of it, and each of that once: a misspelt name would ask for something else
 * in silence.
 *
 * @returns the members that are there
 * @throws Problem `malformed-request`
 */
export function readQuery(
  query: URLSearchParams,
  kinds: Readonly<Record<string, Kind>>,
): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  const seen = new Set<string>()
  for (const [name, text] of query) {
    const [, map = name, part = ''] = /^(\w+)\.(.+)$/s.exec(name) ?? []
    const kind = Object.hasOwn(kinds, map) ? kinds[map] : undefined
    if (kind === undefined || (kind === 'map') !== (part !== '')) {
      const names = Object.keys(kinds).map((each) => (kinds[each] === 'map' ? `${each}.NAME` : each))
      throw new Problem(
        'malformed-request',
        `There is no parameter "${name}"; the query can have ${names.join(', ')}.`,
        {
          at: name,
        },
      )
    }
    if (seen.size === seen.add(name).size) {
      throw new Problem('malformed-request', `${name} is given twice; give it once.`, { at: name })
    }
    if (kind === 'map') {
      // As entries, since a name may be one that objects have already.
      found[map] = Object.fromEntries([...Object.entries(found[map] ?? {}), [part, text]])
    } else if (kind === 'count') found[name] = readCount({ value: text, at: name })
    else if (kind === 'list') found[name] = text.split(',')
    else found[name] = kind === 'switch' && /^(true|false)$/.test(text) ? text === 'true' : text
  }
  return found
}

/** @throws Problem `malformed-request` */
function readCount({ value, at }: Given): number {
  const text = String(value)
  return readWhole({ value: /^\d{1,15}$/.test(text) ? Number(text) : text, at }, 0, 1_000_000_000_000)
}
