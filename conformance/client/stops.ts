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

/** Resolves after so many milliseconds. @throws {DOMException} `AbortError`, as soon as the signal is aborted */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      forget()
      resolve()
    }, milliseconds)
    const forget = onStop(signal, () => {
      clearTimeout(timer)
      reject(new DOMException('The operation was aborted', 'AbortError'))
    })
  })
}
