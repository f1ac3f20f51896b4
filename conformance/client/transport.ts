import type { Cut } from './cut.js'
import type { Exchange } from './exchange.js'
import type { Measure } from './measure.js'

/** A request, ready to be sent. */
export interface Outgoing {
  readonly method: string
  /** Absolute. A target may have given it: then of any scheme. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Milliseconds from sending until the answer must be whole. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
  /** Whether the owner asks, and nobody else. */
  readonly isOwner?: boolean
  /** Whether it is sent again where it is refused for now; default true. */
  readonly patient?: boolean | undefined
  /** Where the client goes away; default: it does not. */
  readonly cut?: Cut | undefined
  /** Carries out a wait that the target or its pace asks for; by default as it is. */
  readonly idle?: ((wait: () => Promise<void>) => Promise<void>) | undefined
  /** Called each time that it is sent; until then it waits for its turn here. */
  readonly onSent?: (() => void) | undefined
}

/** An exchange, and whether anybody took the connection. */
export interface TracedExchange extends Exchange {
  readonly connected: boolean
  /** Whether the target closed a connection that it had said it would keep, and the request may never have reached it. */
  readonly isLost?: boolean
  /** Whether it went without credentials that it had, since its address is not of an origin that they go to. */
  readonly isBare?: boolean
  /** Whether there is no answer, or no request, for a limit of the kit's own, which `error` names. */
  readonly isOverLimit?: boolean
}

/** Sends a request, once or more often, and gives what came of it at last. */
export type Send = (outgoing: Outgoing) => Promise<TracedExchange>

/** Many servers, and what stands before them, refuse a client that does not say what it is. */
export const USER_AGENT = 'atom-mq-conformance'
// Servers close idle connections after some seconds. A connection idle for longer than this is not used again, so
// that no request is lost to a close that crosses it.
export const IDLE = 1000

/** How requests get to a target, and answers back: over sockets, or to a handler in the same process. */
export interface Transport {
  /** Monotonic milliseconds, for the times of the exchanges. */
  readonly now: () => number
  /** Whether no bytes can be sent but a request's own. */
  readonly isInProcess: boolean
  /** What was read of all answers. */
  readonly measure: Measure
  /** Sends a request once. Whatever goes wrong is in the exchange; it never rejects. */
  send(outgoing: Outgoing): Promise<TracedExchange>
  /** Keeps no connection from now on: the target takes no other while one is open. */
  keepNone(): void
  /** Lets so many connections be opened at once: the target is far away, and has not shown that they are too many. */
  allow(connections: number): void
  /** Closes the connections that are kept. */
  close(): void
}
