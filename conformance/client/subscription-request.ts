import { Inconclusive, NotApplicable } from './findings.js'
import type { Profile } from './profile.js'

/** What a subscription is for: a queue, or a destination that is written out already, such as a wildcard. */
export type Destination = string | { readonly path: string; readonly uri: string }

/** A subscription as its request says it. */
interface SubscriptionRequest {
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

/** What says that a target grants no such prefetch, or that nobody knows whether it does; undefined where it grants it. */
export function notGranted(profile: Profile, prefetch: number): NotApplicable | Inconclusive | undefined {
  const { maxPrefetch, parameters } = profile.subscription
  const isOwn = parameters.prefetch === null
  if (prefetch <= maxPrefetch && (!isOwn || prefetch === maxPrefetch)) return undefined
  const own = isOwn ? `the target's own is ${maxPrefetch}` : `the most is ${maxPrefetch}`
  return lackOfPrefetch(profile, `it needs a prefetch of ${prefetch}, and ${own}`)
}

/** The target grants no such prefetch, or nobody knows whether it does. */
export function lackOfPrefetch({ unknown }: Profile, why: string): NotApplicable | Inconclusive {
  const path = unknown.find((each) => PREFETCH.includes(each))
  if (path === undefined) return new NotApplicable(why)
  return new Inconclusive(`the profile's ${path} is unknown: fill it in; ${why}`, 'profile')
}

const PREFETCH: readonly string[] = ['subscription.parameters.prefetch', 'subscription.maxPrefetch']

const UNITS = { ms: 1, s: 1000, min: 60_000 } as const
type Unit = keyof typeof UNITS

/** The unit that `timeoutFormat` counts in. */
export function leaseUnit({ subscription }: Pick<Profile, 'subscription'>): Unit {
  return /\{(s|ms|min)\}/.exec(subscription.timeoutFormat)![1] as Unit
}

/** A lease as the profile's `timeout` parameter says it: in its unit, whole except in seconds. */
export function leaseParameter(profile: Pick<Profile, 'subscription'>, milliseconds: number): string {
  return profile.subscription.timeoutFormat.replace(/\{\w+\}/, String(amount(profile, milliseconds)))
}

/** The lease in milliseconds that {@link leaseParameter} asks for where this one is wanted. */
export function leaseAsked(profile: Pick<Profile, 'subscription'>, milliseconds: number): number {
  return amount(profile, milliseconds) * UNITS[leaseUnit(profile)]
}

function amount(profile: Pick<Profile, 'subscription'>, milliseconds: number): number {
  const unit = leaseUnit(profile)
  const value = milliseconds / UNITS[unit]
  return unit === 's' ? Number(value.toFixed(3)) : Math.ceil(value)
}
