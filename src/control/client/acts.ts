import type { Request } from '../../http/exchange.js'
import { fromUtf8 } from '../../platform/bytes.js'
import { idOfLease } from '../leases/lease-name.js'
import type { Asked } from './asked.js'

/** What a request asks of a lease, in the terms of the interface: every mapping has its own words for it. */
export interface Act {
  /**
   * `join` makes it, or lets it cover more; `leave` ends it, or lets it cover less; `read` asks for messages; `look` reads one that
   * was given; `acknowledge` does nothing else; `spare` deletes the body of a message, which does nothing.
   */
  readonly does: 'join' | 'leave' | 'read' | 'look' | 'acknowledge' | 'spare'
  /** As in {@link idOfLease}. */
  readonly lease: string
  /** Ids of deliveries that are named. */
  readonly deliveries: readonly string[]
  /** Whether the server hands out one message at a time, and no other until that is acknowledged. */
  readonly one: boolean
}

/** Undefined where a request names no lease. */
export function actOf({ method, segments }: Asked, request: Request): Act | undefined {
  const [first = '', second = '', third, fourth = '', ...rest] = segments
  if (second === '') return undefined
  const ofConsumer = (
    does: Act['does'],
    id: string,
    deliveries: readonly string[] = [],
    one = false,
  ): Act => ({
    does,
    lease: idOfLease({ id, kind: 'consumer' }),
    deliveries,
    one,
  })
  switch (`${method} ${first}`) {
    case 'POST subscribe':
      return ofConsumer('join', second)
    case 'POST unsubscribe':
      return ofConsumer('leave', second)
    case 'POST nextMessageForMe':
      return ofConsumer('read', second, [], true)
    case 'POST lockNextMessage':
      return ofConsumer('read', second, listed(request))
    case 'POST ack':
      return ofConsumer('acknowledge', second, [third ?? ''])
    case 'GET message':
      return ofConsumer('look', second, [third ?? ''])
  }
  if (first === 'subscriptions') return ofSubscription(method, second, third, fourth, rest, request)
  if (method === 'DELETE' && second === 'messages' && third !== undefined) {
    return ofConsumer('acknowledge', first, [third])
  }
  return undefined
}

function ofSubscription(
  method: string,
  lease: string,
  third: string | undefined,
  delivery: string,
  rest: readonly string[],
  request: Request,
): Act | undefined {
  const one = false
  if (third === 'messages') {
    const does = method !== 'DELETE' ? 'look' : rest.length > 0 ? 'spare' : 'acknowledge'
    return { does, lease, deliveries: [delivery], one }
  }
  if (method === 'DELETE') return { does: 'leave', lease, deliveries: [], one }
  return { does: 'read', lease, deliveries: method === 'POST' ? listed(request) : [], one }
}

/** Of each address that a body lists the last segment, once. */
function listed({ body }: Request): string[] {
  const lines = fromUtf8(body).split(/[\r\n]+/)
  const uris = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  return [...new Set(uris.map((uri) => uri.split(/[?#]/)[0]?.split('/').at(-1) ?? ''))]
}
