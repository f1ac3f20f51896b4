import type { Route } from '../../http/route.js'
import type { Control } from '../control.js'
import { json } from '../input/json.js'

/** `GET /_control/client`: what whoever spoke to the server did against the rules for clients; `POST` refuses then. */
export function clientRoute(control: Control): Route {
  return {
    pattern: '/_control/client',
    methods: {
      GET: () => json(control.judgeClient()),
      POST: () => {
        control.expectConformantClient()
        return json(control.judgeClient())
      },
    },
  }
}
