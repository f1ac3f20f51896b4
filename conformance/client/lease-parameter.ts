import type { Profile } from './profile.js'

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
