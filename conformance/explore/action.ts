import type { Exchange } from '../client/exchange.js'
import type { Request } from '../model/model.js'
import type { Answer } from '../model/world.js'

/** What came of a request: as it went, and in the model's words. */
export interface Came {
  readonly exchange: Exchange
  readonly answer: Answer
}

/** A request as it went, in the model's words and in people's. */
export interface Action extends Came {
  readonly request: Request
  readonly who: string
  readonly what: string
  /** Asks the same again, where what it shows may come late, or where it may have been refused as too early. */
  readonly again?: () => Promise<Came>
}

/** Sends one request; undefined where it makes no sense any more. */
export type Start = () => Promise<Action | undefined>
