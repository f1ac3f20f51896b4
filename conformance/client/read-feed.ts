import type { Exchange } from './exchange.js'
import type { Entry, Feed } from './feed.js'
import { type FeedContext, type FeedPage, parseFeedPage } from './parse-feed.js'

/** More pages than any check fills: nobody can say of a feed that goes on beyond whether it has an end. */
const MAX_PAGES = 2000
/** Of a target that means harm no more are read. */
const FEW_PAGES = 10
/** More than any check fills, in all pages of a feed together. */
const MAX_ENTRIES = 30_000
const MAX_BYTES = 48 * 1024 * 1024

/**
 * Reads a feed with all its pages (`rel="next"`, RFC 5005 section 3). A `Link` field may lead to what is next in any other sense: what
 * only such a field names is a page where it is a feed of the same id, or at the same path, and was not read before.
 *
 * @returns the feed, or a sentence that says why there is none
 */
export async function readFeed(uri: string, context: FeedContext): Promise<Feed | string> {
  const pages: Exchange[] = []
  const entries: Entry[] = []
  const read: FeedPage[] = []
  const asked = new Set<string>()
  let bytes = 0
  const excess = (what: string) => {
    const told = `GET ${uri} gave a feed ${what}`
    context.onExcess?.(told)
    return told
  }
  let next: string | undefined = uri
  let isGuess = false
  while (next !== undefined) {
    asked.add(next)
    const answer = await context.get(next)
    const page = parseFeedPage(answer, context)
    if (isGuess && (typeof page === 'string' || page.id !== read[0]!.id)) {
      context.notPages?.add(next)
      break
    }
    if (typeof page === 'string') return `GET ${next} gave ${page}`
    pages.push(answer)
    entries.push(...page.entries)
    read.push(page)
    const { mayBeNext } = page
    const isNamed =
      page.next !== undefined ||
      mayBeNext === undefined ||
      asked.has(mayBeNext) ||
      context.notPages?.has(mayBeNext)
    next = isNamed ? page.next : mayBeNext
    isGuess = !isNamed && pathOf(mayBeNext) !== pathOf(uri)
    bytes += answer.body.length
    if (next === undefined) break
    if (asked.has(next))
      return `GET ${uri} gave a feed whose pages do not end: page ${pages.length} leads to ${next}`
    if (asked.size >= (context.isHarmful?.() ? FEW_PAGES : MAX_PAGES)) {
      const long = excess(`of more than ${asked.size} pages, which were not read to their end`)
      context.onEndless?.(long)
      return long
    }
    if (entries.length > MAX_ENTRIES || bytes > MAX_BYTES)
      return excess(`of more than ${entries.length} entries in ${bytes} bytes`)
  }
  const { id, title, updated, links } = read[0]!
  return {
    ...{ uri, id, title, updated, links, entries, pages },
    isAtom: read.every((page) => page.isAtom),
    sizes: read.map((page) => page.entries.length),
    get problems() {
      return read.flatMap(({ problems, entries }, index) =>
        [...problems, ...repeatedIds(entries)].map((each) =>
          index === 0 ? each : `page ${index + 1}: ${each}`,
        ),
      )
    },
  }
}

function pathOf(uri: string): string {
  return uri.replace(/[?#].*/s, '')
}

/** RFC 4287 asks for unique ids within a document: the pages of a feed that changes meanwhile may overlap. */
function repeatedIds(entries: readonly Entry[]): string[] {
  const times = new Map<string, number>()
  for (const { id } of entries) if (id !== '') times.set(id, (times.get(id) ?? 0) + 1)
  return [...times]
    .filter(([, count]) => count > 1)
    .map(([id, count]) => `${count} entries have the id ${id}`)
}
