import type { Exchange } from '../client/exchange.js'
import type { Request } from '../model/model.js'
import type { Answer } from '../model/world.js'

/** What came of a request: as it went, and in the model's words. */
export interface Came {
  readonly exchange: Exchange
  readonly answer: Answer
}

/** A request as it went, and in the model's words. */
export interface Action extends Came {
  readonly request: Request
  /** Asks the same again, where what it shows may come late, or where it may have been refused as too early. */
  readonly again?: () => Promise<Came>
}

/** Sends one request; why not, as a sentence, where there is nothing to be asked. */
export type Start = () => Promise<Action | string>
