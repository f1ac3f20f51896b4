import type { ClauseId } from '../requirements/index.js'
import type { Event } from './history.js'
import type { Violation } from './memory.js'

/** What the document shows for the success of an operation. */
export interface Shown {
  readonly clause: ClauseId
  readonly status: 200 | 201
}

/** A success whose status is another than the document shows: whoever goes by the document goes on as if it had not succeeded. */
export function wrongSuccess(event: Event, { clause, status }: Shown): Violation | undefined {
  const { outcome, exchange } = event
  if (outcome !== 'yes' || exchange === undefined || exchange.status === status) return undefined
  return {
    clause,
    seen: `a success was answered with ${exchange.status} instead of ${status}`,
    events: [event],
  }
}
