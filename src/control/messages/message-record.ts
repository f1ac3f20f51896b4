import type { ReleaseReason } from '../../broker/events.js'
import type { RecordedBody } from '../journal/exchange-record.js'

/**
 * How a delivery ended.
 *
 * @example
 * ```ts
 * DELIVERY_ENDS.includes('lease-expired')    // true
 * ```
 */
export const DELIVERY_ENDS = [
  'acknowledged',
  'lease-expired',
  'lease-deleted',
  'queue-deleted',
  'unsubscribed',
] as const satisfies readonly ('acknowledged' | ReleaseReason)[]

/**
 * One of {@link DELIVERY_ENDS}.
 *
 * @example
 * ```ts
 * const how: DeliveryEnd = 'acknowledged'
 * ```
 */
export type DeliveryEnd = (typeof DELIVERY_ENDS)[number]

/**
 * One handing over of a message to a consumer.
 *
 * @example
 * ```ts
 * const deliveries: readonly DeliveryRecord[] = mq.messages({ guid: 'order-1' })[0]?.deliveries ?? []
 * deliveries.map(({ name }) => name)    // ['A', 'B']
 * ```
 */
export interface DeliveryRecord {
  /** Last segment of the message URI. */
  readonly id: string
  /** Id of the subscription, consumer or session, as in the state. */
  readonly to: string
  /** What a person calls it: `A`, `B`, … in the order of their beginning, or the id of a consumer that chose its own. */
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Milliseconds since the epoch; null while it is held. */
  readonly endedAt: number | null
  /** Null while it is held. */
  readonly how: DeliveryEnd | null
}

/**
 * A message from its send to its end, as plain JSON: it stays here when it is gone.
 *
 * @example
 * ```ts
 * const [order] = mq.messages({ guid: 'order-1' })
 * order?.deliveries.map(({ name, how }) => [name, how])    // [['A', 'lease-expired'], ['B', 'acknowledged']]
 * ```
 */
export interface MessageRecord extends RecordedBody {
  readonly id: string
  readonly queue: string
  /** Its place in its queue, from 1. */
  readonly sequence: number
  /** With which it was sent; null for a send without one. */
  readonly guid: string | null
  /** Milliseconds since the epoch. */
  readonly sentAt: number
  readonly contentType: string | null
  readonly properties: Readonly<Record<string, string>>
  /** Whom it was handed to, in this order; the first 100. */
  readonly deliveries: readonly DeliveryRecord[]
  /** How often it was handed to a consumer. */
  readonly delivered: number
  /** When it was acknowledged, or taken for good; null while it was not. Milliseconds since the epoch. */
  readonly acknowledgedAt: number | null
  /**
   * Where it is now: `ready` or `held` while it is pending; `acknowledged`, `taken` by a consumer without a lease, or
   * `lost` with its queue when it is gone.
   */
  readonly status: MessageStatus
}

/**
 * Every {@link MessageRecord.status}.
 *
 * @example
 * ```ts
 * MESSAGE_STATUSES.includes('held')    // true
 * ```
 */
export const MESSAGE_STATUSES = ['ready', 'held', 'acknowledged', 'taken', 'lost'] as const

/**
 * One of {@link MESSAGE_STATUSES}.
 *
 * @example
 * ```ts
 * const status: MessageStatus | undefined = mq.messages({ guid: 'order-1' })[0]?.status
 * ```
 */
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]
