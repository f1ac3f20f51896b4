import type { Profile } from '../client/profile.js'
import type { ClauseId } from '../requirements/index.js'

/** Fields of a profile, and the clauses that may seem broken where one of them is not as its default says. */
const RESTS_ON: readonly (readonly [field: RegExp, clauses: RegExp])[] = [
  [
    /^subscription\.(?:maxPrefetch|parameters\.prefetch)$/,
    /^prefetch\.|^subscribe\.(?:status|location)$|^consume\.delivered$|\.hands-over$/,
  ],
  [
    /^subscription\.(?:\w*leaseSeconds|timeoutFormat|parameters\.timeout)$/i,
    /^(?:lease|batch|one-at-a-time|single-path)\.|^consume\.(?!entries)|^ack\.status$|^subscribe\.(?:delete\.)?status$/,
  ],
  // Whether a lease was renewed or not, both are reckoned with.
  [/^subscription\.renewedBy$/, /^(?!)/],
  [/^subscription\.(?:parameters\.)?selector\b/, /^subscribe\.(?:selector\.|status$)|^consume\.delivered$/],
  [/^subscription\.wildcard$/, /^subscribe\.(?:destinations\.|status$)|^consume\.delivered$/],
  [/^subscription\b/, /^(?:subscribe|consume|prefetch|lease)\./],
  [/^messageUri$/, /^ack\.|^browse\.pending\./],
  [/^message\b/, /^(?:send|dedup|single-path)\./],
  [/^guid\b/, /^dedup\./],
  [/^oneAtATime\b/, /^one-at-a-time\./],
  [/^(?:createQueue|queueNames)\b/, /^queues\./],
  [/^(?:settleSeconds|headers|requestsPerSecond)$/, /^/],
]

/** The unknown field of a profile, if any, on which it rests that a clause seems broken. */
export function unknownFieldOf({ unknown }: Profile, clause: ClauseId): string | undefined {
  return unknown.find((path) => RESTS_ON.find(([field]) => field.test(path))?.[1].test(clause))
}
