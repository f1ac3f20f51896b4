import type { Route } from '../../http/route.js'
import type { MappingContext } from '../context.js'
import { acknowledge, lock, readMessage } from './messages.js'

/** The batch mapping (section 4.2), row by row. Its consumers subscribe as in one-at-a-time delivery. */
export function batchRoutes(context: MappingContext): Route[] {
  return [
    {
      pattern: '/lockNextMessage/:consumer',
      methods: { POST: (request, { consumer = '' }) => lock(context, request, consumer) },
    },
    {
      pattern: '/message/:consumer/:message',
      methods: {
        GET: (request, { consumer = '', message = '' }) => readMessage(context, request, consumer, message),
      },
    },
    {
      pattern: '/:consumer/messages/:message',
      methods: { DELETE: (_, { consumer = '', message = '' }) => acknowledge(context, consumer, message) },
    },
  ]
}
