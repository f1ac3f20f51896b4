import { beginningOf } from '../client/answered.js'
import type { Exchange } from '../client/exchange.js'
import type { Draft } from './prober.js'

type Definition = Draft['createQueue']

const XML = /<([A-Za-z][\w-]*)>(?:<([A-Za-z][\w-]*)>[^<>]*<\/\2>|[^<>]*)<\/\1>/g
const INNERMOST = /(<[A-Za-z][\w-]*>)[^<>]*(<\/)/

/** Definitions of a queue that refusals themselves show, as an example of XML or JSON, with the name in their innermost place. */
export function shownDefinitions(refusals: readonly Exchange[]): Definition[] {
  const texts = refusals.map(beginningOf)
  const shown = texts.flatMap((text) => [...xmlIn(text), ...jsonIn(text)])
  return shown.filter((one, at) => shown.findIndex(({ body }) => body === one.body) === at).slice(0, 6)
}

function xmlIn(text: string): Definition[] {
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>')
  return [...plain.matchAll(XML)].map(([example]) => ({
    headers: { 'Content-Type': 'application/xml' },
    body: example.replace(INNERMOST, '$1{name}$2'),
  }))
}

function jsonIn(text: string): Definition[] {
  // Within a problem document an example stands with its quotes escaped.
  const example = /\{\s*\\?"[\s\S]*\}/.exec(text.replaceAll('\\"', '"').replace(/^\s*\{(?=.*\{)/s, ''))?.[0]
  for (let end = example?.length ?? 0; end > 1; end = example!.lastIndexOf('}', end - 2) + 1) {
    try {
      const body = JSON.stringify(named(JSON.parse(example!.slice(0, end))))
      return body.includes('{name}') ? [{ headers: { 'Content-Type': 'application/json' }, body }] : []
    } catch {}
  }
  return []
}

/** An example with the name in the place of its first text. */
function named(example: unknown): unknown {
  if (typeof example !== 'object' || example === null) return '{name}'
  const [first, ...rest] = Object.entries(example)
  return first === undefined ? {} : { [first[0]]: named(first[1]), ...Object.fromEntries(rest) }
}
