import type { Reply, Request } from '../../http/exchange.js'
import { textOf } from '../../platform/bytes.js'
import type { Handle } from '../faults/apply-faults.js'
import { type Dialect, inDialect } from './dialects.js'

/** What is written as Atom, the service document included. */
const ATOM_TYPE = /^application\/atom(?:svc)?\+xml/

/**
 * Answers as before, but with each Atom document told in a dialect.
 *
 * @param dialectNow which one, at the moment of an answer
 */
export function withDialect(handle: Handle, dialectNow: () => Dialect): Handle {
  return (request) => {
    if (dialectNow() === 'plain') return handle(request)
    const told = (reply: Reply) => toldOtherwise(request, reply, dialectNow())
    const reply = handle(request)
    return reply instanceof Promise ? reply.then(told) : told(reply)
  }
}

function toldOtherwise(request: Request, reply: Reply, dialect: Dialect): Reply {
  const { headers = {}, body } = reply
  if (body === undefined || body.length === 0 || !ATOM_TYPE.test(headers['Content-Type'] ?? '')) return reply
  return { ...reply, body: inDialect(textOf(body), dialect, request) }
}
