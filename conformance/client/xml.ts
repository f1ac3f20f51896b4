import { DOMParser, type Document, type Element, type Node } from '@xmldom/xmldom'
import { Buffer } from './bytes.js'
import type { ForeignMarkup } from './foreign-markup.js'

/** A document that is not well-formed XML; the message is a sentence about it. */
export class MalformedXml extends Error {
  override readonly name = 'MalformedXml'
}

/** A document that would take a parser memory and time without end. */
export class ExcessiveXml extends MalformedXml {}

/** One of which that can be said for its length alone. */
export class LongXml extends ExcessiveXml {}

// XML 1.0 knows two line ends; the parser's own default also turns U+0085 and U+2028 into one, as XML 1.1 does.
const XML_10_LINE_ENDS = /\r\n?/g
const ILLEGAL = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u
// The parser lets these pass, as browsers do; they are what a server writes that forgets to escape.
const UNESCAPED_AMPERSAND = /&(?!#\d+;|#x[\da-f]+;|[^\s&;<#]+;)/i
const OWN_ENTITY = /&(?!#|(?:amp|lt|gt|quot|apos);)[^\s&;<]{1,60};/
/** Deeper and more markup than any feed of a run has: a parser would take memory and time without end for it. */
const MAX_DEPTH = 200
const MAX_MARKUP = 80_000
const MAX_REFERENCES = 300_000
const MAX_ATTRIBUTES = 60_000
const MAX_ATTRIBUTES_OF_ONE = 100
/** A parser copies all namespaces that are in scope for each element that declares some. */
const MAX_NAMESPACES_OF_ONE = 20
const MAX_DECLARATION = 64 * 1024
/** Characters of a document that a sentence about it quotes. */
const QUOTED = 120
const SLASH = 0x2f
const DECLARED_ENCODING = /^<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.:-]*)["']/
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)"?/i

/**
 * Parses bytes as XML 1.0 with namespaces. Entities that a DOCTYPE declares are never expanded, nor is anything
 * that it names fetched.
 *
 * @param onMarkup is told how much markup a parser has to go through: tags, attributes and the like
 * @param foreign leaves out what nobody reads
 * @throws {MalformedXml} where a strict parser would stop
 */
export function parseXml(
  bytes: Uint8Array,
  contentType: string | undefined,
  onMarkup?: (pieces: number) => void,
  foreign?: Pick<ForeignMarkup, 'trim'>,
): Document {
  const all = decode(bytes, contentType)
  if (all.trim() === '') throw new MalformedXml('the document is empty')
  const illegal = ILLEGAL.exec(all)
  if (illegal) throw new MalformedXml(`the document holds ${codePoint(illegal[0])}, which XML does not allow`)
  const pieces = scan(all)
  const { text, parsed } = foreign?.trim(all) ?? { text: all, parsed: () => {} }
  onMarkup?.(text === all ? pieces : scan(text))
  let problem: string | undefined
  const parser = new DOMParser({
    locator: false,
    normalizeLineEndings: (source) => source.replace(XML_10_LINE_ENDS, '\n'),
    onError: (_level, message) => {
      // U+FFFD is a character like any other: decoding has already refused bytes that are none.
      if (message.startsWith('Unicode replacement character')) return
      problem ??= message
      throw new MalformedXml(message)
    },
  })
  let document: Document
  try {
    document = parser.parseFromString(text, 'application/xml')
  } catch (error) {
    if (problem === undefined)
      throw new MalformedXml(`the document cannot be parsed: ${(error as Error).message}`)
    throw new MalformedXml(problem + placeOf(text))
  }
  const root = document.documentElement
  if (!root) throw new MalformedXml('the document has no root element')
  const referred = text.includes('&#') && ILLEGAL.exec(root.textContent!)
  if (referred) {
    throw new MalformedXml(`the document refers to ${codePoint(referred[0])}, which XML does not allow`)
  }
  parsed()
  return document
}

/** Which limit a document of XML is beyond, in words; undefined of one that is not, or that is none. */
export function excessIn(bytes: Uint8Array, contentType: string | undefined): string | undefined {
  const isXml =
    /[+/]xml$/.test(essence(contentType)) ||
    Buffer.from(bytes.subarray(0, 64)).toString().trimStart().startsWith('<')
  if (!isXml) return undefined
  try {
    scan(decode(bytes, contentType))
  } catch (error) {
    if (error instanceof ExcessiveXml) return error.message
  }
  return undefined
}

/** Where a parser stops in a document that it does not like, in words. Only then are places worth the time they take. */
function placeOf(text: string): string {
  let place: { readonly lineNumber: number; readonly columnNumber: number } | undefined
  try {
    new DOMParser({
      onError: (_level, message, context) => {
        if (message.startsWith('Unicode replacement character')) return
        place = context?.locator
        throw new MalformedXml(message)
      },
    }).parseFromString(text, 'application/xml')
  } catch {}
  if (place === undefined) return ''
  const begun =
    text
      .replace(XML_10_LINE_ENDS, '\n')
      .split('\n')
      [place.lineNumber - 1]?.slice(place.columnNumber - 1) ?? ''
  return begun === '' ? '' : ` (line ${place.lineNumber}: ${begun.slice(0, QUOTED)})`
}

/**
 * Goes through the markup once, before a parser does.
 *
 * @returns how many tags, attributes, comments, instructions and pieces of CDATA there are
 * @throws {MalformedXml} for what a parser lets pass, and for a document that would take it memory and time without end
 */
