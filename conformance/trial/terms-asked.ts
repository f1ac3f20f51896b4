import type { Profile } from '../client/profile.js'
import { grantedLease, prefetchUpTo } from '../client/subscription-request.js'
import { Inconclusive, NotApplicable } from './findings.js'
import { longestLease } from './timing.js'
import type { SubscribeOptions, Trial } from './trial.js'

/** What a subscription asks for, as far as the target grants it; the lease in milliseconds, and as it was wanted. */
export function termsAsked(
  { profile, timing }: Pick<Trial, 'profile' | 'timing'>,
  { prefetch, lease = 'long' }: SubscribeOptions,
): { prefetch: number; lease: number; wanted: number } {
  const { maxPrefetch, parameters } = profile.subscription
  const chosen = prefetch ?? prefetchUpTo(profile, 10)
  if (chosen > maxPrefetch || (parameters.prefetch === null && chosen !== maxPrefetch)) {
    const own =
      parameters.prefetch === null ? `the target's own is ${maxPrefetch}` : `the most is ${maxPrefetch}`
    throw notGranted(profile, `it needs a prefetch of ${chosen}, and ${own}`)
  }
  const leases = {
    long: longestLease(profile),
    short: timing.lease,
    brief: timing.briefLease,
    ample: timing.ampleLease,
  }
  const wanted = typeof lease === 'number' ? lease : leases[lease]
  return { prefetch: chosen, lease: grantedLease(profile, wanted), wanted }
}

/** Why a check has not the prefetch that it needs: the target grants none, or nobody knows whether it does. */
export function notGranted({ unknown }: Profile, why: string): NotApplicable | Inconclusive {
  const path = unknown.find((each) => PREFETCH.includes(each))
  if (path === undefined) return new NotApplicable(why)
  return new Inconclusive(`the profile's ${path} is unknown: fill it in; ${why}`, 'profile')
}

const PREFETCH: readonly string[] = ['subscription.parameters.prefetch', 'subscription.maxPrefetch']

/** Whether a subscription asks for the longest lease. */
export function isLong({ lease = 'long' }: SubscribeOptions): boolean {
  return lease === 'long'
}
