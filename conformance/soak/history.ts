import type { Exchange } from '../client/exchange.js'

/** What a client of a soak did, and when it may have taken effect: from its sending to its answer. */
export interface Event {
  readonly do:
    | 'create'
    | 'delete'
    | 'address'
    | 'send'
    | 'subscribe'
    | 'read'
    | 'acknowledge'
    | 'end'
    | 'browse'
  readonly who: string
  /** Milliseconds. Without an answer, until when a target may have been at it. */
  readonly from: number
  readonly to: number
  /**
   * The least that the target's clock can have shown when this began: milliseconds. A clock that a soak moves is behind for
   * as long as an advance takes. Default: `from`.
   */
  readonly since?: number
  /** Whether it succeeded; `unknown` where there is no answer that says so. */
  readonly outcome: 'yes' | 'no' | 'unknown'
  /** The new-message address that was given. */
  readonly address?: string | undefined
  /** The queue that is created, deleted or browsed, or that gives an address. */
  readonly queue?: string
  /** Of a creation: whether its name is above or below that of another queue. */
  readonly isNested?: boolean
  /** The message, by its number: of a send and of an acknowledgement. */
  readonly message?: number
  /** The subscription, by its number. */
  readonly subscription?: number
  /** Of a subscription that begins. */
  readonly terms?: Terms
  /** What was shown, by number; -1 for what nobody sent. */
  readonly shown?: readonly number[]
  /** How much of that each page showed, of a feed of several pages. What came or went meanwhile is on some page or on none. */
  readonly sizes?: readonly number[]
  /** Of a send. */
  readonly sending?: Sending
  readonly exchange?: Exchange | undefined
}

export interface Sending {
  /** The queue that the message was sent to first. */
  readonly queue: string
  readonly colour: 'red' | 'blue'
  readonly by: 'two-step' | 'guid'
  /** Whether it was tried before. */
  readonly isRepeat: boolean
}

export interface Terms {
  readonly queues: readonly string[]
  /** The colour that its selector picks. */
  readonly selector: 'red' | undefined
  readonly prefetch: number
  /** Of a consumer of section 4.2, which a reading shows only a part of what it holds. */
  readonly mapping?: 'one-at-a-time' | 'batch'
  /** Milliseconds, and how late a target may notice the end. */
  readonly lease: number
  readonly grace: number
  readonly renewedBy: readonly ('read' | 'ack')[]
}
