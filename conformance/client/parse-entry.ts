import type { Element } from '@xmldom/xmldom'
import { ATOM, readLinks, readText } from './atom.js'
import { contentSource, inlineContent } from './content.js'
import type { Entry, Link } from './entry.js'
import { type Exchange, succeeded } from './exchange.js'
import { childElements, essence, firstElement, parseXml } from './xml.js'

/** What reading an entry needs to know of its surroundings. */
export interface EntryContext {
  /** Absolute address of the document that the entry stands in. */
  readonly documentUri: string
  /** Where the message's address stands: the profile's `messageUri`. */
  readonly messageUri: string
  /** Given on a target that is eventually consistent, where an entry may still be shown when its content is gone. */
  readonly linked?: LinkedContents | undefined
  /** GETs what stands outside of the entry. */
  get(uri: string): Promise<Exchange>
  /** Ends the reading of a body that cannot be had; the sentence says why, and whether the entry leads to none. */
  unreadable(why: string, isNowhere?: boolean): never
}

const ON_THE_WEB = /^https?:/i

// Where bytes stand that an entry without content only links to, best first.
const BODY_LINKS = ['edit-media', 'enclosure', 'alternate'] as const

/** What addresses of contents gave when they could be read last. */
export type LinkedContents = Map<string, Exchange>

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
    if (where === 'id') return this.id === '' ? undefined : this.id
    if (where === 'content') return this.contentUri
    const rel = where.slice('link[rel='.length, -1)
    return this.links.find((link) => link.rel === rel)?.href
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
    if (content && source === undefined) return inlineContent(content)
    if (source !== undefined) return (await getBody(source, this.#context, 'only')).body
    const ways = this.#waysToBody()
    let page: Buffer | undefined
    for (const [at, { uri, mayBeEntry }] of ways.entries()) {
      const answer = await getBody(uri, this.#context, at < ways.length - 1 ? 'more' : 'last')
      if (answer === undefined) continue
      const body = (mayBeEntry && entryContent(answer, this.#context)) || answer.body
      // Whoever looks at a message with a browser may be given a page about it.
      if (essence(answer.headers['content-type']) !== 'text/html') return body
      page ??= answer.body
    }
    return page ?? this.#context.unreadable('the entry has neither content nor a link to it', true)
  }

  /** Where the body of an entry without content may be, best first, and whether that is an address of the entry rather. */
  #waysToBody(): { uri: string; mayBeEntry: boolean }[] {
    const ways = BODY_LINKS.flatMap((rel) => {
      const link = this.links.find((each) => each.rel === rel && ON_THE_WEB.test(each.href))
      return link ? [{ uri: link.href, mayBeEntry: rel === 'alternate' }] : []
    })
    const { messageUri } = this
    const isNew =
      messageUri !== undefined && ON_THE_WEB.test(messageUri) && ways.every(({ uri }) => uri !== messageUri)
    return isNew ? [...ways, { uri: messageUri, mayBeEntry: true }] : ways
  }

  #content(): Element | undefined {
    return firstElement(this.#element, ATOM, 'content')
  }
}

/**
 * @param way `only` for what the entry says is its content, `more` for a link that need not lead to one, where there are
 *   others, and `last` for the last of them
 * @returns nothing where one of more does not lead there
 */
async function getBody(uri: string, context: EntryContext, way: 'only' | 'last'): Promise<Exchange>
async function getBody(
  uri: string,
  context: EntryContext,
  way: 'more' | 'last',
): Promise<Exchange | undefined>
async function getBody(
  uri: string,
  context: EntryContext,
  way: 'only' | 'more' | 'last',
): Promise<Exchange | undefined> {
  const answer = await context.get(uri)
  if (succeeded(answer)) {
    context.linked?.set(uri, answer)
    return answer
  }
  const isRefused = answer.status >= 400 && answer.status <= 499
  const before = context.linked?.get(uri)
  if (isRefused && way === 'more' && before === undefined) return undefined
  // With which 4xx, the document leaves to the target.
  if (context.linked && isRefused) {
    // The body of no message, and of no other entry either.
    return before ?? { ...answer, body: Buffer.from(`the content of ${uri} is gone`) }
  }
  return context.unreadable(
    `GET ${uri}, for an entry's content, gave ${answer.error ?? `status ${answer.status}`}`,
    isRefused && way === 'last',
  )
}

// The address of a message may answer with its entry, which then holds the body.
function entryContent(answer: Exchange, context: EntryContext): Promise<Buffer> | undefined {
  if (!/[+/]xml\b/.test(answer.headers['content-type'] ?? '')) return undefined
  try {
    const root = parseXml(answer.body, answer.headers['content-type']).documentElement
    if (!root || root.namespaceURI !== ATOM || root.localName !== 'entry') return undefined
    // With `content` as its message's address, an entry that again holds nothing leads nowhere else.
    return parseEntry(root, { ...context, documentUri: answer.url, messageUri: 'content' }).body()
  } catch {
    // Whatever calls itself XML and is none is the message as it was sent.
    return undefined
  }
}
