import type { Message } from '../../broker/entities.js'
import type { Reply, Request } from '../../http/exchange.js'
import { badParameter, queueNameOf } from '../asking.js'
import { contentOf, rawMessage } from '../content.js'
import type { Act } from '../context.js'
import { type HandOut, handOut } from '../waiting.js'

/** Send: a repeat of it is another message. */
// clause: single-path.send single-path.status
export const send: Act = ({ broker, limits }, request, rest) => {
  broker.send(queueNameOf(rest), contentOf(request, limits))
  return { status: 200 }
}

/**
 * Consume: the next message, which is thereby gone, or, for a session, held until it asks again. `chosen`: a
 * HEAD shows the head of what would come, and takes nothing.
 */
// clause: single-path.consume single-path.session single-path.raw single-path.empty
export const receive: Act<Reply | Promise<Reply>> = (context, request, rest) => {
  const { broker } = context
  const name = queueNameOf(rest)
  const session = sessionOf(request)
  const common: Pick<HandOut<Message>, 'subscribe' | 'reply'> = {
    subscribe: (wake) =>
      request.headOnly ? broker.whenQueueChanges(name, wake) : broker.whenMessageReady(name, wake),
    reply: (message, headers) => (message ? rawMessage(message, headers) : { status: 204, headers }),
  }
  if (request.headOnly) return handOut(context, request, { ...common, ask: () => broker.peek(name) })
  if (session === undefined) return handOut(context, request, { ...common, ask: () => broker.take(name) })
  return handOut(context, request, {
    ...common,
    first: () => broker.takeFor(session, name)?.message,
    ask: () => broker.takeFurtherFor(session, name)?.message,
  })
}

/** Web servers spell the name in several ways, and one that went unread would lose messages: case is ignored. */
function sessionOf({ query, principal }: Request): string | undefined {
  const [session, ...others] = [...query].filter(([name]) => name.toLowerCase() === 'jsessionid')
  if (session === undefined) return undefined
  const [parameter, id] = session
  // A principal's sessions are its own: another's of the same name is another session.
  if (others.length === 0 && id.length >= 1 && id.length <= 255)
    return JSON.stringify([principal?.name ?? null, id])
  throw badParameter(parameter, 'A session is named once, by jsessionId with 1 to 255 characters.')
}
