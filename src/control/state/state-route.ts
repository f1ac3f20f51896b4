import type { Route } from '../../http/route.js'
import type { Control } from '../control.js'
import { json } from '../input/json.js'
import { checkQuery, readCount } from '../input/query.js'

/**
 * `GET /_control/state`: all that the server knows, or a part of it: see {@link StateOptions}, whose members the query can
 * have. It changes nothing.
 */
export function stateRoute(control: Control): Route {
  return {
    pattern: '/_control/state',
    methods: {
      GET: ({ query }) => {
        checkQuery(query, ['messages', 'queue', 'after', 'queues', 'afterQueue'])
        const [messages, after, queues] = ['messages', 'after', 'queues'].map((name) =>
          readCount(query, name),
        )
        const [queue, afterQueue] = ['queue', 'afterQueue'].map((name) => query.get(name) ?? undefined)
        return json(control.state({ messages, queue, after, queues, afterQueue }))
      },
    },
  }
}
