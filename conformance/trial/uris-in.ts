import type { Element } from '@xmldom/xmldom'
import { ATOM, resolve } from '../client/atom.js'
import type { Exchange } from '../client/exchange.js'
import { childElements } from '../client/xml.js'
import { succeeded } from './answers.js'
import { rootOf } from './forms.js'
import { entriesIn, type Reader } from './message-in.js'

/** A word that can be an address: absolute, or a path. */
const ADDRESS = /^(?:https?:\/\/|\.{0,2}\/|[\w.~%-]+\/)[^\s<>"{}|\\^`]*$/i
/** What stands around addresses in lists that people read. */
const AROUND = /^[<("'[\s]+|[>)"'\],;.\s]+$/g

/**
 * The addresses that an answer lists, absolute and each once. Section 4.2 shows no form for a list of message URLs:
 * it may be a `text/uri-list` or other lines, JSON, an Atom feed, HTML or other XML, or `Link` fields.
 *
 * @param shape what an address of a message looks like: where some are so, all others are left out, such as a link
 *   to the list itself. Where none is, each thing that is listed counts with its first address.
 */
export function urisIn(trial: Reader, answer: Exchange, shape: (uri: string) => boolean): string[] {
  if (!succeeded(answer)) return []
  const things = listed(trial, answer).map((written) =>
    written.flatMap((each) => resolve(each, answer.url) ?? []).filter((uri) => uri !== answer.url),
  )
  const shaped = things.flatMap((uris) => uris.filter(shape))
  return [...new Set(shaped.length > 0 ? shaped : things.flatMap((uris) => uris.slice(0, 1)))]
}

/** What an answer lists, each thing with the addresses that it gives, as written. */
function listed(trial: Reader, answer: Exchange): string[][] {
  const links = [...(answer.headers.link ?? '').matchAll(/<([^>]*)>/g)].map(([, uri]) => [uri!])
  return [...links, ...inBody(trial, answer)]
}

function inBody(trial: Reader, answer: Exchange): string[][] {
  const root = rootOf(answer)
  if (root?.namespaceURI === ATOM) {
    return entriesIn(trial, answer).map(({ messageUri, links }) => [
      ...(messageUri === undefined ? [] : [messageUri]),
      ...links.map(({ href }) => href),
    ])
  }
  if (root !== undefined) return [...inElement(root)]
  const text = answer.body.toString()
  try {
    return [...inJson(JSON.parse(text))]
  } catch {
    const attributes = [...text.matchAll(/\b(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi)]
    if (attributes.length > 0) return attributes.map(([, a, b, c]) => [a ?? b ?? c!])
    return inLines(text)
  }
}

function* inElement(element: Element): Generator<string[]> {
  const children = childElements(element)
  const own = ['href', 'src', 'url', 'uri'].flatMap((name) => element.getAttribute(name) ?? [])
  const text = children.length === 0 ? element.textContent!.trim() : ''
  if (ADDRESS.test(text)) own.push(text)
  if (own.length > 0) yield own
  for (const child of children) yield* inElement(child)
}

/** A text is a thing of its own, and so is an object with all the addresses among its members. */
function* inJson(value: unknown): Generator<string[]> {
  if (typeof value === 'string') {
    if (ADDRESS.test(value)) yield [value]
  } else if (Array.isArray(value)) {
    for (const each of value) yield* inJson(each)
  } else if (typeof value === 'object' && value !== null) {
    const members = Object.values(value)
    const own = members.filter((each) => typeof each === 'string' && ADDRESS.test(each)) as string[]
    if (own.length > 0) yield own
    for (const each of members) if (typeof each !== 'string') yield* inJson(each)
  }
}

function inLines(text: string): string[][] {
  return text
    .split(/\r\n|\r|\n/)
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(/[\s,]+/))
    .map((word) => word.replace(AROUND, ''))
    .filter((word) => ADDRESS.test(word))
    .map((word) => [word])
}
