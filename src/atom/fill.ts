import { toUtf8, utf8Length, type Written } from '../platform/bytes.js'

/** So many bytes of texts are kept as texts: of a page of megabytes the collector of garbage would keep several for a while. */
const MOST_TEXT = 64 * 1024

/** The items that fit into a page. */
export interface Filled {
  readonly parts: readonly Written[]
  /** How many items these are. */
  readonly count: number
}

/**
 * Fills a page with what fits: at least one item, and no further one once the page would become longer than it may.
 *
 * @param most bytes that the items may take together
 * @param write one item, given how many bytes are left for it where every item behind it takes at least `least`
 */
export function fill<T>(
  items: readonly T[],
  most: number,
  write: (item: T, room: number) => string,
  least = 0,
): Filled {
  const parts: Written[] = []
  let text = ''
  let bytes = 0
  let room = most
  let count = 0
  for (const item of items) {
    const written = write(item, room - least * (items.length - count))
    const length = utf8Length(written)
    room -= length
    if (room < 0 && count > 0) break
    count++
    text += written
    bytes += length
    if (bytes < MOST_TEXT) continue
    parts.push(toUtf8(text))
    text = ''
    bytes = 0
  }
  if (text !== '') parts.push(text)
  return { parts, count }
}
