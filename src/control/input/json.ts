import type { Reply, Request } from '../../http/exchange.js'
import { decodeUtf8 } from '../../http/form.js'
import { Problem } from '../../http/problems.js'
import { jsonMistake } from './json-mistake.js'

/** Header fields of an answer of this type that nobody keeps. */
export function uncached(type: string): Readonly<Record<string, string>> {
  return { 'Content-Type': type, 'Cache-Control': 'no-store' }
}

/** An answer in JSON that nobody keeps. */
export function json(value: unknown, status = 200): Reply {
  return { status, headers: uncached('application/json'), body: `${JSON.stringify(value)}\n` }
}

/**
 * The body of a request as JSON, whatever its type is said to be, so that a plain `curl -d` will do. An empty one is
 * an empty object.
 *
 * @throws Problem `malformed-request`
 */
export function readBody({ body }: Request): unknown {
  return body.length === 0 ? {} : parseJson(decodeUtf8(body, 'The body is not UTF-8.'), 'The body')
}

/**
 * @param what the text is called where it is no JSON
 * @throws Problem `malformed-request`, which says where the mistake is
 */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const { line, column } = jsonMistake(text)
    throw new Problem('malformed-request', `${what} is not JSON: see line ${line}, column ${column}.`, {
      line,
      column,
    })
  }
}
