import type { Request } from '../http/exchange.js'
import type { Route } from '../http/router.js'
import { Scheduler } from '../http/scheduler.js'
import * as batch from './batch/messages.js'
import type { Act, MappingContext } from './context.js'
import * as oneAtATime from './one-at-a-time/consumers.js'
import * as messages from './primary/messages.js'
import * as queues from './primary/queues.js'
import * as sending from './primary/sending.js'
import { readService, stateOfService } from './primary/service.js'
import * as subscriptions from './primary/subscriptions.js'
import * as singlePath from './single-path/messages.js'

/** The server's own words, which are no consumer ids although no mapping bears them. */
const OWN_WORDS = ['_control', '_health']

/**
 * The routes of all four mappings, over one broker.
 *
 * @param parts with a scheduler of their own unless they are given
 */
// clause: consume.any-mapping
export function mappingRoutes(
  parts: Omit<MappingContext, 'reserved' | 'startedAt' | 'scheduler'> &
    Partial<Pick<MappingContext, 'scheduler'>>,
): Route[] {
  const reserved = new Set(OWN_WORDS)
  const routes = routesOf({
    scheduler: new Scheduler(),
    ...parts,
    reserved,
    startedAt: parts.broker.clock.now(),
  })
  for (const { pattern } of routes) {
    const [first = ''] = pattern.slice(1).split('/')
    if (!first.startsWith(':')) reserved.add(first)
  }
  return routes
}

function routesOf(context: MappingContext): Route[] {
  const on =
    <T>(act: Act<T>) =>
    (request: Request, ...params: string[]): T =>
      act(context, request, ...params)
  return [
    // The primary mapping (section 4.1).
    { pattern: '/', methods: { GET: on(readService) }, state: on(stateOfService) },
    {
      pattern: '/queues',
      methods: { GET: on(queues.browse), POST: on(queues.createQueue) },
      state: on(queues.stateOfPath),
    },
    {
      pattern: '/queues/**',
      methods: { GET: on(queues.browse), POST: on(sending.send), DELETE: on(queues.deleteQueue) },
      state: on(queues.stateOfPath),
    },
    { pattern: '/addresses/:address', methods: { POST: on(sending.post) } },
    {
      pattern: '/subscriptions',
      methods: { GET: on(subscriptions.browseSubscriptions), POST: on(subscriptions.subscribe) },
      state: on(subscriptions.stateOfSubscriptions),
    },
    {
      pattern: '/subscriptions/:subscription',
      methods: {
        GET: on(subscriptions.consume),
        POST: on(subscriptions.acknowledgeAll),
        DELETE: on(subscriptions.unsubscribe),
      },
      // Reading it renews its lease.
      takes: true,
      state: on(subscriptions.stateOfSubscription),
    },
    {
      pattern: '/subscriptions/:subscription/messages/:message',
      methods: { GET: on(messages.readDelivery), DELETE: on(messages.acknowledge) },
      state: on(messages.stateOfDelivery),
    },
    {
      pattern: '/subscriptions/:subscription/messages/:message/content',
      methods: { GET: on(messages.readDeliveryBody) },
      state: on(messages.stateOfDeliveryBody),
    },
    {
      pattern: '/messages/:message',
      methods: { GET: on(messages.readMessage) },
      state: on(messages.stateOfMessage),
    },
    {
      pattern: '/messages/:message/content',
      methods: { GET: on(messages.readMessageBody) },
      state: on(messages.stateOfMessageBody),
    },

    // The single path (section 4.2). The document rejects it: its GET is not idempotent.
    {
      pattern: '/queue/**',
      takes: true,
      methods: { GET: on(singlePath.receive), POST: on(singlePath.send) },
    },

    // One-at-a-time delivery (section 4.2).
    { pattern: '/subscribe/:consumer/**', methods: { POST: on(oneAtATime.subscribe) } },
    { pattern: '/unsubscribe/:consumer/**', methods: { POST: on(oneAtATime.unsubscribe) } },
    { pattern: '/nextMessageForMe/:consumer', methods: { POST: on(oneAtATime.next) } },
    { pattern: '/ack/:consumer/:message', methods: { POST: on(oneAtATime.acknowledge) } },

    // The batch mapping (section 4.2). Its consumers subscribe as in one-at-a-time delivery.
    { pattern: '/lockNextMessage/:consumer', methods: { POST: on(batch.lock) } },
    { pattern: '/message/:consumer/:message', methods: { GET: on(batch.readMessage) } },
    { pattern: '/:consumer/messages/:message', methods: { DELETE: on(batch.acknowledge) } },
  ]
}
