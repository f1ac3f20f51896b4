import { leaseAsked, leaseParameter } from './lease-parameter.js'
import type { Profile } from './profile.js'

/** What a subscription is for: a queue, or a destination that is written out already, such as a wildcard. */
export type Destination = string | { readonly path: string; readonly uri: string }

/** A subscription as its request says it. */
export interface SubscriptionRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A destination as the profile writes it. */
export function writtenDestination({ subscription }: Profile, destination: Destination): string {
  if (typeof destination === 'string') return destination
  const { path, uri } = destination
  return subscription.destination
    .replaceAll('{path}', () => path)
    .replaceAll('{dotted}', () => path.replaceAll('/', '.'))
    .replaceAll('{address}', () => uri)
}

/** A destination over all queues one segment below a prefix, given as a slash path. */
export function wildcardBelow({ subscription }: Profile, prefix: string): string {
  return subscription.wildcard
    .replaceAll('{prefix}', () => prefix)
    .replaceAll('{dottedPrefix}', () => prefix.replaceAll('/', '.'))
}

/**
 * The form-encoded data of a subscription, with the names that the profile gives its parameters. What a client cannot
 * choose is left out.
 *
 * @param lease milliseconds
 */
export function subscriptionRequest(
  profile: Profile,
  destinations: readonly Destination[],
  { prefetch, selector, lease }: { prefetch?: number; selector?: string | undefined; lease?: number },
): SubscriptionRequest {
  const { parameters, fixed, separator, headers } = profile.subscription
  const form = new URLSearchParams(fixed)
  const written = destinations.map((each) => writtenDestination(profile, each))
  if (separator !== null && written.length > 0) form.append(parameters.destination, written.join(separator))
  else for (const each of written) form.append(parameters.destination, each)
  if (prefetch !== undefined && parameters.prefetch !== null) form.set(parameters.prefetch, String(prefetch))
  if (selector !== undefined && parameters.selector !== null) form.set(parameters.selector, selector)
  if (lease !== undefined && parameters.timeout !== null) {
    form.set(parameters.timeout, leaseParameter(profile, lease))
  }
  return { headers, body: form.toString() }
}

/** The prefetch of a subscription that need not have more than `most`: the target's own where a client cannot choose it. */
export function prefetchUpTo({ subscription: { maxPrefetch, parameters } }: Profile, most: number): number {
  return parameters.prefetch === null ? maxPrefetch : Math.min(most, maxPrefetch)
}

/** The lease that a subscription has for which this one is asked, in milliseconds: its own where none can be chosen. */
export function grantedLease(profile: Profile, milliseconds: number): number {
  const { parameters, leaseSeconds } = profile.subscription
  return parameters.timeout === null ? leaseSeconds * 1000 : leaseAsked(profile, milliseconds)
}
