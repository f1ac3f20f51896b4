import type { Element } from '@xmldom/xmldom'
import { answered } from './answered.js'
import { ATOM, readLinks, readText, rootInAtom } from './atom.js'
import type { Buffer } from './bytes.js'
import { type Exchange, succeeded } from './exchange.js'
import type { Feed } from './feed.js'
import { feedProblems } from './feed-problems.js'
import type { ForeignMarkup } from './foreign-markup.js'
import { headerLinks } from './link-header.js'
import { type EntryContext, parseEntry } from './parse-entry.js'
import { childElements, ExcessiveXml, essence, LongXml, MalformedXml } from './xml.js'

/** One document of a feed. */
export interface FeedPage extends Omit<Feed, 'uri' | 'pages' | 'sizes'> {
  /** Absolute address of the page that follows; undefined at the end. */
  readonly next: string | undefined
  /** Where the document itself names no page that follows: an address that a `Link` field says is next, of whatever. */
  readonly mayBeNext: string | undefined
}

/** What an answer was parsed into. */
interface ParsedFeed {
  readonly body: Buffer
  readonly markup: number
  readonly contentType: string | undefined
  readonly root: Element
  /** That of its root; null of none. */
  readonly namespace: string | null
  /** Found when they are first asked for: most readings of a feed are not about its form. */
  problems?: readonly string[]
}

/** The documents that addresses gave when they were last read: most feeds that are asked again have not changed. */
export type KnownFeeds = Map<string, ParsedFeed>

/** A longer document is parsed anew each time: parsed, it takes many times its bytes. */
const MOST_KNOWN = 256 * 1024
/** So is one with more markup: each piece of it takes about half a kilobyte. */
const MOST_KNOWN_MARKUP = 10_000

/** What 204 says: a feed without entries, in a form that is not Atom's. */
const NOTHING: FeedPage = {
  ...{ id: '', title: '', updated: '', links: [], entries: [], next: undefined, mayBeNext: undefined },
  problems: ['no feed, but 204'],
  isAtom: false,
}

/** What reading a feed needs to know of its surroundings. */
export interface FeedContext extends Omit<EntryContext, 'documentUri'> {
  readonly known?: KnownFeeds
  /** Leaves out foreign elements that were read before. */
  readonly foreign?: ForeignMarkup
  /** Addresses that were named as next and turned out to be no pages. */
  readonly notPages?: Set<string>
  /** Whether the target's answers know no measure. */
  readonly isHarmful?: () => boolean
  /** Is told which limit of the kit's own an answer has met. */
  readonly onExcess?: (limit: string) => void
  /** Is told of a document that is too long to be read, before {@link onExcess}; what it throws is thrown on. */
  readonly onLong?: (what: string) => void
  /** Is told how much markup a document has, before it is parsed; what it throws is thrown on. */
  readonly onMarkup?: (pieces: number) => void
  /** Is told how much markup a document had that was parsed, and the ids of its entries. */
  readonly onParsed?: (pieces: number, ids: readonly string[]) => unknown
  /** Is told of a feed of which nobody can say whether it has an end; what it throws is thrown on. */
  readonly onEndless?: (what: string) => void
}

/**
 * Reads the answer to a GET as a page of an Atom feed. An answer of another media type is read too, if it
 * is a feed by its content: that is one of its `problems` and hides nothing else.
 *
 * @returns the page, or a sentence that says why there is none
 */
export function parseFeedPage(answer: Exchange, context: FeedContext): FeedPage | string {
  if (answer.error !== undefined) return answer.error
  if (!succeeded(answer)) return answered(answer)
  if (answer.status === 204) return NOTHING
  const known = context.known?.get(answer.url)
  const parsed = known && isSame(known, answer) ? known : parseAnswer(answer, context)
  if (typeof parsed === 'string') return parsed
  if (parsed.body.length <= MOST_KNOWN && parsed.markup <= MOST_KNOWN_MARKUP)
    context.known?.set(answer.url, parsed)
  const { root } = parsed
  const links = readLinks(root, answer.url)
  const entries = childElements(root, ATOM, 'entry')
  if (parsed !== known)
    context.onParsed?.(
      parsed.markup,
      entries.map((entry) => readText(entry, 'id')),
    )
  return {
    id: readText(root, 'id'),
    title: readText(root, 'title'),
    updated: readText(root, 'updated'),
    links,
    entries: entries.map((entry) => parseEntry(entry, { ...context, documentUri: answer.url })),
    isAtom: parsed.namespace === ATOM,
    get problems() {
      parsed.problems ??= problemsOf(parsed)
      return parsed.problems
    },
    next: links.find((link) => link.rel === 'next')?.href,
    mayBeNext: headerLinks(answer).find(({ rels }) => rels.includes('next'))?.href,
  }
}

function isSame({ body, contentType }: ParsedFeed, answer: Exchange): boolean {
  return contentType === answer.headers['content-type'] && body.equals(answer.body)
}

function parseAnswer(
  { body, headers }: Exchange,
  { onExcess, onLong, onMarkup, foreign }: FeedContext,
): ParsedFeed | string {
  const contentType = headers['content-type']
  const coding = headers['content-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'identity')
    return `a body in the content coding ${coding.slice(0, 40)}, which the kit does not read and did not ask for`
  let markup = 0
  const note = (pieces: number) => {
    markup += pieces
    onMarkup?.(pieces)
  }
  try {
    const { root, namespace } = rootInAtom(body, contentType, note, foreign)
    if (root.namespaceURI !== ATOM || root.localName !== 'feed')
      return `a document with the root element ${root.nodeName} instead of an Atom feed`
    return { body, markup, contentType, root, namespace }
  } catch (error) {
    if (!(error instanceof MalformedXml)) throw error
    if (error instanceof LongXml) onLong?.(error.message)
    if (error instanceof ExcessiveXml) onExcess?.(error.message)
    return `a body that is no well-formed XML: ${(error as Error).message}`
  }
}

function problemsOf({ root, contentType, namespace }: ParsedFeed): string[] {
  const problems = feedProblems(root)
  if (essence(contentType) !== 'application/atom+xml') {
    problems.unshift(`the feed is served as ${contentType ?? 'nothing'} and not as application/atom+xml`)
  }
  if (namespace !== ATOM)
    problems.unshift(
      `its elements are in ${namespace === null ? 'no namespace' : `the namespace ${namespace}`}`,
    )
  return problems
}
