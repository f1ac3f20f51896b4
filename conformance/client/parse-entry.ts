import type { Element } from '@xmldom/xmldom'
import { answered } from './answered.js'
import { ATOM, readLinks, readText, resolve } from './atom.js'
import { Buffer } from './bytes.js'
import { contentSource, inlineContent } from './content.js'
import { type Exchange, refused, succeeded } from './exchange.js'
import type { Entry, Link } from './feed.js'
import { unless } from './findings.js'
import { isTooLong } from './url.js'
import { childElements, essence, firstElement, parseXml } from './xml.js'

/** What reading an entry needs to know of its surroundings. */
export interface EntryContext {
  /** Absolute address of the document that the entry stands in. */
  readonly documentUri: string
  /** Where the message's address stands: the profile's `messageUri`. */
  readonly messageUri: string
  /** Given on a target that is eventually consistent, where an entry may still be shown when its content is gone. */
  readonly linked?: LinkedContents | undefined
  /** Knows messages when it sees them; without it the first link counts that leads to no page for people. */
  readonly knowing?: KnowingMessages | undefined
  /** Whether nobody needs to know which messages its entries are: then no link is looked into beside a content. */
  readonly mayOnlyTell?: boolean
  /** Whether it was linked to from an entry: then only its links to bytes count, since others may lead back. */
  readonly isAlone?: boolean
  /** GETs what stands outside of the entry. */
  get(uri: string): Promise<Exchange>
  /** Ends the reading of a body that cannot be had; the sentence says why, and whether the entry leads to none. */
  unreadable(why: string, isNowhere?: boolean): never
}

const ON_THE_WEB = /^https?:/i

// Of RFC 5023 section 9.6 and RFC 4287 section 4.2.7.2: addresses of the bytes themselves, best first; then those of
// the entry; and at last what stands for it elsewhere, which is mostly a page for people.
const BYTES = ['edit-media', 'enclosure'] as const
const ENTRIES = ['edit', 'self'] as const
const ANYTHING = 'alternate'

/** By which a content may be sent elsewhere, and how often. */
const REDIRECTS = [301, 302, 303, 307, 308]
const MAX_HOPS = 20

/** What no way to write a content spoils beyond recognition. */
const PLAIN = /^[ -~]*$/

/** Where the content itself says that it is. */
const SOURCE = 'src'

/** What addresses of contents gave when they could be read last. */
export type LinkedContents = Map<string, Exchange>

/** What tells a message's own bytes from what is only about it, at the addresses that an entry without content links to. */
export interface KnowingMessages {
  /** Relations of links that have led to a message's own bytes, beside a content or not: one says nothing of the other. */
  readonly proven: Set<string>
  /** Whether these bytes are a message that was sent; of a page only where they are that to the byte. */
  isMessage(body: Buffer, isPage: boolean): boolean
  /** Whether they hold, in whatever form, what is unique in one. */
  isAbout(body: Buffer): boolean
}

/** An address at which the body of an entry may be. */
interface Way {
  /** The relation of its link, or where else it stands. */
  readonly rel: string
  readonly uri: string
}

/** What stands at such an address. */
interface Found {
  readonly body: Buffer
  readonly isPage: boolean
}

/** Reads an `atom:entry`, whatever its order, prefixes and foreign markup. */
export function parseEntry(element: Element, context: EntryContext): Entry {
  return new ElementEntry(element, context)
}

/** Reads what is asked for, when it is: most readings of a feed are about the bodies of its entries only. */
class ElementEntry implements Entry {
  readonly #element: Element
  readonly #context: EntryContext
  #links: readonly Link[] | undefined
  #body: Promise<Buffer> | undefined

  constructor(element: Element, context: EntryContext) {
    this.#element = element
    this.#context = context
  }

