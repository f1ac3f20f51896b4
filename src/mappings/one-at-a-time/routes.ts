import type { Route } from '../../http/route.js'
import type { MappingContext } from '../context.js'
import { acknowledge, next } from './messages.js'
import { subscribe, unsubscribe } from './subscriptions.js'

/** One-at-a-time delivery (section 4.2), row by row. */
export function oneAtATimeRoutes(context: MappingContext): Route[] {
  return [
    {
      pattern: '/subscribe/:consumer/**',
      methods: {
        POST: (request, { consumer = '', rest = '' }) => subscribe(context, request, consumer, rest),
      },
    },
    {
      pattern: '/unsubscribe/:consumer/**',
      methods: {
        POST: (request, { consumer = '', rest = '' }) => unsubscribe(context, request, consumer, rest),
      },
    },
    {
      pattern: '/nextMessageForMe/:consumer',
      methods: { POST: (request, { consumer = '' }) => next(context, request, consumer) },
    },
    {
      pattern: '/ack/:consumer/:message',
      methods: {
        POST: (request, { consumer = '', message = '' }) => acknowledge(context, request, consumer, message),
      },
    },
  ]
}
