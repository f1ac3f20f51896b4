import { statusOf } from '../client/answered.js'
import { refused, succeeded } from '../client/exchange.js'
import type { Manner } from '../client/speaker.js'
import type { Request } from '../model/model.js'
import type { Action, Aside } from './action.js'
import type { Conversation } from './conversation.js'
import { textIn } from './speak-request.js'
import type { Made } from './step.js'

/** Makes what is sent as a message. */
export function make(talk: Conversation, name: string, { headers, body, bytes, ...made }: Made): void {
  talk.bodies.make(name, {
    ...made,
    ...(headers && { headers: headers.map(([field, value]) => [field, textIn(talk, value)] as const) }),
    ...(body !== undefined && { body: textIn(talk, body) }),
    ...(bytes !== undefined && { bytes: textIn(talk, bytes) }),
  })
}

/** Sends a message by a request. */
export async function sent(
  talk: Conversation,
  name: string,
  request: Request,
  how: Manner,
): Promise<Action | Aside> {
  const { fields, mayBeRefused } = talk.bodies.get(name)
  const action = await talk.ask(request, { ...how, fields })
  const { exchange } = action
  if (succeeded(exchange)) talk.taken.add(name)
  const isOpen = refused(exchange) && exchange.status !== 429 && mayBeRefused && !talk.taken.has(name)
  return isOpen ? { exchange, why: `such a message is refused with ${statusOf(exchange)}` } : action
}