  get id(): string {
    return readText(this.#element, 'id')
  }

  get title(): string {
    return readText(this.#element, 'title')
  }

  get updated(): string {
    return readText(this.#element, 'updated')
  }

  get links(): readonly Link[] {
    this.#links ??= readLinks(this.#element, this.#context.documentUri)
    return this.#links
  }

  get categories(): readonly string[] {
    return childElements(this.#element, ATOM, 'category').map((each) => each.getAttribute('term') ?? '')
  }

  get messageUri(): string | undefined {
    const where = this.#context.messageUri
    if (where === 'id') return isTooLong(this.id) || !URL.canParse(this.id) ? undefined : this.id
    if (where === 'content') return this.contentUri
    const rel = where.slice('link[rel='.length, -1)
    return this.#linked(rel)[0]
  }

  get contentUri(): string | undefined {
    const content = this.#content()
    return content && contentSource(content, this.#context.documentUri)
  }

  body(): Promise<Buffer> {
    this.#body ??= this.#readBody()
    return this.#body
  }

  async #readBody(): Promise<Buffer> {
    const content = this.#content()
    const source = this.contentUri
    if (source !== undefined) return contentAt({ rel: SOURCE, uri: source }, this.#context)
    if (content === undefined) return readLinked(this.#ways(), this.#context)
    const inline = inlineContent(content)
    return (await this.#besides(inline)) ?? this.#inlineOrMedia(inline)
  }

  /**
   * What is linked where the content only describes the message: it holds nothing of one, and such a link has led to a whole one of
   * plain text. What tells of a message may be that message, spoilt; and of one that is not plain, it may tell nothing.
   */
  async #besides(inline: Buffer): Promise<Buffer | undefined> {
    const { knowing, mayOnlyTell = false } = this.#context
    if (!knowing || inline.length === 0 || knowing.isMessage(inline, false) || knowing.isAbout(inline))
      return undefined
    const ways = this.#ways().filter(({ rel }) => rel !== 'edit-media')
    const proven = ways.find(({ rel }) => knowing.proven.has(beside(rel)))
    if (proven) return contentAt(proven, this.#context)
    for (const way of mayOnlyTell ? [] : ways) {
      const answer = await followed(way.uri, this.#context)
      const here = succeeded(answer) ? await bodyAt(way, answer, this.#context) : undefined
      if (!here || !knowing.isMessage(here.body, here.isPage) || !knowing.isAbout(here.body)) continue
      if (!PLAIN.test(here.body.toString('latin1'))) continue
      knowing.proven.add(beside(way.rel))
      return here.body
    }
    return undefined
  }

  /** Beside an inline content that is no message that is known, the bytes may be linked as RFC 5023 has it. */
  async #inlineOrMedia(inline: Buffer): Promise<Buffer> {
    const { knowing } = this.#context
    if (!knowing || knowing.isMessage(inline, false)) return inline
    for (const { rel, uri } of this.#ways().filter(({ rel }) => rel === 'edit-media')) {
      if (knowing.proven.has(rel)) return getContent(uri, this.#context)
      const answer = await this.#context.get(uri)
      // What is inline may be a part of what has just gone.
      if (isGone(answer)) return withoutContent(answer, this.#context)
      if (!succeeded(answer) || !knowing.isMessage(answer.body, isPage(answer.headers))) continue
      knowing.proven.add(rel)
      return answer.body
    }
    return inline
  }

  /** Where the body of an entry without content may be, best first, each address once. */
  #ways(): Way[] {
    const linked = (rel: string) => this.#linked(rel).map((uri) => ({ rel, uri }))
    const { messageUri } = this
    const ways = [
      ...[...BYTES, ...ENTRIES].flatMap(linked),
      { rel: 'the message', uri: messageUri },
      ...linked(ANYTHING),
    ].filter((way): way is Way => way.uri !== undefined && ON_THE_WEB.test(way.uri) && !this.#isHere(way.uri))
    const others = this.#context.isAlone ? ways.filter(({ rel }) => isBytes(rel)) : ways
    return others.filter(({ uri }, at) => others.findIndex((each) => each.uri === uri) === at)
  }

  /** The addresses of the links of a relation: an entry may have several, of which pages for people come last. */
  #linked(rel: string): string[] {
    const links = this.links.filter((link) => link.rel === rel)
    const isForPeople = ({ type }: Link) => essence(type) === 'text/html'
    return links.toSorted((a, b) => Number(isForPeople(a)) - Number(isForPeople(b))).map(({ href }) => href)
  }

  /** Whether an address is that of the document which this entry is read from: what is there is known. */
  #isHere(uri: string): boolean {
    const [address, here] = [uri, this.#context.documentUri].map((each) => each.replace(/#.*/s, ''))
    return address === here
  }

  #content(): Element | undefined {
    return firstElement(this.#element, ATOM, 'content')
  }
}

/** A relation as it stands among those that are proven, where the entry has a content, too. */
function beside(rel: string): string {
  return `${rel} beside a content`
}

function isBytes(rel: string): boolean {
  return BYTES.some((each) => each === rel)
}

function isGone({ status }: Exchange): boolean {
  return status === 404 || status === 410
}

function isPage(headers: Exchange['headers']): boolean {
  return essence(headers['content-type']) === 'text/html'
}

/**
 * The body of an entry that has no content of its own: by the first way that leads to a message which is known, or that has led to
 * one before; else by the first that leads to no page for people, or to one that tells of a message.
 */
async function readLinked(ways: readonly Way[], context: EntryContext): Promise<Buffer> {
  const { knowing } = context
  const proven = (way: Way) => knowing?.proven.has(way.rel) === true
  const found: Found[] = []
  let refusal: Exchange | undefined
  for (const way of [...ways.filter(proven), ...ways.filter((each) => !proven(each))]) {
    const answer = await getLinked(way.uri, context)
    if (!succeeded(answer)) refusal = answer
    const here = succeeded(answer) ? await bodyAt(way, answer, context) : undefined
    if (here === undefined) continue
    const isKnown = knowing?.isMessage(here.body, here.isPage) === true
    if (isKnown) knowing?.proven.add(way.rel)
    const isIt = isKnown || proven(way) || way.rel === 'edit-media'
    if (isIt || (!here.isPage && (knowing === undefined || isBytes(way.rel)))) return here.body
    found.push(here)
  }
  const about = found.filter(({ body }) => knowing?.isAbout(body) ?? true)
  const best = [about, found].flatMap((some) => some.find((each) => !each.isPage) ?? [])[0] ?? about[0]
  // A page was about what has just gone.
  const isLeft = best?.isPage && refusal !== undefined && isGone(refusal)
  return best === undefined || isLeft ? nothingLinked(refusal, context) : best.body
}

/** What there is of an entry none of whose links leads to a body. */
function nothingLinked(refusal: Exchange | undefined, context: EntryContext): Buffer {
  if (refusal === undefined) return context.unreadable('the entry has neither content nor a link to it', true)
  // The body of no message, and of no other entry either.
  if (context.linked) return Buffer.from(`the content of ${refusal.url} is gone`)
  return context.unreadable(gave(refusal), true)
}

/** What stands at the one address where the body of an entry is. */
async function contentAt(way: Way, context: EntryContext): Promise<Buffer> {
  const answer = await getLinked(way.uri, context)
  if (!succeeded(answer)) return nothingLinked(answer, context)
  if (way.rel === SOURCE) return answer.body
  return (await bodyAt(way, answer, context))?.body ?? nothingLinked(undefined, context)
}

/** What an entry says is its content. */
async function getContent(uri: string, context: EntryContext): Promise<Buffer> {
  const answer = await getLinked(uri, context)
  return succeeded(answer) ? answer.body : withoutContent(answer, context)
}

function withoutContent(refusal: Exchange, context: EntryContext): Buffer {
  return context.linked ? nothingLinked(refusal, context) : context.unreadable(gave(refusal))
}

/** An answer that is a success, or a refusal with a 4xx; which one, the document leaves to the target. */
async function getLinked(uri: string, context: EntryContext): Promise<Exchange> {
  const answer = await followed(uri, context)
  if (succeeded(answer)) context.linked?.set(uri, answer)
  else if (!refused(answer)) context.unreadable(gave(answer))
  else return context.linked?.get(uri) ?? answer
  return answer
}

/** The answer at an address, or where that sends a reader on to. */
async function followed(uri: string, context: EntryContext): Promise<Exchange> {
  let answer = await context.get(uri)
  for (let hops = 0; hops < MAX_HOPS && REDIRECTS.includes(answer.status); hops++) {
    const next = resolve(answer.headers.location ?? '', answer.url)
    if (next === undefined || next === answer.url) break
    answer = await context.get(next)
  }
  return answer
}

function gave(answer: Exchange): string {
  return `GET ${answer.url}, for an entry's content, gave ${answered(answer)}`
}

/** @returns nothing where an entry is there that leads to no body */
async function bodyAt({ rel }: Way, answer: Exchange, context: EntryContext): Promise<Found | undefined> {
  const whole = { body: answer.body, isPage: isPage(answer.headers) }
  const content = isBytes(rel) ? undefined : entryContent(answer, context)
  // A message may be an entry itself.
  if (content === undefined || context.knowing?.isMessage(answer.body, false)) return whole
  const body = await unless(LeadsNowhere, () => content)
  return body && { body, isPage: false }
}

/** Of an entry that was linked to, and again holds nothing and leads to nothing. */
class LeadsNowhere extends Error {}

// The address of a message may answer with its entry, which then holds the body.
function entryContent(answer: Exchange, context: EntryContext): Promise<Buffer> | undefined {
  if (!/[+/]xml\b/.test(answer.headers['content-type'] ?? '')) return undefined
  try {
    const root = parseXml(answer.body, answer.headers['content-type']).documentElement
    if (!root || root.namespaceURI !== ATOM || root.localName !== 'entry') return undefined
    const unreadable = (why: string, isNowhere?: boolean): never => {
      if (isNowhere) throw new LeadsNowhere(why)
      return context.unreadable(why)
    }
    const alone = { ...context, documentUri: answer.url, messageUri: 'content', isAlone: true, unreadable }
    return parseEntry(root, alone).body()
  } catch {
    // Whatever calls itself XML and is none is the message as it was sent.
    return undefined
  }
}
