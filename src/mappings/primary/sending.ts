import type { Reply, Request } from '../../http/exchange.js'
import { Problem } from '../../http/problems.js'
import { queueNameOf } from '../asking.js'
import { contentOf } from '../content.js'
import { type Act, linksOf, type MappingContext } from '../context.js'

/** Send, step 1, or, with a guid, the send in a single request: both are a POST to the queue. */
// clause: send.two-step.without-guid queues.create.posting
export const send: Act = (context, request, rest) => {
  const name = queueNameOf(rest)
  const guids = request.query.getAll('guid')
  if (guids.length > 0) return sendOnce(context, request, name, guids)
  return newAddress(context, request, name)
}

/** Send, step 2: the message. The client repeats it until it gets 200; repeats make no duplicate. */
// clause: send.step-2.status send.step-2.unanswered send.two-step.repeat.status
export const post: Act = ({ broker, limits }, request, address) => {
  return sent(broker.post(address, contentOf(request, limits)))
}

// clause: send.step-1.status send.step-1.location
// clause: send.step-1.body
function newAddress(context: MappingContext, request: Request, name: string): Reply {
  if (request.body.length > 0) {
    // `chosen`: taking it for step 1 would lose the message without a word.
    throw new Problem(
      'unexpected-body',
      'A message is sent in two steps: POST to the queue without a body, then POST the message to the Location of ' +
        'the answer. To send it in one request, add ?guid= with an id of your own.',
    )
  }
  return {
    status: 201,
    headers: { Location: linksOf(context, request).address(context.broker.newAddress(name)) },
  }
}

// clause: dedup.status dedup.unanswered dedup.repeat.status dedup.refused.twice
function sendOnce(
  { broker, limits }: MappingContext,
  request: Request,
  name: string,
  guids: readonly string[],
): Reply {
  const [guid = '', ...others] = guids
  if (others.length > 0) throw new Problem('malformed-request', 'A message has one guid, not several.')
  return sent(broker.sendOnce(name, guid, contentOf(request, limits)))
}

// clause: send.two-step.repeat.replayed dedup.repeat.replayed
function sent({ replayed }: { readonly replayed: boolean }): Reply {
  return replayed ? { status: 200, headers: { 'Idempotent-Replayed': 'true' } } : { status: 200 }
}
