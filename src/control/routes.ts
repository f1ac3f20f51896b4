import type { Handler } from '../http/exchange.js'
import type { Method, Route } from '../http/route.js'
import { clockRoute } from './clock/clock-route.js'
import type { Control } from './control.js'
import { faultRoutes } from './faults/fault-routes.js'
import { checkSameOrigin } from './input/same-origin.js'
import { journalRoutes } from './journal/journal-routes.js'
import { pageRoutes } from './page/page.js'
import { resetRoute } from './reset-route.js'
import { seedRoute } from './seed/seed-route.js'
import { stateRoute } from './state/state-route.js'

/**
 * The extras over HTTP, below `/_control`. Whatever changes something is refused to pages of other sites; who may ask
 * at all is the business of `auth/`.
 */
export function controlRoutes(control: Control, publicUrl: string | undefined): Route[] {
  const routes = [
    clockRoute(control),
    ...faultRoutes(control),
    ...journalRoutes(control),
    stateRoute(control),
    resetRoute(control),
    seedRoute(control),
    ...pageRoutes(),
  ]
  const ownOnly =
    (handler: Handler): Handler =>
    (request, params) => {
      checkSameOrigin(request, publicUrl)
      return handler(request, params)
    }
  return routes.map(({ pattern, methods }) => ({
    pattern,
    methods: Object.fromEntries(
      Object.entries(methods).map(([method, handler]) => [
        method,
        (method as Method) === 'GET' ? handler : ownOnly(handler),
      ]),
    ),
  }))
}
