import type { Handler } from '../http/exchange.js'
import type { Method, Route } from '../http/route.js'
import type { Control } from './control.js'
import { clockRoute } from './endpoints/clock.js'
import { faultRoutes } from './endpoints/faults.js'
import { journalRoutes } from './endpoints/journal.js'
import { resetRoute } from './endpoints/reset.js'
import { stateRoute } from './endpoints/state.js'
import { pageRoutes } from './page/page.js'
import { checkSameOrigin } from './same-origin.js'

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
