import type { Request } from '../../http/exchange.js'
import { parseMediaType } from '../../http/field-values.js'
import { decodeSegment, decodeUtf8, parseForm } from '../../http/form.js'
import { Problem } from '../../http/problems.js'

const HOW =
  'Give the name of the queue as text/plain, as the form field "name", as JSON {"name": "…"}, or in a Slug field.'

/** Longer than any name, however it is written, in bytes; so that nothing long is taken apart to find none in it. */
const LONGEST = 16 * 1024

const NOT_UTF8 = 'The name of the queue is not UTF-8.'

/**
 * The name in the definition of a queue (`chosen`; the interface shows no body): plain text, the form field `name`,
 * JSON with `name`, or, with an empty body, the percent-encoded `Slug` of RFC 5023.
 *
 * @throws Problem `malformed-request`, `bad-percent-encoding`, `unsupported-media-type`
 */
// clause: queues.create.text queues.create.form queues.create.json queues.create.slug
// clause: queues.create.media-type queues.create.request
export function queueDefinition({ headers, body }: Request): string {
  if (body.length > LONGEST)
    throw new Problem('malformed-request', 'The body is longer than any name of a queue.')
  const { slug } = headers
  if (body.length === 0 && typeof slug === 'string') return decodeSegment(slug)
  switch (parseMediaType(headers['content-type'])?.type) {
    case 'text/plain':
      // A line is how most tools send a word. No name could end so.
      return decodeUtf8(body, NOT_UTF8).replace(/\r?\n$/, '')
    case 'application/x-www-form-urlencoded':
      return onlyName([...parseForm(body)].filter(([name]) => name === 'name').map(([, value]) => value))
    case 'application/json':
      return jsonName(decodeUtf8(body, NOT_UTF8))
  }
  if (body.length === 0) throw new Problem('malformed-request', HOW)
  throw new Problem(
    'unsupported-media-type',
    HOW,
    {},
    { 'Accept-Post': 'text/plain, application/x-www-form-urlencoded, application/json' },
  )
}

// clause: queues.create.nameless
function onlyName(names: readonly string[]): string {
  if (names.length === 1) return names[0] as string
  throw new Problem('malformed-request', `The form names ${names.length} queues and not one. ${HOW}`)
}

function jsonName(text: string): string {
  const definition = parseJson(text)
  if (typeof definition === 'object' && definition !== null && 'name' in definition) {
    if (typeof definition.name === 'string') return definition.name
  }
  throw new Problem('malformed-request', `The JSON has no text "name". ${HOW}`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('malformed-request', `The body is not JSON. ${HOW}`)
  }
}
