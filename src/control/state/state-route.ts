import type { Route } from '../../http/route.js'
import type { Control } from '../control.js'
import { json } from '../input/json.js'
import { checkQuery, readCount } from '../input/query.js'

/**
 * `GET /_control/state`: all that the server knows; `?messages=` says how many of each queue, and `?queue=` of which one
 * alone. It changes nothing.
 */
export function stateRoute(control: Control): Route {
  return {
    pattern: '/_control/state',
    methods: {
      GET: ({ query }) => {
        checkQuery(query, ['messages', 'queue'])
        const messages = readCount(query, 'messages')
        return json(control.state({ messages, queue: query.get('queue') ?? undefined }))
      },
    },
  }
}
