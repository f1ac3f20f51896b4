import type { Route } from '../../http/route.js'
import type { Control } from '../control.js'
import { json, readBody } from '../input/json.js'
import { readObject } from '../input/read.js'

/** `/_control/clock`: what time it is, and letting a manual clock go on: `{"advance": ms}`, answered after the effects. */
export function clockRoute({ clock }: Control): Route {
  return {
    pattern: '/_control/clock',
    methods: {
      GET: () => json(clock.state()),
      POST: async (request) => {
        const { advance } = readObject({ value: readBody(request), at: '' }, ['advance'])
        await clock.advance(advance.value as number)
        return json(clock.state())
      },
    },
  }
}
