import type { Element } from '@xmldom/xmldom'
import { ATOM, resolve } from './atom.js'
import { type Exchange, succeeded } from './exchange.js'
import { rootOf } from './forms.js'
import { headerLinks } from './link-header.js'
import { entriesIn, type Reader } from './message-in.js'
import { childElements, essence } from './xml.js'

/** A word that can be an address: absolute, or a path. */
const ADDRESS = /^(?:https?:\/\/|\.{0,2}\/|[\w.~%-]+\/)[^\s<>"{}|\\^`]*$/i
/** What stands before and after addresses in lists that people read. */
const BEFORE = '<("\'['
const AFTER = '>)"\'],;.'

/** Relations of `Link` fields that lead to what is about an answer or around it, whatever the addresses look like. */
const AROUND_IT = new Set(
  `about alternate author canonical collection contents describedby describes edit-form help icon index license privacy-policy
  profile search self service service-desc service-doc start status stylesheet terms-of-service type up via`.split(
    /\s+/,
  ),
)

/** The addresses that an answer lists, absolute and each once. */
interface ListedUris {
  readonly uris: readonly string[]
  /** Whether they have the shape of a message's address. */
  readonly isShaped: boolean
}

/**
 * The addresses that an answer lists. Section 4.2 shows no form for a list of message URLs: it may be a `text/uri-list` or other
 * lines, JSON, an Atom feed, HTML or other XML, or `Link` fields.
 *
 * @param shape what an address of a message looks like: where some are so, all others are left out, such as a link
 *   to the list itself, and each thing that is listed counts once. Where none is, each thing counts with its first address that is
 *   not known to be another's.
 */
export function listedUris(reader: Reader, answer: Exchange, shape: (uri: string) => boolean): ListedUris {
  if (!succeeded(answer)) return { uris: [], isShaped: false }
  const links = headerLinks(answer)
    .filter(
      ({ rels, href }) => rels.includes('item') || (shape(href) && !rels.some((rel) => AROUND_IT.has(rel))),
    )
    .map(({ href }): Thing => ({ uris: [href] }))
  const things = [...links, ...inBody(reader, answer)].map(({ uris, names }): Thing => {
    const resolved = uris.map((each) => resolve(each, answer.url))
    return {
      uris: resolved.filter((uri) => uri !== undefined),
      names: names?.filter((_, at) => resolved[at] !== undefined),
    }
  })
  const shaped = things.flatMap(({ uris, names }) => {
    const own = uris.filter((uri) => uri !== answer.url && shape(uri))
    const isById = names !== undefined && uris.every((uri, at) => uri.includes(names[at]!))
    return isById ? own : own.slice(0, 1)
  })
  if (shaped.length > 0) return { uris: [...new Set(shaped)], isShaped: true }
  const isOther = othersThan(reader, answer)
  const first = things.flatMap(({ uris }) => uris.filter((uri) => !isOther(uri)).slice(0, 1))
  return { uris: [...new Set(first)], isShaped: false }
}

/** Operations whose addresses are no message's. */
const OPERATIONS =
  /^\/(?:(?:queues|subscriptions)?\/?$|(?:queue|lockNextMessage|nextMessageForMe|subscribe|unsubscribe|ack)\/)/

/** Tells addresses that an answer may hold beside those of messages: its own, those of the interface, and what was made or posted to. */
function othersThan({ target }: Reader, answer: Exchange): (uri: string) => boolean {
  const pathOf = (uri: string) => uri.replace(/[?#].*/s, '')
  const known = new Set([pathOf(answer.url)])
  for (const { method, url, status, headers } of target.exchanges) {
    if (method !== 'POST') continue
    known.add(pathOf(url))
    const made = status === 201 ? resolve(headers.location ?? '', url) : undefined
    if (made !== undefined) known.add(pathOf(made))
  }
  const base = target.baseUrl
  return (uri) => {
    const path = pathOf(uri)
    return known.has(path) || (path.startsWith(base) && OPERATIONS.test(path.slice(base.length) || '/'))
  }
}

/** What an answer lists: a thing with the addresses that it gives, as written. */
interface Thing {
  readonly uris: readonly string[]
  /** Of an object: the names of the members that they are. */
  readonly names?: readonly string[] | undefined
}

function inBody(reader: Reader, answer: Exchange): Thing[] {
  const root = rootOf(answer)
  if (root?.namespaceURI === ATOM) {
    return entriesIn(reader, answer).map(({ messageUri, links }) => ({
      uris: [...(messageUri === undefined ? [] : [messageUri]), ...links.map(({ href }) => href)],
    }))
  }
  if (root !== undefined) return [...inElement(root)]
  const text = answer.body.toString()
  try {
    return inJson(JSON.parse(text))
  } catch {
    const attributes = [...text.matchAll(/\b(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi)]
    if (attributes.length > 0) return attributes.map(([, a, b, c]) => ({ uris: [a ?? b ?? c!] }))
    return inLines(text, essence(answer.headers['content-type']) === 'text/uri-list')
  }
}

function* inElement(element: Element): Generator<Thing> {
  const children = childElements(element)
  const own = ['href', 'src', 'url', 'uri'].flatMap((name) => element.getAttribute(name) ?? [])
  const text = children.length === 0 ? element.textContent!.trim() : ''
  if (ADDRESS.test(text)) own.push(text)
  if (own.length > 0) yield { uris: own }
  for (const child of children) yield* inElement(child)
}

/** A text is a thing of its own, and so is an object with all the addresses among its members. */
function inJson(value: unknown): Thing[] {
  const things: Thing[] = []
  const collect = (one: unknown): void => {
    if (typeof one === 'string') {
      if (ADDRESS.test(one)) things.push({ uris: [one] })
    } else if (Array.isArray(one)) for (const each of one) collect(each)
    else if (typeof one === 'object' && one !== null) {
      const members = Object.entries(one)
      const own = members.filter(([, each]) => typeof each === 'string' && ADDRESS.test(each))
      if (own.length > 0) things.push({ uris: own.map(([, uri]) => uri), names: own.map(([name]) => name) })
      for (const [, each] of members) if (typeof each !== 'string') collect(each)
    }
  }
  collect(value)
  return things
}

/** @param isUriList whether a line is an address, whatever stands in it (RFC 2483, section 5) */
function inLines(text: string, isUriList: boolean): Thing[] {
  return text
    .split(/\r\n|\r|\n/)
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => (isUriList && ADDRESS.test(line.trim()) ? [line.trim()] : wordsIn(line)))
    .map((word) => ({ uris: [word] }))
}

/** A comma may be part of an address: it ends one where another begins after it. */
function wordsIn(line: string): string[] {
  return line
    .split(/\s+|,(?=[<("'[]*(?:https?:\/\/|\.{0,2}\/|[\w.~%-]+\/))/i)
    .map(bareWord)
    .filter((word) => ADDRESS.test(word))
}

function bareWord(word: string): string {
  let [from, to] = [0, word.length]
  while (from < to && BEFORE.includes(word[from]!)) from += 1
  while (to > from && AFTER.includes(word[to - 1]!)) to -= 1
  return word.slice(from, to)
}
