import { Inconclusive, NotApplicable } from './findings.js'
import type { Profile } from './profile.js'

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
