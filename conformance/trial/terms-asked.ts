import { grantedLease, notGranted, prefetchUpTo } from '../client/subscription-request.js'
import { longestLease } from '../client/timing.js'
import type { SubscribeOptions, Trial } from './trial.js'

/** What a subscription asks for, as far as the target grants it; the lease in milliseconds, and as it was wanted. */
export function termsAsked(
  { profile, timing }: Pick<Trial, 'profile' | 'timing'>,
  { prefetch, lease = 'long' }: SubscribeOptions,
): { prefetch: number; lease: number; wanted: number } {
  const chosen = prefetch ?? prefetchUpTo(profile, 10)
  const lacking = notGranted(profile, chosen)
  if (lacking !== undefined) throw lacking
  const leases = {
    long: longestLease(profile),
    short: timing.lease,
    brief: timing.briefLease,
    ample: timing.ampleLease,
  }
  const wanted = typeof lease === 'number' ? lease : leases[lease]
  return { prefetch: chosen, lease: grantedLease(profile, wanted), wanted }
}

/** Whether a subscription asks for the longest lease. */
export function isLong({ lease = 'long' }: SubscribeOptions): boolean {
  return lease === 'long'
}
