import type { Profile } from '../client/profile.js'
import { LONG_LEASE, leaseAsked, leaseParameter } from './timing.js'
import type { SubscribeOptions, Timing } from './trial.js'

/** A subscription as its form says it. */
export interface SubscriptionForm {
  readonly body: string
  readonly prefetch: number
  /** Milliseconds. */
  readonly lease: number
}

/** The form-encoded data of a subscription, with the names that the profile gives its parameters. */
export function subscriptionForm(
  { profile, timing }: { profile: Profile; timing: Timing },
  destinations: readonly string[],
  { prefetch = 10, selector, lease = 'long' }: SubscribeOptions,
): SubscriptionForm {
  const { parameters, fixed, leaseSeconds } = profile.subscription
  const form = new URLSearchParams(fixed)
  for (const destination of destinations) form.append(parameters.destination, destination)
  form.set(parameters.prefetch, String(prefetch))
  if (selector !== undefined && parameters.selector !== null) form.set(parameters.selector, selector)
  if (parameters.timeout === null) return { body: form.toString(), prefetch, lease: leaseSeconds * 1000 }
  const timeout = leaseParameter(profile, lease === 'long' ? LONG_LEASE : timing.lease)
  form.set(parameters.timeout, timeout)
  return { body: form.toString(), prefetch, lease: leaseAsked(profile, timeout) }
}
