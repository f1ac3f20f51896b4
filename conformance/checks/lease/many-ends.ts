import type { CheckRecord } from '../../trial/check.js'
import { endIfActive } from '../../trial/expectations.js'
import { holdForAShortLease, latestExpiry, successorAfter, takeOver } from '../../trial/lease-time.js'
import type { Trial } from '../../trial/trial.js'

/** Leases that end one after another while they hold one message. */
const ENDS = 5
/** Each takes a lease. */
const ENDS_IN_REAL_TIME = 2

/** A message under leases that end by time, again and again. */
export const LEASE_MANY_ENDS: readonly CheckRecord[] = [
  {
    id: 'lease.redelivered-often-by-expiry',
    title: 'A message that was not acknowledged is given to another consumer however many leases have ended.',
    stimulus:
      'A message goes from a consumer whose lease ends to the next: five in turn where the kit may advance the target’s clock, two elsewhere.',
    clauses: ['lease.redelivered-often'],
    needs: ['lease.deletion-hands-over'],
    passesTime: true,
    async run(trial: Trial) {
      const ends = trial.profile.clock === undefined ? ENDS_IN_REAL_TIME : ENDS
      const queue = await trial.createQueue()
      const { messages, ...first } = await holdForAShortLease(trial, queue, 1)
      let { end } = first
      for (let ended = 1; ended < ends; ended++) {
        const successor = await successorAfter(trial, queue, end, 'short')
        const lacking = await takeOver(trial, successor, messages, end)
        trial.expect(
          lacking.length === 0,
          `the message with the consumer after ${ended} ended leases`,
          'it is lost',
        )
        end = latestExpiry(trial, successor.consumer)
      }
      const last = await successorAfter(trial, queue, end)
      const lacking = await takeOver(trial, last, messages, end)
      trial.expect(
        lacking.length === 0,
        `the message with the consumer after ${ends} ended leases`,
        'it is lost',
      )
      await endIfActive(last.consumer)
    },
  },
]
