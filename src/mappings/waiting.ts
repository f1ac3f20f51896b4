import type { Reply, Request } from '../http/exchange.js'
import { preferredWait } from '../http/field-values.js'
import { parkUntil } from '../http/waiting.js'
import type { MappingContext } from './context.js'

/** What a wait is for. */
export interface WaitFor<T> {
  /** Asks the broker; undefined where there is nothing yet. Its refusals end the wait. */
  readonly ask: () => T | undefined
  /** Whether there is nothing to wait for any more: a wait does not outlive its queue. */
  readonly over?: () => boolean
  /** Registers for the next change that could make a difference. */
  readonly subscribe: (wake: (alone?: boolean) => void) => () => void
}

/** How long a client would wait and is let wait, in seconds; undefined where it did not ask for it. */
export function grantedWait(request: Request, { limits }: MappingContext): number | undefined {
  const wait = preferredWait(request.headers.prefer)
  return wait === undefined ? undefined : Math.min(wait, Math.floor(limits.maxWait / 1000))
}

/** The header field that says which wait was granted (RFC 7240 section 3). */
// clause: consume.wait.applied
export function appliedWait(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { 'Preference-Applied': `wait=${seconds}` }
}

/**
 * Asks until there is something, the time is up, the client is gone, or the server is closing (`chosen`:
 * `Prefer: wait`). Nothing is bound to a client because it waits.
 *
 * @param seconds how long at most
 * @returns what was asked for, or undefined when nothing came; and whether the client is gone
 */
// clause: consume.wait.early consume.wait.late consume.wait.ended consume.wait.abandoned
export async function waitFor<T>(
  { broker, scheduler }: MappingContext,
  request: Request,
  seconds: number,
  { ask, over = () => false, subscribe }: WaitFor<T>,
): Promise<{ readonly found: T | undefined; readonly gone: boolean }> {
  const { clock } = broker
  request.dropBody?.()
  const until = clock.now() + seconds * 1000
  for (;;) {
    const found = ask()
    const milliseconds = until - clock.now()
    if (found !== undefined || milliseconds <= 0 || broker.closed || over()) return { found, gone: false }
    const awakening = await parkUntil({ clock, request, milliseconds, scheduler, subscribe })
    if (awakening === 'gone') return { found: undefined, gone: true }
  }
}

/** `chosen`: what was handed out once must not come again from a cache. */
export const NO_STORE = { 'Cache-Control': 'no-store' } as const

/** How something is handed to a client. */
export interface HandOut<T> extends WaitFor<T> {
  /** Asks for the first time, where that differs from asking again after a wait. */
  readonly first?: () => T | undefined
  /** The answer, of which every header is given. */
  readonly reply: (found: T | undefined, headers: Readonly<Record<string, string>>) => Reply
}

/** Hands out what there is. Where there is nothing, a client that prefers so waits for it (`chosen`). */
// clause: single-path.no-store single-path.wait one-at-a-time.wait batch.wait
export function handOut<T>(
  context: MappingContext,
  request: Request,
  { first, reply, ...wait }: HandOut<T>,
): Reply | Promise<Reply> {
  const granted = grantedWait(request, context)
  const headers = { ...NO_STORE, ...appliedWait(granted) }
  const found = (first ?? wait.ask)()
  if (granted === undefined || found !== undefined) return reply(found, headers)
  return waitFor(context, request, granted, wait).then((waited) => reply(waited.found, headers))
}

/** Says, from now on, whether one of the queues of a lease was deleted. */
export function losesQueue(lease: { readonly lostQueues: number }): () => boolean {
  const before = lease.lostQueues
  return () => lease.lostQueues !== before
}
