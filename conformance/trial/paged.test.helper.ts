import type { Reply } from '../client/serve.test.helper.js'
import { type FakeBroker, feed } from './fake-broker.test.helper.js'

/** How feeds are cut into pages, and which entries stand first. */
export interface Paging {
  /** Whether a further page is found by how many entries stand before it, by its number, or by the last entry before it. */
  readonly by: 'offset' | 'page' | 'cursor'
  readonly order: 'oldest' | 'newest'
  /** Entries of a page. */
  readonly size: number
}

export const PAGINGS: readonly Paging[] = (['offset', 'page', 'cursor'] as const).flatMap((by) =>
  (['oldest', 'newest'] as const).map((order, index) => ({ by, order, size: index + 1 })),
)

const ENTRY = /<entry>.*?<\/entry>/gs
const ID = /<id>urn:e:([^<]*)</

/** Cuts every feed of a broker into pages, each of what stands in the feed when that page is read. */
export function inPages(broker: FakeBroker, { by, order, size }: Paging): void {
  const before = broker.intercept
  broker.intercept = async (got): Promise<Reply | undefined> => {
    const own = await before(got)
    if (own !== undefined || got.method !== 'GET') return own
    const [path = '', query] = got.path.split('?')
    const at = new URLSearchParams(query).get('at')
    const answer = broker.answer({ ...got, path })
    if (answer.status !== undefined && answer.status !== 200) return answer
    const entries = [...(String(answer.body).match(ENTRY) ?? [])].sort(compare)
    if (order === 'newest') entries.reverse()
    const from = at === null ? 0 : startOf(entries, at)
    const page = entries.slice(from, from + size)
    const next = { offset: from + size, page: from / size + 1, cursor: idOf(page.at(-1) ?? '') }[by]
    const link =
      from + size < entries.length ? `<link rel="next" href="${path}?at=${encodeURIComponent(next)}"/>` : ''
    return feed(page, link)
  }

  /** A cursor whose entry has gone is found among those that are left, whose order does not change. */
  function startOf(entries: readonly string[], at: string): number {
    if (by !== 'cursor') return Number(at) * (by === 'page' ? size : 1)
    const isPast = (entry: string) => (order === 'newest' ? -1 : 1) * compareIds(idOf(entry), at) > 0
    const first = entries.findIndex(isPast)
    return first < 0 ? entries.length : first
  }
}

const idOf = (entry: string) => ID.exec(entry)?.[1] ?? ''
const compare = (one: string, other: string) => compareIds(idOf(one), idOf(other))

/** Numbers go up, and names by the alphabet. */
function compareIds(one: string, other: string): number {
  return Number(one) - Number(other) || one.localeCompare(other)
}
