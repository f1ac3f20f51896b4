import type { Message, Queue, Subscription } from '../broker/entities.js'
import type { BrokerEvent } from '../broker/events.js'
import type { Ending } from '../broker/terms.js'

/** What people call what a broker keeps. */
export interface LaneNames {
  readonly queue: (queue: Queue) => string
  readonly consumer: (lease: Subscription) => string
  readonly message: (message: Message) => string
  /** Who sent it; by default one producer stands for all. */
  readonly producer?: (message: Message) => string
}

/** A row of a picture of lanes. */
export interface Lane {
  readonly kind: 'queue' | 'consumer'
  readonly name: string
}

/** What a picture of lanes is told of: `conformance/lanes/` has its whole language, and knows nothing of brokers. */
export type LaneEvent =
  | { readonly is: 'begun'; readonly lane: Lane }
  | { readonly is: 'ended'; readonly lane: Lane; readonly how: Ending }
  | {
      readonly is: 'moved'
      readonly message: string
      readonly name: string
      readonly to: Lane | 'acknowledged' | 'gone'
      readonly by?: string
    }

/** What a picture of lanes shows of something that happened in a broker; undefined where it shows nothing. */
export function laneEventOf(event: BrokerEvent, names: LaneNames): LaneEvent | undefined {
  const queue = (of: Queue): Lane => ({ kind: 'queue', name: names.queue(of) })
  const consumer = (of: Subscription): Lane => ({ kind: 'consumer', name: names.consumer(of) })
  const moved = (message: Message, to: Lane | 'acknowledged' | 'gone'): LaneEvent => {
    const by = names.producer?.(message)
    const own = { message: message.id, name: names.message(message), to }
    return { is: 'moved', ...own, ...(by === undefined ? {} : { by }) }
  }
  switch (event.kind) {
    case 'queue-created':
      return { is: 'begun', lane: queue(event.queue) }
    case 'queue-deleted':
      return { is: 'ended', lane: queue(event.queue), how: 'deleted' }
    case 'sent':
      return moved(event.message, queue(event.message.queue))
    case 'delivered':
      return moved(event.delivery.message, consumer(event.delivery.subscription))
    case 'acknowledged':
      return moved(event.delivery.message, 'acknowledged')
    case 'taken':
      return moved(event.message, 'acknowledged')
    case 'released': {
      const { message } = event.delivery
      return moved(message, event.reason === 'queue-deleted' ? 'gone' : queue(message.queue))
    }
    case 'lease-begun':
      return { is: 'begun', lane: consumer(event.lease) }
    case 'lease-ended':
      return { is: 'ended', lane: consumer(event.lease), how: event.reason }
    default:
      return undefined
  }
}