function scan(text: string): number {
  let depth = 0
  let pieces = 0
  let references = 0
  let attributes = 0
  let declaresEntities = false
  const hasReferences = text.includes('&')
  const hasEnds = text.includes(']]>')
  const after = (end: string, from: number, what: string): number => {
    const at = text.indexOf(end, from)
    if (at < 0) throw new MalformedXml(`the document has ${what} without an end`)
    return at + end.length
  }
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('<', at)
    const open = found < 0 ? text.length : found
    const content = text.slice(at, open)
    if (declaresEntities) refuseEntities(content)
    if (hasReferences || hasEnds) {
      refuseUnescaped(content, true)
      references += referencesIn(content)
      if (references > MAX_REFERENCES) {
        throw new ExcessiveXml(`the document has more than ${MAX_REFERENCES} references`)
      }
    }
    if (text.startsWith('<!--', open)) at = after('-->', open + 4, 'a comment')
    else if (text.startsWith('<![CDATA[', open)) at = after(']]>', open + 9, 'CDATA')
    else if (text.startsWith('<?', open)) at = after('?>', open + 2, 'an instruction')
    else if (text.startsWith('<!', open)) {
      const plain = after('>', open, 'a declaration')
      const subset = text.slice(open, plain).indexOf('[')
      at = subset < 0 ? plain : after('>', after(']', open + subset, 'a declaration'), 'a declaration')
      if (at - open > MAX_DECLARATION) {
        throw new ExcessiveXml(`the document has a declaration of more than ${MAX_DECLARATION} characters`)
      }
      declaresEntities ||= text.slice(open, at).includes('<!ENTITY')
    } else if (open < text.length) {
      const tag = endOfTag(text, open)
      at = tag.end
      attributes += tag.attributes
      if (tag.attributes > MAX_ATTRIBUTES_OF_ONE || attributes > MAX_ATTRIBUTES) {
        throw new ExcessiveXml(
          `the document has more than ${MAX_ATTRIBUTES_OF_ONE} attributes in a tag, or ${MAX_ATTRIBUTES} in all`,
        )
      }
      if (tag.attributes > MAX_NAMESPACES_OF_ONE) refuseNamespaces(text.slice(open, at))
      if (hasReferences) refuseUnescaped(text.slice(open, at), false)
      if (declaresEntities) refuseEntities(text.slice(open, at))
      if (text.charCodeAt(open + 1) === SLASH) depth -= 1
      else if (text.charCodeAt(at - 2) !== SLASH) depth += 1
    } else return pieces + attributes
    pieces += 1
    if (pieces > MAX_MARKUP) throw new LongXml(`the document has more than ${MAX_MARKUP} pieces of markup`)
    if (depth > MAX_DEPTH) throw new ExcessiveXml(`the document is nested deeper than ${MAX_DEPTH} elements`)
  }
  return pieces + attributes
}

function refuseNamespaces(tag: string): void {
  if (tag.split('xmlns').length <= MAX_NAMESPACES_OF_ONE) return
  throw new ExcessiveXml(`the document has a tag with ${MAX_NAMESPACES_OF_ONE} namespaces`)
}

function referencesIn(text: string): number {
  let references = 0
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) references += 1
  return references
}

/** Where a tag is over: a `>` in the value of an attribute does not end it. */
export function endOfTag(text: string, open: number): { readonly end: number; readonly attributes: number } {
  let attributes = 0
  for (let at = open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x3e) return { end: at + 1, attributes }
    if (code !== 0x22 && code !== 0x27) continue
    const closing = text.indexOf(text[at]!, at + 1)
    if (closing < 0) break
    at = closing
    attributes += 1
  }
  throw new MalformedXml(`the document has a tag without an end (${text.slice(open, open + QUOTED)})`)
}

function refuseEntities(text: string): void {
  const reference = OWN_ENTITY.exec(text)?.[0]
  if (reference === undefined) return
  throw new ExcessiveXml(
    `the document refers to ${reference}, an entity of its own, which the kit does not expand`,
  )
}

function refuseUnescaped(text: string, isContent: boolean): void {
  if (UNESCAPED_AMPERSAND.test(text)) {
    throw new MalformedXml('the document holds a & that begins no reference')
  }
  if (isContent && text.includes(']]>')) throw new MalformedXml('the document holds ]]> outside of CDATA')
}

/** Child elements, of one namespace and local name where these are given. */
export function childElements(parent: Element, namespace?: string, name?: string): Element[] {
  const found: Element[] = []
  let next = nextElement(parent.firstChild, namespace, name)
  for (; next; next = nextElement(next.nextSibling, namespace, name)) found.push(next)
  return found
}

/** The first child element of a namespace and local name. A feed has its own before its many entries. */
export function firstElement(parent: Element, namespace: string, name: string): Element | undefined {
  return nextElement(parent.firstChild, namespace, name)
}

function nextElement(from: Node | null, namespace?: string, name?: string): Element | undefined {
  for (let node = from; node; node = node.nextSibling) {
    if (node.nodeType !== node.ELEMENT_NODE) continue
    const element = node as Element
    if (namespace !== undefined && element.namespaceURI !== namespace) continue
    if (name !== undefined && element.localName !== name) continue
    return element
  }
  return undefined
}

/** The media type of a `Content-Type`, in lower case, without its parameters. */
export function essence(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase()
}

// In the order of RFC 7303: the byte order mark, the charset parameter, the XML declaration, UTF-8.
function decode(bytes: Uint8Array, contentType: string | undefined): string {
  const label =
    markedEncoding(bytes) ??
    CHARSET.exec(contentType ?? '')?.[1] ??
    DECLARED_ENCODING.exec(Buffer.from(bytes.subarray(0, 256)).toString('latin1'))?.[1] ??
    'utf-8'
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    throw new MalformedXml(`the document's bytes are not ${label}`)
  }
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return undefined
}

function codePoint(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}
