/** Milliseconds between two looks, however long it is waited, where nobody asks for more. */
const LONGEST_PAUSE = 250

/**
 * How long to wait before the look behind the next: what shows late has soon been seen, and what never shows costs few looks.
 *
 * @param pause milliseconds before the next one
 * @param first the same before the first
 */
export function pauseAfter(pause: number, first = 0): number {
  return Math.min(Math.max(first, LONGEST_PAUSE), pause * 1.5)
}

/** How time passes for who waits, in milliseconds. */
export interface Waiting {
  /** Before the second look. */
  readonly pause: number
  readonly rest: (milliseconds: number) => Promise<void>
  readonly now: () => number
}

/** Asks until something is found, or so many milliseconds are over: then once more. */
export async function untilFound<T>(
  probe: () => Promise<T | undefined>,
  milliseconds: number,
  { pause, rest, now }: Waiting,
): Promise<T | undefined> {
  const until = now() + milliseconds
  for (let next = pause; ; next = pauseAfter(next)) {
    const found = await probe()
    const left = until - now()
    if (found !== undefined || left <= 0) return found
    await rest(Math.min(next, left))
  }
}
