import type { Element } from '@xmldom/xmldom'
import { Buffer } from './bytes.js'
import type { Link } from './feed.js'
import type { ForeignMarkup } from './foreign-markup.js'
import { parseUrl } from './url.js'
import { childElements, firstElement, parseXml } from './xml.js'

/** The namespace of RFC 4287. */
export const ATOM = 'http://www.w3.org/2005/Atom'
export const XHTML = 'http://www.w3.org/1999/xhtml'
const XML = 'http://www.w3.org/XML/1998/namespace'
const REGISTERED_RELATIONS = 'http://www.iana.org/assignments/relation/'

/**
 * The root of a document, and its own namespace: a feed or an entry in another than Atom's, as in that of an older Atom, or in none, is
 * read as if it were in Atom's.
 *
 * @throws {MalformedXml} as {@link parseXml}
 */
export function rootInAtom(
  body: Buffer,
  contentType: string | undefined,
  onMarkup?: (pieces: number) => void,
  foreign?: Pick<ForeignMarkup, 'trim'>,
): { readonly root: Element; readonly namespace: string | null } {
  const root = parseXml(body, contentType, onMarkup, foreign).documentElement!
  const namespace = root.namespaceURI
  const { localName } = root
  if (namespace === ATOM || (localName !== 'feed' && localName !== 'entry')) return { root, namespace }
  const text = body.toString('latin1')
  const written = Buffer.from(namespace ?? '').toString('latin1')
  const renamed =
    namespace === null
      ? text.replace(`<${localName}`, `<${localName} xmlns="${ATOM}"`)
      : text.replaceAll(`"${written}"`, `"${ATOM}"`).replaceAll(`'${written}'`, `'${ATOM}'`)
  return { root: parseXml(Buffer.from(renamed, 'latin1'), contentType, onMarkup).documentElement!, namespace }
}

/** A reference made absolute; undefined where it is none, or longer than the kit reads. */
export function resolve(reference: string, base: string): string | undefined {
  return parseUrl(reference, base)?.href
}

// Each link of a long document asks for the same ones.
const bases = new WeakMap<Element, string>()

/** The base of the references in an element: every `xml:base` from the root down to it, on the document's address. */
export function baseOf(element: Element, documentUri: string): string {
  const parent = element.parentNode
  const known = bases.get(element)
  if (known !== undefined) return known
  const outer =
    parent && parent.nodeType === parent.ELEMENT_NODE ? baseOf(parent as Element, documentUri) : documentUri
  const own = element.getAttributeNS(XML, 'base')
  const base = own === null ? outer : (resolve(own, outer) ?? outer)
  bases.set(element, base)
  return base
}

/** Link relations registered with IANA have a short and an IRI form, which are one (RFC 4287 section 4.2.7.2). */
export function relation(rel: string | null): string {
  if (rel === null || rel === '') return 'alternate'
  return rel.startsWith(REGISTERED_RELATIONS) ? rel.slice(REGISTERED_RELATIONS.length) : rel
}

/** The links of a feed or an entry; those without a usable `href` are left out. */
export function readLinks(parent: Element, documentUri: string): Link[] {
  const links: Link[] = []
  for (const element of childElements(parent, ATOM, 'link')) {
    const written = element.getAttribute('href')
    const href = written === null ? undefined : resolve(written, baseOf(element, documentUri))
    if (href === undefined) continue
    links.push({
      rel: relation(element.getAttribute('rel')),
      href,
      type: element.getAttribute('type') ?? undefined,
    })
  }
  return links
}

/** The text of the first child of this name, without white space around it; empty where there is none. */
export function readText(parent: Element, name: string): string {
  const element = firstElement(parent, ATOM, name)
  return element ? textOf(element).trim() : ''
}

/** The text of a text construct: of the `div` inside it where it is XHTML. */
export function textOf(element: Element): string {
  if (element.getAttribute('type') !== 'xhtml') return element.textContent!
  return (firstElement(element, XHTML, 'div') ?? element).textContent!
}
