import type { Route } from '../../http/route.js'
import type { MappingContext } from '../context.js'
import { acknowledge, readDelivery, readDeliveryBody, readMessage, readMessageBody } from './messages.js'
import { browse, browseQueues, createQueue, deleteQueue } from './queues.js'
import { post, send } from './sending.js'
import { readService } from './service.js'
import { acknowledgeAll, consume, subscribe, unsubscribe } from './subscriptions.js'

/** The primary mapping (section 4.1), row by row. */
export function primaryRoutes(context: MappingContext): Route[] {
  return [
    { pattern: '/', methods: { GET: () => readService(context) } },
    {
      pattern: '/queues',
      methods: {
        GET: (request) => browseQueues(context, request),
        POST: (request) => createQueue(context, request),
      },
    },
    {
      pattern: '/queues/**',
      methods: {
        GET: (request, { rest = '' }) => browse(context, request, rest),
        POST: (request, { rest = '' }) => send(context, request, rest),
        DELETE: (_, { rest = '' }) => deleteQueue(context, rest),
      },
    },
    {
      pattern: '/addresses/:address',
      methods: { POST: (request, { address = '' }) => post(context, request, address) },
    },
    { pattern: '/subscriptions', methods: { POST: (request) => subscribe(context, request) } },
    {
      pattern: '/subscriptions/:subscription',
      methods: {
        GET: (request, { subscription = '' }) => consume(context, request, subscription),
        POST: (request, { subscription = '' }) => acknowledgeAll(context, request, subscription),
        DELETE: (_, { subscription = '' }) => unsubscribe(context, subscription),
      },
    },
    {
      pattern: '/subscriptions/:subscription/messages/:message',
      methods: {
        GET: (request, { subscription = '', message = '' }) =>
          readDelivery(context, request, subscription, message),
        DELETE: (_, { subscription = '', message = '' }) => acknowledge(context, subscription, message),
      },
    },
    {
      pattern: '/subscriptions/:subscription/messages/:message/content',
      methods: {
        GET: (request, { subscription = '', message = '' }) =>
          readDeliveryBody(context, request, subscription, message),
      },
    },
    {
      pattern: '/messages/:message',
      methods: { GET: (request, { message = '' }) => readMessage(context, request, message) },
    },
    {
      pattern: '/messages/:message/content',
      methods: { GET: (request, { message = '' }) => readMessageBody(context, request, message) },
    },
  ]
}
