import type { Route } from '../../http/route.js'
import type { Control } from '../control.js'
import { json, readBody } from '../input/json.js'
import { readObject, readText } from '../input/read.js'
import { streamed } from '../input/streamed.js'
import { leasesText } from './leases.js'

/** `/_control/subscriptions`: every lease that lives, and ending one, or those that cover a queue. */
export function leaseRoutes(control: Control): Route[] {
  return [
    {
      pattern: '/_control/subscriptions',
      methods: { GET: () => streamed('application/json', leasesText(control.broker), control.turns) },
    },
    {
      pattern: '/_control/subscriptions/end',
      methods: {
        POST: (request) => {
          const { queue } = readObject({ value: readBody(request), at: '' }, ['queue'])
          return json({ ended: control.endLease({ queue: readText(queue) }) })
        },
      },
    },
    {
      pattern: '/_control/subscriptions/:lease/end',
      methods: { POST: (_, { lease = '' }) => json({ ended: control.endLease(lease) }) },
    },
  ]
}
