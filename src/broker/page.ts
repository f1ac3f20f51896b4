import { checkCount } from './limits.js'

/**
 * Which part of something longer is asked for.
 *
 * @example
 * ```ts
 * const second: PageRequest = { limit: 100, cursor: undefined }
 * ```
 */
export interface PageRequest {
  /** The `next` of the page before. */
  readonly cursor?: string | undefined
  /** How many items at most. */
  readonly limit: number
}

/**
 * One page of something longer.
 *
 * @example
 * ```ts
 * const page: Page<ListingEntry> = mq.broker.listQueues('', { limit: 10 })
 * page.items.length    // 1
 * ```
 */
export interface Page<T> {
  readonly items: readonly T[]
  /** What to ask on with; undefined on the last page. */
  readonly next: string | undefined
  /** When what is listed last changed; milliseconds since the epoch. */
  readonly updatedAt: number
}

/**
 * The first of many items, as many as asked for.
 *
 * @param cursorOf names an item, so that the next page begins behind it
 * @throws Refusal `bad-parameter`
 */
export function firstPage<T>(
  all: Iterable<T>,
  limit: number,
  updatedAt: number,
  cursorOf: (last: T) => string,
): Page<T> {
  // How long a page may be is for the layer above to say; one without items would lead nowhere.
  checkCount('limit', limit, 1, Number.MAX_SAFE_INTEGER)
  const items: T[] = []
  for (const item of all) {
    if (items.length === limit) return { items, next: cursorOf(items[limit - 1] as T), updatedAt }
    items.push(item)
  }
  return { items, next: undefined, updatedAt }
}
