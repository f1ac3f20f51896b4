import { Problem } from '../../http/problems.js'
import type { Route } from '../../http/route.js'
import type { Control } from '../control.js'
import { json, readBody } from '../input/json.js'
import type { FaultSpec } from './fault.js'

/** `/_control/faults`: what goes wrong on purpose; to list, to add to and to clear, and each to look at and to remove. */
export function faultRoutes({ faults }: Control): Route[] {
  const unknown = (id: string) => new Problem('no-such-resource', `There is no fault ${JSON.stringify(id)}.`)
  return [
    {
      pattern: '/_control/faults',
      methods: {
        GET: () => json({ faults: faults.list() }),
        POST: (request) => json(faults.add(readBody(request) as FaultSpec), 201),
        DELETE: () => {
          faults.clear()
          return json({ faults: [] })
        },
      },
    },
    {
      pattern: '/_control/faults/:fault',
      methods: {
        GET: (_, { fault = '' }) => {
          const found = faults.list().find(({ id }) => id === fault)
          if (found === undefined) throw unknown(fault)
          return json(found)
        },
        DELETE: (_, { fault = '' }) => {
          if (!faults.remove(fault)) throw unknown(fault)
          return json({ faults: faults.list() })
        },
      },
    },
  ]
}
