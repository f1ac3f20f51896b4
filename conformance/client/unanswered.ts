import { wordsOf } from './answered.js'
import type { Exchange } from './exchange.js'

/** Kinds that are told at most. */
const MOST = 10

/** Whether a request had a 5xx, or no answer although the kit waited for one. */
export function isFailure({ status, error = '' }: Exchange): boolean {
  return status > 0 ? status >= 500 : !error.startsWith('the client')
}

/** Requests with a 5xx, or without an answer although the kit waited for one: how many, and the first of each kind. */
export class Unanswered {
  count = 0
  readonly #first = new Map<string, Exchange>()

  note(exchange: Exchange): void {
    const { method, status, error = '' } = exchange
    if (!isFailure(exchange)) return
    this.count += 1
    if (this.#first.size >= MOST) return
    // What differs in its numbers alone is of one kind.
    const kind = [method, status, `${error}${wordsOf(exchange)}`.replace(/[\da-f-]*\d[\da-f-]*/gi, '')].join(
      ' ',
    )
    if (!this.#first.has(kind)) this.#first.set(kind, exchange)
  }

  /** The first of each kind, at most ten. */
  get first(): readonly Exchange[] {
    return [...this.#first.values()]
  }
}
