import type { Route } from '../../http/route.js'
import type { MappingContext } from '../context.js'
import { receive, send } from './messages.js'

/** The single-path mapping (section 4.2). The document rejects it: its GET is not idempotent. */
export function singlePathRoutes(context: MappingContext): Route[] {
  return [
    {
      pattern: '/queue/**',
      takes: true,
      methods: {
        GET: (request, { rest = '' }) => receive(context, request, rest),
        POST: (request, { rest = '' }) => send(context, request, rest),
      },
    },
  ]
}
