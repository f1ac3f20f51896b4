import type { Route } from '../http/route.js'
import type { Control } from './control.js'
import { clockRoute } from './endpoints/clock.js'
import { faultRoutes } from './endpoints/faults.js'
import { journalRoutes } from './endpoints/journal.js'
import { resetRoute } from './endpoints/reset.js'
import { stateRoute } from './endpoints/state.js'
import { pageRoutes } from './page/page.js'

/** The extras over HTTP, below `/_control`; who may ask at all is the business of `auth/`. */
export function controlRoutes(control: Control): Route[] {
  return [
    clockRoute(control),
    ...faultRoutes(control),
    ...journalRoutes(control),
    stateRoute(control),
    resetRoute(control),
    ...pageRoutes(),
  ]
}
