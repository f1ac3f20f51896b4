import type { Exchange } from '../client/exchange.js'
import type { Request } from '../model/model.js'
import type { Answer } from '../model/world.js'
import type { ClauseId } from '../requirements/index.js'

/** A request that a client of a soak makes. */
export interface Asking {
  readonly who: string
  readonly request: Request
  /** When it was sent, and when its answer was there: milliseconds of the soak's own time. */
  readonly from: number
  /** The messages that it sends or acknowledges, by number. */
  readonly messages?: readonly number[]
  /** The number of the subscription that it begins, or is about, and the address of that: of section 4.2, the consumer's id. */
  readonly subscription?: number
  readonly consumer?: string
  /** Of a subscription that begins, the lease that is granted: milliseconds. */
  readonly granted?: number
}

/** The same, with what came of it. The times of the answer are the target's, as far as they are known. */
export interface Event extends Asking {
  readonly to: number
  readonly answer: Answer
  readonly exchange?: Exchange
}

/** What a history shows that must not be, with the events that show it. */
export interface Violation {
  readonly clause: ClauseId
  readonly expected: string
  readonly seen: string
  readonly events: readonly Event[]
}

export const never = Number.POSITIVE_INFINITY

/** Whether a request has had success; `unknown` where there is no answer that says so. */
export function outcomeOf({ status }: { readonly status: number }): 'yes' | 'no' | 'unknown' {
  if (status >= 200 && status < 300) return 'yes'
  // A request that was told to come again later has not happened.
  return status === 0 || status === 429 || status >= 500 ? 'unknown' : 'no'
}

export const nameOf = (message: number): string => `m${message}`

/** The number of a message by its name; below 0 of what is none of the soak. */
export function numberOf(name: string): number {
  return /^m\d+$/.test(name) ? Number(name.slice(1)) : -1
}

/** The messages that an answer shows, each once. */
export function shownBy({ entries = [] }: Answer): number[] {
  return [...new Set(entries.map(({ body }) => numberOf(body)))]
}
