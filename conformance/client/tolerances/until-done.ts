import { refused } from '../exchange.js'
import { wait } from '../pace.js'
import type { Outgoing, Send } from '../transport.js'

/** How long what is not done is asked again, besides the time that effects take to show: milliseconds, and between two times. */
const UNFINISHED = 1500
const FIRST_PAUSE = 20
const LAST_PAUSE = 250

/** Section 4.2, by what stands right below the base. */
const ALTERNATIVES = /^\/(?:queue|subscribe|unsubscribe|nextMessageForMe|ack|lockNextMessage|message)\//

interface Unfinished {
  /** The base URL, without a trailing slash. */
  readonly base: string
  /** How long an effect may take to show: milliseconds. */
  readonly settle: number
  /** What was answered with 202 for as long as it was asked again: nobody waits for that once more. */
  readonly neverDone: Set<string>
}

/**
 * Repeats what was answered with 202, which says that it is not done. What section 4.2 has is not repeated, but for deletions: it shows
 * no status, and a repeat may be another message. What comes at last is the answer; of a deletion the 202 where what it is about is gone
 * by then.
 */
export function untilDone(send: Send, { base, settle, neverDone }: Unfinished): Send {
  return async (outgoing) => {
    const first = await send(outgoing)
    const { method, signal, idle = (pause) => pause() } = outgoing
    if (first.status !== 202 || isAlternative(outgoing, base)) return first
    const kind = kindOf(outgoing, base)
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

function isAlternative({ method, url, headers }: Outgoing, base: string): boolean {
  if (method === 'DELETE') return false
  return headers['Content-Type'] === 'text/uri-list' || ALTERNATIVES.test(url.slice(base.length))
}

/** Requests of one operation have the method and the form of their addresses in common. */
function kindOf({ method, url }: Outgoing, base: string): string {
  const [, first = '', ...rest] = url.slice(base.length).split(/[/?]/)
  return `${method} ${/^(?:queues|subscriptions)$/.test(first) ? first : ''} ${rest.length}`
}
