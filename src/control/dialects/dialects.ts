import type { Request } from '../../http/exchange.js'
import {
  type Element,
  isElement,
  isEntry,
  type Node,
  readDocument,
  readEntry,
  type Style,
  writeDocument,
  written,
} from './element.js'

/**
 * Ways to write the same Atom documents, each with what is otherwise in it. A client that reads Atom, and not the bytes of one
 * server, notices none of them.
 *
 * @example
 * ```ts
 * const names = Object.keys(DIALECTS)
 * ```
 */
export const DIALECTS = {
  plain: 'as this server writes by itself',
  prefixed: 'every name has a prefix, and none is the usual one',
  cdata: 'texts are CDATA sections, values stand in single quotes, and have references to characters',
  based: 'addresses are relative to an `xml:base`',
  reordered: 'what an entry, or the head of a feed, has comes in another order, attributes too',
  foreign: 'there are elements and attributes of other namespaces, links of other kinds, and comments',
  paged: 'each page of a feed has one entry, and a link to the next',
  all: 'all of these at once',
} as const

/**
 * One of {@link DIALECTS}.
 *
 * @example
 * ```ts
 * const dialect: Dialect = 'prefixed'
 * ```
 */
export type Dialect = keyof typeof DIALECTS

export const DIALECT_NAMES = Object.keys(DIALECTS) as Dialect[]

/** Which of them changes what. */
function has(dialect: Dialect, one: Dialect): boolean {
  return dialect === one || dialect === 'all'
}

/**
 * A document of the broker, told otherwise.
 *
 * @param request what it answers: of a feed in pages of one entry, its query says which
 */
export function inDialect(document: string, dialect: Dialect, request: Pick<Request, 'query'>): string {
  const style: Style = {
    ...PLAIN,
    ...(has(dialect, 'prefixed') && PREFIXED),
    ...(has(dialect, 'cdata') && REFERENCES),
  }
  const whole = readDocument(document)
  const isPaged = has(dialect, 'paged') && whole.name === 'feed'
  const read = isPaged ? paged(whole, request.query.get(AFTER)) : whole
  const base = has(dialect, 'based') ? baseOfOwn(read) : ''
  /** @param outer the base that an element stands in */
  const told = (element: Element, outer: string) => {
    let changed = has(dialect, 'based') ? based(element, outer) : element
    if (has(dialect, 'foreign')) changed = withForeign(changed)
    return has(dialect, 'reordered') ? reordered(changed) : changed
  }
  const root = told(read, '')
  const children = root.children.map((child) =>
    isEntry(child) ? written(told(readEntry(child), base || '/'), style) : child,
  )
  return writeDocument({ ...root, children }, style)
}

const same = (text: string) => text

const PLAIN: Style = { element: same, attribute: same, text: same, value: (value) => `"${value}"` }

const PREFIXED: Pick<Style, 'element' | 'attribute'> = {
  element: (name) => (name.includes(':') ? `x-${name}` : `a:${name}`),
  attribute: (name) => {
    if (name === 'xmlns') return 'xmlns:a'
    if (name.startsWith('xmlns:')) return `xmlns:x-${name.slice(6)}`
    return name.includes(':') && !name.startsWith('xml:') ? `x-${name}` : name
  },
}

