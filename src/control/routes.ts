import type { Route } from '../http/route.js'
import { clientRoute } from './client/client-route.js'
import { clockRoute } from './clock/clock-route.js'
import type { Control } from './control.js'
import { faultRoutes } from './faults/fault-routes.js'
import { journalRoutes } from './journal/journal-routes.js'
import { leaseRoutes } from './leases/lease-routes.js'
import { messageRoutes } from './messages/message-routes.js'
import { pageRoutes } from './page/page.js'
import { resetRoute } from './reset-route.js'
import { seedRoute } from './seed/seed-route.js'
import { stateRoute } from './state/state-route.js'

/** The extras over HTTP, below `/_control`; who may ask at all is the business of `auth/`. */
export function controlRoutes(control: Control): Route[] {
  return [
    clockRoute(control),
    ...faultRoutes(control),
    ...journalRoutes(control),
    stateRoute(control),
    ...leaseRoutes(control),
    ...messageRoutes(control),
    resetRoute(control),
    seedRoute(control),
    clientRoute(control),
    ...pageRoutes(),
  ]
}
