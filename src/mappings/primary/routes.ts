import type { Route } from '../../http/route.js'
import type { MappingContext } from '../context.js'
import {
  acknowledge,
  readDelivery,
  readDeliveryBody,
  readMessage,
  readMessageBody,
  stateOfBody,
  stateOfDelivery,
  stateOfMessage,
} from './messages.js'
import { browse, browseQueues, createQueue, deleteQueue, stateOfListing, stateOfPath } from './queues.js'
import { post, send } from './sending.js'
import { readService, stateOfService } from './service.js'
import {
  acknowledgeAll,
  browseSubscriptions,
  consume,
  stateOfSubscription,
  stateOfSubscriptions,
  subscribe,
  unsubscribe,
} from './subscriptions.js'

/** The primary mapping (section 4.1), row by row. */
export function primaryRoutes(context: MappingContext): Route[] {
  const { broker } = context
  return [
    {
      pattern: '/',
      methods: { GET: (request) => readService(context, request) },
      state: (request) => stateOfService(context, request),
    },
    {
      pattern: '/queues',
      methods: {
        GET: (request) => browseQueues(context, request),
        POST: (request) => createQueue(context, request),
      },
      state: (request) => stateOfListing(context, request, ''),
    },
    {
      pattern: '/queues/**',
      methods: {
        GET: (request, { rest = '' }) => browse(context, request, rest),
        POST: (request, { rest = '' }) => send(context, request, rest),
        DELETE: (_, { rest = '' }) => deleteQueue(context, rest),
      },
      state: (request, { rest = '' }) => stateOfPath(context, request, rest),
    },
    {
      pattern: '/addresses/:address',
      methods: { POST: (request, { address = '' }) => post(context, request, address) },
    },
    {
      pattern: '/subscriptions',
      methods: {
        GET: (request) => browseSubscriptions(context, request),
        POST: (request) => subscribe(context, request),
      },
      state: () => stateOfSubscriptions(context),
    },
    {
      pattern: '/subscriptions/:subscription',
      methods: {
        GET: (request, { subscription = '' }) => consume(context, request, subscription),
        POST: (request, { subscription = '' }) => acknowledgeAll(context, request, subscription),
        DELETE: (_, { subscription = '' }) => unsubscribe(context, subscription),
      },
      // Reading it renews its lease.
      takes: true,
      state: (request, { subscription = '' }) => stateOfSubscription(context, request, subscription),
    },
    {
      pattern: '/subscriptions/:subscription/messages/:message',
      methods: {
        GET: (request, { subscription = '', message = '' }) =>
          readDelivery(context, request, subscription, message),
        DELETE: (_, { subscription = '', message = '' }) => acknowledge(context, subscription, message),
      },
      state: (_, { subscription = '', message = '' }) => stateOfDelivery(context, subscription, message),
    },
    {
      pattern: '/subscriptions/:subscription/messages/:message/content',
      methods: {
        GET: (request, { subscription = '', message = '' }) =>
          readDeliveryBody(context, request, subscription, message),
      },
      state: (_, { subscription = '', message = '' }) =>
        stateOfBody(broker.delivery(subscription, message).message),
    },
    {
      pattern: '/messages/:message',
      methods: { GET: (request, { message = '' }) => readMessage(context, request, message) },
      state: (_, { message = '' }) => stateOfMessage(context, message),
    },
    {
      pattern: '/messages/:message/content',
      methods: { GET: (request, { message = '' }) => readMessageBody(context, request, message) },
      state: (_, { message = '' }) => stateOfBody(broker.message(message)),
    },
  ]
}