const REFERENCES: Pick<Style, 'text' | 'value'> = {
  text: (text) =>
    text.trim() === ''
      ? text
      : text
          .split(/(&#\d+;)/)
          .map(sectionOf)
          .join(''),
  value: (value) =>
    `'${value.replaceAll('&amp;', '&#38;').replaceAll("'", '&#39;').replaceAll('/', '&#x2f;')}'`,
}

const NAMED: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }

/** What is a reference to a character has to stay one: a line end would be read as another. */
function sectionOf(text: string): string {
  if (text === '' || text.startsWith('&#')) return text
  const raw = text.replaceAll(/&(?:amp|lt|gt);/g, (name) => NAMED[name] as string)
  return `<![CDATA[${raw.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
}

/** The parameter of the query that says behind which entry a page begins. */
const AFTER = 'after-entry'

/** One entry of a feed, and a link to the next. Where the one before is gone, what follows is not known: it begins anew. */
function paged(root: Element, after: string | null): Element {
  const entries = root.children.filter(isEntry)
  const index = after === null ? -1 : entries.findIndex((entry) => idOf(entry) === after)
  const entry = entries[index + 1]
  const hasNext = entries.length > index + 2
  const children = root.children.flatMap((child): readonly Node[] => {
    if (isEntry(child)) return child === entry ? [child] : []
    if (!isElement(child, 'link')) return [child]
    const rel = child.attributes.get('rel')
    if (rel === 'next' && hasNext) return []
    if (rel !== 'self') return [child]
    const self = after === null ? child : behind(child, 'self', after)
    return hasNext ? [self, '\n  ', behind(child, 'next', idOf(entry as string))] : [self]
  })
  return { ...root, children }
}

function idOf(entry: string): string {
  return /<id>([^<]*)/.exec(entry)?.[1] as string
}

function behind(self: Element, rel: string, id: string): Element {
  const href = self.attributes.get('href') as string
  const query = `${href.includes('?') ? '&amp;' : '?'}${AFTER}=${id}`
  return { ...self, attributes: new Map([...self.attributes, ['rel', rel], ['href', href + query]]) }
}

/** What is not of Atom has to be looked over (RFC 4287 section 6.3), and looks much like it here. */
function withForeign(element: Element): Element {
  const children = element.children.map((child) =>
    isElement(child, 'workspace') ? withForeign(child) : child,
  )
  const isAtom = element.name === 'feed' || element.name === 'entry'
  const foreign: Node[] = [
    '<!-- <entry><link rel="edit" href="/nowhere"/></entry> -->',
    '<?other <entry?>',
    elementOf(
      'o:entry',
      { 'xmlns:o': 'urn:example:other' },
      elementOf('o:id', {}, 'urn:example:other:1'),
      elementOf('o:link', { rel: 'edit', href: '/nowhere' }),
    ),
    ...(isAtom ? [elementOf('link', { rel: 'urn:example:other', href: '/nowhere' })] : []),
  ]
  const attributes = new Map([
    ...element.attributes,
    ['xmlns:other', 'urn:example:other'],
    ['other:href', '/nowhere'],
  ])
  return { ...element, attributes, children: [...foreign, ...children] }
}

function elementOf(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Node[]
): Element {
  return { name, attributes: new Map(Object.entries(attributes)), children }
}

const ADDRESSES = ['href', 'src']

/**
 * Makes addresses relative to an `xml:base` (RFC 4287 section 2): that of a feed is a path, that of an entry may be relative to
 * it.
 */
function based(element: Element, outer: string): Element {
  const base = baseOfOwn(element)
  const children = element.children.map((child) => (isElement(child) ? relative(child, base) : child))
  const told = outer !== '' && base.startsWith(outer) ? base.slice(outer.length) : base
  const attributes = new Map(told === '' ? [] : [['xml:base', told]])
  return { ...element, attributes: new Map([...element.attributes, ...attributes]), children }
}

/** That of what is no entry in it. */
function baseOfOwn({ children }: Element): string {
  return baseOf(children.flatMap((child) => (isElement(child) ? addressesOf(child) : [])))
}

function addressesOf({ attributes, children }: Element): string[] {
  const own = ADDRESSES.flatMap((name) => attributes.get(name) ?? [])
  return [...own, ...children.flatMap((child) => (isElement(child) ? addressesOf(child) : []))]
}

/** The folder that all addresses are in; empty where there are none. */
function baseOf(addresses: readonly string[]): string {
  const folders = addresses.map((address) =>
    address.slice(0, (address.split('?')[0] as string).lastIndexOf('/') + 1),
  )
  return folders.reduce((one, other) => {
    let length = 0
    while (length < one.length && one[length] === other[length]) length++
    return one.slice(0, one.slice(0, length).lastIndexOf('/') + 1)
  }, folders[0] ?? '')
}

function relative(element: Element, base: string): Element {
  if (base === '') return element
  const attributes = [...element.attributes].map(([name, value]): [string, string] => {
    if (!ADDRESSES.includes(name)) return [name, value]
    const rest = value.slice(base.length)
    // What has a colon before its first slash would be read as having a scheme.
    return [name, /^[^/?]*:|^$/.test(rest) ? `./${rest}` : rest]
  })
  const children = element.children.map((child) => (isElement(child) ? relative(child, base) : child))
  return { ...element, attributes: new Map(attributes), children }
}

/** The order of children means nothing (RFC 4287 section 4); but entries come last, in their own. */
function reordered(element: Element): Element {
  const attributes = new Map([...element.attributes].reverse())
  const children = element.children.map((child) => (isElement(child) ? reordered(child) : child))
  if (element.name !== 'feed' && element.name !== 'entry') return { ...element, attributes, children }
  const entries = children.filter(isEntry)
  const others = children.filter((child) => !isEntry(child)).reverse()
  return { ...element, attributes, children: [...others, ...entries] }
}
