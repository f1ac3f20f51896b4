import type { Check } from '../trial/check.js'
import type { Probe } from './probe.js'

/**
 * Why a check cannot be asked of a target of which a probe has not seen what the check needs: a failure would then be
 * nobody's fault. What builds on such a check is blocked by it.
 *
 * @example
 * ```ts
 * const judged = (address: string, probe: Probe) =>
 *   runConformance(address, { profile: probe.profile, skipReason: skipReason(probe), probed: true }).report
 * ```
 */
export function skipReason({ unseen }: Pick<Probe, 'unseen'>): (check: Check) => string | undefined {
  return ({ id, passesTime }) => {
    // Without a prefetch much can be judged; what needs one says so itself.
    const subscribing = unseen.destination
    if (id === 'queues.create' && unseen.createQueue !== undefined) return unseen.createQueue
    if (id === 'subscribe.create' && subscribing !== undefined) return subscribing
    return passesTime ? (subscribing ?? unseen.lease) : undefined
  }
}
