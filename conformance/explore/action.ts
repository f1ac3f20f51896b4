import type { Exchange } from '../client/exchange.js'
import type { Request } from '../model/model.js'
import type { Answer } from '../model/world.js'

/** A request as it went, in the model's words and in people's. */
export interface Action {
  readonly request: Request
  readonly answer: Answer
  readonly exchange: Exchange
  readonly who: string
  readonly what: string
  /** Asks the same again, where what it shows may come late. */
  readonly again?: () => Promise<Answer>
}

/** Sends one request; undefined where it makes no sense any more. */
export type Start = () => Promise<Action | undefined>
