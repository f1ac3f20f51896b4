import type { JournalEntry } from '../../journal/exchange-record.js'
import { address } from './server.js'

/** What the page is told while it watches. */
export interface Watcher {
  /** The stream is there. */
  opened(): void
  /** It broke off. */
  lost(): void
  exchange(entry: JournalEntry): void
  /** The journal was emptied. */
  cleared(): void
  /** Nothing is left. */
  wasReset(): void
  /** Something else happened. */
  changed(): void
}

/**
 * Watches the server: what happens there is told, and never asked for in vain. A stream that broke off is over: what
 * was missed may have happened on a server that was started anew, whose exchanges have the numbers of other ones.
 *
 * @param after number of an exchange
 * @returns ends it
 */
export function watch(after: number, watcher: Watcher): () => void {
  const source = new EventSource(address(`journal/stream?after=${after}`))
  source.addEventListener('open', () => watcher.opened())
  source.addEventListener('error', () => {
    source.close()
    watcher.lost()
  })
  source.addEventListener('exchange', ({ data }) => watcher.exchange(JSON.parse(data) as JournalEntry))
  source.addEventListener('clear', () => watcher.cleared())
  source.addEventListener('reset', () => watcher.wasReset())
  for (const event of ['clock', 'faults', 'state']) source.addEventListener(event, () => watcher.changed())
  return () => source.close()
}

/**
 * Puts several requests to do the same thing together: it is done at once, and while it is being done, or was just
 * done, only once more afterwards.
 *
 * @param rest how long it is left alone, in milliseconds; as long as it took where that is longer, so that a server
 *   with much to tell has time for others
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
    const begun = performance.now()
    await work()
    setTimeout(
      () => {
        busy = false
        if (again) void run()
      },
      Math.max(rest, performance.now() - begun),
    )
  }
  return () => void run()
}
