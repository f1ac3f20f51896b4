import type { Route } from '../../http/route.js'
import type { Control } from '../control.js'
import { readBody } from '../input/json.js'
import { readObject, readText } from '../input/read.js'
import { streamed } from '../input/streamed.js'
import type { SubscriptionState } from '../state/state.js'
import { leasesText, livingLeases } from './leases.js'

/** `/_control/subscriptions`: every lease that lives, and ending one, or those that cover a queue. */
export function leaseRoutes(control: Control): Route[] {
  const answer = (member: string, leases: Iterable<SubscriptionState>) =>
    streamed('application/json', leasesText(member, leases), control.scheduler)
  return [
    {
      pattern: '/_control/subscriptions',
      methods: { GET: () => answer('subscriptions', livingLeases(control.broker)) },
    },
    {
      pattern: '/_control/subscriptions/end',
      methods: {
        POST: (request) => {
          const { queue } = readObject({ value: readBody(request), at: '' }, ['queue'])
          return answer('ended', control.endLease({ queue: readText(queue) }))
        },
      },
    },
    {
      pattern: '/_control/subscriptions/:lease/end',
      methods: { POST: (_, { lease = '' }) => answer('ended', control.endLease(lease)) },
    },
  ]
}
