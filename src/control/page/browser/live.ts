import type { JournalEntry } from '../../exchange-record.js'

/** What the page is told while it watches. */
export interface Watcher {
  /** The stream is there, or is there again. */
  opened(): void
  /** It broke off; it is being tried again. */
  lost(): void
  exchange(entry: JournalEntry): void
  /** The journal was emptied. */
  cleared(): void
  /** Nothing is left. */
  wasReset(): void
  /** Something else happened. */
  changed(): void
}

/** How long the page waits before it opens a stream that was refused again. */
const TRY_AGAIN = 2000

/** Watches the server: what happens there is told, and never asked for in vain. @param after number of an exchange */
export function watch(after: number, watcher: Watcher): void {
  let last = after
  const source = new EventSource(`journal/stream?after=${last}`)
  source.addEventListener('open', () => watcher.opened())
  source.addEventListener('error', () => {
    watcher.lost()
    // A stream that was broken off the browser opens again by itself; one that was refused it does not.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => watch(last, watcher), TRY_AGAIN)
  })
  source.addEventListener('exchange', ({ data }) => {
    const entry = JSON.parse(data) as JournalEntry
    last = entry.number
    watcher.exchange(entry)
  })
  source.addEventListener('clear', () => watcher.cleared())
  source.addEventListener('reset', () => {
    last = 0
    watcher.wasReset()
  })
  for (const event of ['clock', 'faults']) source.addEventListener(event, () => watcher.changed())
}

/**
 * Puts several requests to do the same thing together: it is done at once, and while it is being done, or was just
 * done, only once more afterwards.
 *
 * @param rest how long it is left alone, in milliseconds
 */
export function together(work: () => Promise<void>, rest: number): () => void {
  let busy = false
  let again = false
  const run = async () => {
    if (busy) {
      again = true
      return
    }
    busy = true
    again = false
    await work()
    setTimeout(() => {
      busy = false
      if (again) void run()
    }, rest)
  }
  return () => void run()
}
