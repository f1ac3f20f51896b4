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
  const [first = '', second = '', third = '', fourth = ''] = segments
  if (second === '') return undefined
  const act = (does: Act['does'], lease: string, deliveries: readonly string[] = [], one = false): Act => {
    return { does, lease, deliveries, one }
  }
  const consumer = idOfLease({ id: second, kind: 'consumer' })
  switch (`${method} ${first}`) {
    case 'POST subscribe':
      return act('join', consumer)
    case 'POST unsubscribe':
      return act('leave', consumer)
    case 'POST nextMessageForMe':
      return act('read', consumer, [], true)
    case 'POST lockNextMessage':
      return act('read', consumer, listed(fromUtf8(request.body)))
    case 'POST ack':
      return act('acknowledge', consumer, [third])
    case 'GET message':
      return act('look', consumer, [third])
  }
  if (first === 'subscriptions') {
    if (third !== 'messages') {
      if (method === 'DELETE') return act('leave', second)
      return act('read', second, method === 'POST' ? listed(fromUtf8(request.body)) : [])
    }
    if (method !== 'DELETE') return act('look', second, [fourth])
    return act(segments.length > 4 ? 'spare' : 'acknowledge', second, [fourth])
  }
  if (method === 'DELETE' && second === 'messages' && third !== '') {
    return act('acknowledge', idOfLease({ id: first, kind: 'consumer' }), [third])
  }
  return undefined
}

/** Of each address that a body lists the last segment, once. */
export function listed(body: string): string[] {
  const lines = body.split(/[\r\n]+/)
  const uris = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  return [...new Set(uris.map((uri) => uri.split(/[?#]/)[0]?.split('/').at(-1) ?? ''))]
}
