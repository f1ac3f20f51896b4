import type { Profile } from './profile.js'
import { leaseAsked } from './subscription-request.js'

/**
 * What was measured of the target before the checks, and what follows from it; milliseconds.
 *
 * @example
 * ```ts
 * const leaseOf = ({ lease }: Timing) => lease
 * ```
 */
export interface Timing {
  /** A high quantile of the time from request to answer. */
  readonly latency: number
  /** How long an empty reading of a subscription is held, although nobody asked for that; 0 where it is answered at once. */
  readonly held: number
  /** How long an effect may take to show: the profile's `settleSeconds`. */
  readonly settle: number
  /** How long to go on asking for what must come, before saying that it does not. */
  readonly timeout: number
  /** The short lease that checks of the lease work with. */
  readonly lease: number
  /** The least that a check may do with, where it can be asked again with {@link lease}; never longer than that. */
  readonly briefLease: number
  /** One of which a second more or less is a small part; never shorter than {@link lease}. */
  readonly ampleLease: number
  /** How late after its time a lease may end at the latest before it counts as not ending. */
  readonly leaseGrace: number
}

/** For how many leases what is to be remembered is left alone at least. */
const LATE_IN_LEASES = 1.2
/** For how many milliseconds: a cache of a few seconds has forgotten it then. */
const LATE = 3500

/** Milliseconds of its own activity that a check may take where nobody says otherwise. */
export const CHECK_TIMEOUT = 30_000

/** A lease that outlives any check, where the client may choose it and the target grants it: milliseconds. */
export const LONG_LEASE = 120_000

/** How many latencies a short lease must leave room for, so that a check can act within it. */
export const LATENCIES_IN_A_LEASE = 15
/** The same of a brief one, after which what did not fit is asked again with a short one. */
const LATENCIES_IN_A_BRIEF_LEASE = 8

/** A target may keep the end of a lease in whole seconds: of so many a second hardly matters. In milliseconds. */
const AMPLE_LEASE = 5000

/** How many times as long as an effect may take: what is left of an ample lease when a part has passed has room for such a wait. */
const SETTLINGS_IN_AN_AMPLE_LEASE = 6

/** How many readings that are held a short lease must leave room for. */
const HELD_READINGS_IN_A_LEASE = 3

/**
 * @param latency milliseconds, as measured: a high quantile
 * @param held how long an empty reading of a subscription is held, where it is: milliseconds
 */
export function deriveTiming(profile: Profile, latency: number, held = 0): Timing {
  const settle = profile.settleSeconds * 1000
  const readings = HELD_READINGS_IN_A_LEASE * held
  const lease = shortLease(profile, LATENCIES_IN_A_LEASE * latency + readings)
  const brief = leaseAsked(profile, wholeSeconds(LATENCIES_IN_A_BRIEF_LEASE * latency + readings))
  const needed = AMPLE_LEASE + readings + SETTLINGS_IN_AN_AMPLE_LEASE * settle
  const ample = leaseAsked(profile, Math.min(needed, longestLease(profile)))
  const isChosen = profile.subscription.parameters.timeout !== null
  return {
    latency,
    held,
    settle,
    // Under the load of the checks themselves a target may be ten times slower than when it was measured.
    timeout: Math.max(1500, 10 * latency) + 2 * settle + held,
    lease,
    briefLease: isChosen ? Math.min(brief, lease) : lease,
    ampleLease: isChosen ? Math.max(ample, lease) : lease,
    // Targets sweep their leases with timers of their own, some only once in a lease or once in a second or two.
    leaseGrace: Math.max(2000, lease) + 2 * settle + 10 * latency,
  }
}

/** @param needed milliseconds that it must last */
function shortLease(profile: Profile, needed: number): number {
  const { leaseSeconds, parameters } = profile.subscription
  const own = leaseSeconds * 1000
  if (parameters.timeout === null) return own
  // Whole seconds where the kit chooses: a target need not know fractions that its profile does not use.
  const chosen = needed > own ? wholeSeconds(needed) : own
  return leaseAsked(profile, Math.min(chosen, longestLease(profile)))
}

/** The least whole seconds that are not less, in milliseconds. */
function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000)) * 1000
}

/** The longest lease that the kit asks for: milliseconds. */
export function longestLease({ subscription }: Profile): number {
  return Math.min(LONG_LEASE, subscription.maxLeaseSeconds * 1000)
}

/** How long what was done should be remembered at least: milliseconds. */
export function lateBy({ lease }: Pick<Timing, 'lease'>): number {
  return Math.max(LATE, LATE_IN_LEASES * lease)
}
