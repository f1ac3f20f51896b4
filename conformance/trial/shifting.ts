import type { Entry, Feed } from '../client/feed.js'
import type { Trial } from './trial.js'
import { withRetries } from './waiting.js'

/** What a reading of one or several listings has shown. */
export interface Look {
  /** The listings that were read. */
  readonly feeds: readonly Feed[]
  /** What is not as it should be, as a sentence; undefined where nothing is amiss. */
  readonly amiss: string | undefined
  /** Whether that cannot be the work of others: it stands within one page. */
  readonly isSure?: boolean
}

/**
 * Reads listings until nothing is amiss or the timeout passes. Where others change a listing while its pages are read, an
 * entry may be on two of them or on none, and that is nobody's fault. So what is amiss counts where each listing is one page,
 * or where two readings, one after the other, gave the same entries on the same pages: nothing has shifted. Otherwise the
 * check is inconclusive, and is asked again when no other runs.
 *
 * @returns what was amiss last
 */
export async function amissIn(trial: Trial, look: () => Promise<Look>): Promise<string | undefined> {
  let last: Look | undefined
  let isSure = false
  const sound = await withRetries(trial, async () => {
    const before = last
    last = await look()
    isSure = last.isSure === true || last.feeds.every(({ pages }) => pages.length === 1)
    isSure ||= before !== undefined && placesIn(before) === placesIn(last)
    return last.amiss === undefined || undefined
  })
  if (sound) return undefined
  if (!isSure) trial.inconclusive(`${last!.amiss}; but the listing changed whenever its pages were read`)
  return last!.amiss
}

/** How many entries of a feed are so, and whether two of them are on one page. */
export function countIn(feed: Feed, holds: (entry: Entry) => boolean): { count: number; isSure: boolean } {
  let from = 0
  const counts = feed.sizes.map((size) => {
    const onPage = feed.entries.slice(from, from + size)
    from += size
    return onPage.filter(holds).length
  })
  return { count: counts.reduce((sum, each) => sum + each, 0), isSure: counts.some((count) => count > 1) }
}

/** What stands on which page. */
function placesIn({ feeds }: Look): string {
  const known = ({ id, title, links }: Entry) => [id, title, ...links.map(({ href }) => href)]
  return JSON.stringify(feeds.map(({ uri, sizes, entries }) => [uri, sizes, entries.map(known)]))
}
