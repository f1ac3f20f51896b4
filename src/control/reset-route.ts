import type { Route } from '../http/route.js'
import type { Control, ResetOptions } from './control.js'
import { json, readBody } from './input/json.js'

/**
 * `POST /_control/reset`: back to nothing, at the same port, or with `{"seed": true}` to what the server began with;
 * answered when whoever waited is.
 */
export function resetRoute(control: Control): Route {
  return {
    pattern: '/_control/reset',
    methods: {
      POST: async (request) => {
        await control.reset(readBody(request) as ResetOptions)
        return json(control.clock.state())
      },
    },
  }
}
