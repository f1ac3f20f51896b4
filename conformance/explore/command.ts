import type { Cut } from '../client/cut-client.js'

/**
 * One step of a sequence, in names that the sequence itself gives: queues `a`, `ab` and `a/b`, messages `m1` and on,
 * consumers `A` and on. A command that makes no sense when its turn comes is passed over, so that a sequence still is
 * one when some of it is left out.
 */
export type Command =
  | { readonly do: 'create' | 'delete' | 'browse'; readonly queue: string; readonly cut?: Cut }
  | { readonly do: 'list' }
  | {
      readonly do: 'send'
      readonly queue: string
      readonly message: string
      readonly by: 'two-step' | 'guid' | 'single-path'
      readonly colour?: 'red' | 'blue'
      /** Another message whose body it has. */
      readonly like?: string
      /** A guid that is long, or nearly that of another message. */
      readonly guid?: 'long' | { readonly unlike: string; readonly in: 'case' | 'end' | 'sign' | 'space' }
      readonly cut?: Cut
    }
  /** Many messages that nothing else is done with, posted some at once. */
  | { readonly do: 'send many'; readonly queue: string; readonly message: string; readonly count: number }
  /**
   * Sends a message once more, to the address that it has, or with its guid; with a guid, to another queue even.
   * `changed`: another message instead.
   */
  | { readonly do: 'repeat'; readonly message: string; readonly queue?: string; readonly changed?: true }
  | {
      readonly do: 'subscribe'
      readonly consumer: string
      readonly to: readonly string[]
      readonly below?: string
      readonly prefetch: number
      readonly selector?: true
      readonly cut?: Cut
    }
  | { readonly do: 'end' | 'read'; readonly consumer: string; readonly cut?: Cut }
  /** Acknowledges one of those that it holds, as its last reading showed them. */
  | { readonly do: 'acknowledge'; readonly consumer: string; readonly nth: number; readonly cut?: Cut }
  /** Gets the address of one of those that it holds. */
  | { readonly do: 'look'; readonly consumer: string; readonly nth: number }
  /** Acknowledges one of all that it was ever shown: a repeat, or too late. */
  | { readonly do: 'acknowledge again'; readonly consumer: string; readonly nth: number }
  | { readonly do: 'acknowledge in a post'; readonly consumer: string; readonly count: number }
  /** Part of a lease, or until all leases have ended. */
  | { readonly do: 'wait'; readonly until: 'part' | 'end' }
  | { readonly do: 'join' | 'leave'; readonly consumer: string; readonly queue: string }
  | { readonly do: 'next' | 'acknowledge next'; readonly consumer: string }
  | { readonly do: 'lock'; readonly consumer: string; readonly max: number }
  | { readonly do: 'fetch' | 'acknowledge locked'; readonly consumer: string; readonly nth: number }
  | { readonly do: 'take'; readonly queue: string; readonly session?: string }
  /** All at once. */
  | { readonly do: 'together'; readonly commands: readonly Command[] }
