import type { Reply, Request } from '../http/exchange.js'
import type { MappingContext } from './context.js'
import { appliedWait, grantedWait, type WaitFor, waitFor } from './waiting.js'

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
