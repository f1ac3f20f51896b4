import type { Reply, Request } from '../../http/exchange.js'
import type { Waiting } from './waits.js'

/** A client that goes away while it waits leaves nothing behind. */
export async function untilGone<T>(
  request: Request,
  { found, cancel }: Waiting<T>,
  reply: (value: T) => Reply,
): Promise<Reply> {
  const stop = request.whenGone(cancel)
  try {
    return reply(await found)
  } finally {
    stop()
  }
}
