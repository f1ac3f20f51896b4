import type { Element } from '@xmldom/xmldom'
import { ATOM, relation, XHTML } from './atom.js'
import { contentForm, decodeBase64 } from './content.js'
import { childElements } from './xml.js'

const ABSOLUTE_IRI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`]+$/
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;.*)?$/s
const TEXT_TYPES = ['text', 'html', 'xhtml']
const ONCE_IN_FEED = ['generator', 'icon', 'logo', 'rights', 'subtitle']
const ONCE_IN_ENTRY = ['content', 'published', 'rights', 'source', 'summary']

/** What RFC 4287 says that a feed document MUST be and this one is not, as sentences. */
export function feedProblems(feed: Element): string[] {
  const entries = childElements(feed, ATOM, 'entry')
  const hasAuthor = childElements(feed, ATOM, 'author').length > 0
  const problems = [...containerProblems(feed, ONCE_IN_FEED)].map((each) => `the feed ${each}`)
  entries.forEach((entry, index) => {
    const id = childElements(entry, ATOM, 'id')[0]?.textContent
    const name = `entry ${index + 1}${id ? ` (${id.trim()})` : ''}`
    const own = [...containerProblems(entry, ONCE_IN_ENTRY), ...contentProblems(entry)]
    if (!hasAuthor && !entryHasAuthor(entry)) own.push('has no author, and neither has the feed')
    problems.push(...own.map((each) => `${name} ${each}`))
  })
  return problems
}

/** RFC 4287 sections 4.1.1 and 4.1.2, as far as they are alike. */
function* containerProblems(container: Element, atMostOnce: readonly string[]): Generator<string> {
  for (const name of ['id', 'title', 'updated']) {
    const count = childElements(container, ATOM, name).length
    if (count !== 1) yield count === 0 ? `has no ${name}` : `has ${count} of ${name}`
  }
  for (const name of atMostOnce) {
    const count = childElements(container, ATOM, name).length
    if (count > 1) yield `has ${count} of ${name}`
  }
  for (const id of childElements(container, ATOM, 'id')) {
    if (!ABSOLUTE_IRI.test(id.textContent!)) yield `has the id "${id.textContent}", which is no absolute IRI`
  }
  for (const name of ['updated', 'published']) {
    for (const date of childElements(container, ATOM, name)) {
      if (!isRfc3339(date.textContent!)) {
        yield `has ${name} "${date.textContent}", which is no date and time of RFC 3339`
      }
    }
  }
  for (const name of ['title', 'subtitle', 'summary', 'rights']) {
    for (const text of childElements(container, ATOM, name)) {
      const type = text.getAttribute('type')
      if (type !== null && !TEXT_TYPES.includes(type)) yield `has a ${name} of the type "${type}"`
      else if (type === 'xhtml' && !isOneDiv(text)) yield `has an XHTML ${name} that is not one div`
      else if (type !== 'xhtml' && childElements(text).length > 0)
        yield `has a ${name} with elements inside its text`
    }
  }
  for (const role of ['author', 'contributor']) {
    for (const person of childElements(container, ATOM, role)) {
      if (childElements(person, ATOM, 'name').length !== 1) yield `has a ${role} without exactly one name`
    }
  }
  for (const category of childElements(container, ATOM, 'category')) {
    if (category.getAttribute('term') === null) yield 'has a category without a term'
  }
  yield* linkProblems(container)
}

/** Section 4.2.7: every link leads somewhere; at most one alternate of each type and language. */
function* linkProblems(container: Element): Generator<string> {
  const alternates = new Set<string>()
  for (const link of childElements(container, ATOM, 'link')) {
    if (link.getAttribute('href') === null) yield 'has a link without href'
    if (relation(link.getAttribute('rel')) !== 'alternate') continue
    const kind = `type "${link.getAttribute('type') ?? ''}" and language "${link.getAttribute('hreflang') ?? ''}"`
    if (alternates.has(kind)) yield `has two alternate links of ${kind}`
    alternates.add(kind)
  }
}

/** Sections 4.1.2 and 4.1.3: what an entry's content may be, and what must stand beside it. */
function* contentProblems(entry: Element): Generator<string> {
  const content = childElements(entry, ATOM, 'content')[0]
  if (!content) {
    const links = childElements(entry, ATOM, 'link')
    const alternate = links.some((link) => relation(link.getAttribute('rel')) === 'alternate')
    if (!alternate) yield 'has neither content nor an alternate link'
    return
  }
  const type = content.getAttribute('type')
  const isText = type === null || TEXT_TYPES.includes(type)
  if (!isText && !MEDIA_TYPE.test(type)) {
    yield `has content of the type "${type}", which is no media type`
    return
  }
  const hasSummary = childElements(entry, ATOM, 'summary').length > 0
  if (content.getAttribute('src') !== null) {
    if (type !== null && isText) yield `has content with a src and the type "${type}", which is no media type`
    if (content.firstChild) yield 'has content with a src that is not empty'
    if (!hasSummary) yield 'has content elsewhere (src) and no summary'
    return
  }
  const children = childElements(content)
  const form = contentForm(type)
  if (form === 'xhtml') {
    if (!isOneDiv(content)) yield 'has XHTML content that is not one div'
  } else if (form !== 'xml' && children.length > 0) {
    yield `has ${form} content with elements inside`
  }
  if (form === 'base64') {
    if (decodeBase64(content.textContent!) === undefined) yield 'has content that should be Base64 and is not'
    if (!hasSummary) yield 'has Base64 content and no summary'
  }
}

/** Section 3.1.1.3: XHTML stands in one `div`. */
function isOneDiv(element: Element): boolean {
  return childElements(element).length === 1 && childElements(element, XHTML, 'div').length === 1
}

function entryHasAuthor(entry: Element): boolean {
  const source = childElements(entry, ATOM, 'source')[0]
  return [entry, ...(source ? [source] : [])].some((each) => childElements(each, ATOM, 'author').length > 0)
}

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/**
 * Whether a text is a `date-time` of RFC 3339, in the stricter form that RFC 4287 section 3.3 asks for: `T` and `Z`
 * in upper case, a time zone, nothing around it. The 60th second is one: some minutes are that long.
 */
export function isRfc3339(text: string): boolean {
  const parts = DATE_TIME.exec(text)
  if (!parts) return false
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 60) return false
  // Day 0 of the next month is the last day of this one; setUTCFullYear, since Date.UTC takes year 50 for 1950.
  const last = new Date(0)
  last.setUTCFullYear(year, month, 0)
  return day >= 1 && day <= last.getUTCDate()
}
