import type { Target } from '../input/target.js'

/**
 * What can be made to go wrong:
 *
 * - `delay`: the request is handled `ms` milliseconds later, and up to `jitter` more, by the server's clock. A client
 *   that goes away meanwhile has not asked.
 * - `status`: it is answered with `code` and is not handled.
 * - `reset-before`: the connection is reset, and the request is not handled.
 * - `reset-after-commit`: the request is handled, then the connection is reset: the answer is lost.
 * - `truncate`: the request is handled; of the answer comes the head, with the whole `Content-Length`, and half of
 *   the body.
 * - `duplicate-delivery`: the next message that a consumer is handed in the course of the request is handed to a
 *   second consumer too: to one with room for it, or, in the alternative mappings, to the next one that asks.
 * - `end-lease`: the lease that the request is about ends, as if its time had run out; then the request is handled.
 *
 * @example
 * ```ts
 * FAULT_KINDS.includes('reset-after-commit')    // true
 * ```
 */
export const FAULT_KINDS = [
  'delay',
  'status',
  'reset-before',
  'reset-after-commit',
  'truncate',
  'duplicate-delivery',
  'end-lease',
] as const

/**
 * One of {@link FAULT_KINDS}.
 *
 * @example
 * ```ts
 * const kind: FaultKind = 'truncate'
 * ```
 */
export type FaultKind = (typeof FAULT_KINDS)[number]

/**
 * What is answered in place of the server, beside the status code.
 *
 * @example
 * ```ts
 * const answer: FaultAnswer = { headers: { 'Retry-After': '1' }, body: 'later' }
 * mq.faults.add({ fault: 'status', code: 503, answer })
 * ```
 */
export interface FaultAnswer {
  /** Header fields, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The body, as text. */
  readonly body?: string | undefined
}

/**
 * When a fault fires, what it does, and to which requests: the members of {@link Target} say to which.
 *
 * @example
 * ```ts
 * const terms: FaultTerms = { method: 'POST', path: '/queues/**', nth: 2 }
 * mq.faults.add({ ...terms, fault: 'reset-before' })
 * ```
 */
export interface FaultTerms extends Target {
  /** How many of the requests that fit are left alone first; 0 unless given. */
  readonly after?: number | undefined
  /** Fires at the request of this number alone, of those that fit, from 1. */
  readonly nth?: number | undefined
  /** How often it fires before it is spent; without end unless given. */
  readonly times?: number | undefined
  /** For how many milliseconds from its adding, by the server's clock; without end unless given. */
  readonly for?: number | undefined
  /** Fires at this share of the requests that fit, from 0 to 1; at each unless given. */
  readonly probability?: number | undefined
  /** Which of them: the same seed means the same ones. The number of the fault unless given. */
  readonly seed?: number | undefined
  /** For `delay`, which needs it: how long, in milliseconds. */
  readonly ms?: number | undefined
  /** For `delay`: how much longer at most, by chance and by the seed, in milliseconds. */
  readonly jitter?: number | undefined
  /** For `status`, which needs it: the status code of the answer, from 200 to 599. */
  readonly code?: number | undefined
  /** For `status`: what else the answer has. */
  readonly answer?: FaultAnswer | undefined
}
