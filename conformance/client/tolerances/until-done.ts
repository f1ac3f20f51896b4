import { refused } from '../exchange.js'
import type { Operation } from '../operations.js'
import { wait } from '../pace.js'
import type { Send } from '../transport.js'

/** How long what is not done is asked again, besides the time that effects take to show: milliseconds, and between two times. */
const UNFINISHED = 1500
const FIRST_PAUSE = 20
const LAST_PAUSE = 250

interface Unfinished {
  /** Which operation a request is. */
  readonly operationOf: (method: string, url: string) => Operation | undefined
  /** How long an effect may take to show: milliseconds. */
  readonly settle: number
  /** What was answered with 202 for as long as it was asked again: nobody waits for that once more. */
  readonly neverDone: Set<string>
}

/**
 * Repeats what was answered with 202, which says that it is not done. What section 4.2 has is not repeated: it shows no status,
 * and a repeat may be another message. What comes at last is the answer; of a deletion the 202 where what it is about is gone by then.
 */
export function untilDone(send: Send, { operationOf, settle, neverDone }: Unfinished): Send {
  return async (outgoing) => {
    const first = await send(outgoing)
    const { method, signal, idle = (pause) => pause() } = outgoing
    const operation = operationOf(method, first.url)
    if (first.status !== 202 || (operation === undefined && method !== 'DELETE')) return first
    const kind = operation ?? method
    const until = performance.now() + (neverDone.has(kind) ? 0 : UNFINISHED + 2 * settle)
    for (let pause = FIRST_PAUSE; ; pause = Math.min(LAST_PAUSE, 1.5 * pause)) {
      await idle(() => wait(pause, signal))
      const again = await send(outgoing)
      if (again.status !== 202) return method === 'DELETE' && refused(again) ? first : again
      if (performance.now() < until) continue
      neverDone.add(kind)
      return again
    }
  }
}
