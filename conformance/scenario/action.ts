import type { Came } from '../client/client.js'
import type { Exchange } from '../client/exchange.js'
import type { Manner } from '../client/speaker.js'
import type { Request } from '../model/model.js'

/** A request as it went, and in the model's words. */
export interface Action extends Came {
  readonly request: Request
  /** Asks the same again, where what it shows may come late, or where it may have been refused as too early. */
  readonly again?: () => Promise<Came>
}

/** What was answered, and is no question to the model. */
export interface Aside {
  readonly exchange: Exchange
  /** Why its step is passed over; undefined of a request as it is written. */
  readonly why?: string
}

/** Sends one request; why not, as a sentence, where there is nothing to be asked. */
export type Start = (how: Manner) => Promise<Action | Aside | string>
