import { utf8Length } from '../platform/bytes.js'

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
): string[] {
  const written: string[] = []
  let room = most
  for (const item of items) {
    const text = write(item, room - least * (items.length - written.length))
    room -= utf8Length(text)
    if (room < 0 && written.length > 0) break
    written.push(text)
  }
  return written
}
