import type { Route } from '../http/route.js'
import type { Control } from './control.js'
import { json } from './input/json.js'

/** `POST /_control/reset`: back to nothing, at the same port; answered when whoever waited is. */
export function resetRoute(control: Control): Route {
  return {
    pattern: '/_control/reset',
    methods: {
      POST: async () => {
        await control.reset()
        return json(control.clock.state())
      },
    },
  }
}
