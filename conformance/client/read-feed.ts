import type { Entry } from './entry.js'
import type { Exchange } from './exchange.js'
import type { Feed } from './feed.js'
import { type FeedContext, type FeedPage, parseFeedPage } from './parse-feed.js'

/** More pages than any check fills: a feed that goes on beyond is taken to have no end. */
const MAX_PAGES = 500

/**
 * Reads a feed with all its pages (`rel="next"`, RFC 5005 section 3).
 *
 * @returns the feed, or a sentence that says why there is none
 */
export async function readFeed(uri: string, context: FeedContext): Promise<Feed | string> {
  const pages: Exchange[] = []
  const entries: Entry[] = []
  const read: FeedPage[] = []
  const asked = new Set<string>()
  let endless: string | undefined
  let next: string | undefined = uri
  while (next !== undefined) {
    asked.add(next)
    const answer = await context.get(next)
    const page = parseFeedPage(answer, context)
    if (typeof page === 'string') return `GET ${next} gave ${page}`
    pages.push(answer)
    entries.push(...page.entries)
    read.push(page)
    next = page.next
    if (next !== undefined && (asked.has(next) || asked.size >= MAX_PAGES)) {
      endless = `its pages do not end: page ${pages.length} leads to ${next}`
      break
    }
  }
  const { id, title, updated, links } = read[0]!
  return {
    uri,
    id,
    title,
    updated,
    links,
    entries,
    pages,
    sizes: read.map((page) => page.entries.length),
    get problems() {
      const own = read.flatMap(({ problems }, index) =>
        problems.map((each) => (index === 0 ? each : `page ${index + 1}: ${each}`)),
      )
      return [...own, ...(endless === undefined ? [] : [endless]), ...repeatedIds(entries)]
    },
  }
}

function repeatedIds(entries: readonly Entry[]): string[] {
  const times = new Map<string, number>()
  for (const { id } of entries) if (id !== '') times.set(id, (times.get(id) ?? 0) + 1)
  return [...times]
    .filter(([, count]) => count > 1)
    .map(([id, count]) => `${count} entries have the id ${id}`)
}
