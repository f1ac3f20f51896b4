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
