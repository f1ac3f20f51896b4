/** What each signal stops: one listener for all that goes on at once, which may be much. */
const stopped = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls `stop` when a signal is aborted; at once where it is already.
 *
 * @returns forgets it again
 */
export function onStop(signal: AbortSignal | undefined, stop: () => void): () => void {
  if (signal === undefined) return () => {}
  if (signal.aborted) {
    stop()
    return () => {}
  }
  const stops = stopped.get(signal) ?? listening(signal)
  stops.add(stop)
  return () => stops.delete(stop)
}

function listening(signal: AbortSignal): Set<() => void> {
  const stops = new Set<() => void>()
  stopped.set(signal, stops)
  const stopAll = () => {
    for (const stop of stops) stop()
  }
  signal.addEventListener('abort', stopAll, { once: true })
  return stops
}

/** The longest that a timer waits, in milliseconds, about 25 days; it takes what is longer for 1. */
const LONGEST = 2 ** 31 - 1

/** Resolves after so many milliseconds, or after 25 days where these are more. @throws {DOMException} `AbortError`, as soon as the signal is aborted */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        forget()
        resolve()
      },
      Math.min(milliseconds, LONGEST),
    )
    const forget = onStop(signal, () => {
      clearTimeout(timer)
      reject(new DOMException('The operation was aborted', 'AbortError'))
    })
  })
}

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

/** How time passes for who waits, in milliseconds. */
export interface Waiting {
  /** Before the second look. */
  readonly pause: number
  readonly rest: (milliseconds: number) => Promise<void>
  readonly now: () => number
}
