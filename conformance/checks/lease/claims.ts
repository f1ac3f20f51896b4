import { answered, succeeded } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { earliestExpiry, elapseUntil, holdForAShortLease } from '../../trial/lease-time.js'
import type { Consumer, Trial } from '../../trial/trial.js'

/** What the profile says of leases: nobody had to say it, and who says it is held to it. */
export const LEASE_CLAIMS: readonly CheckRecord[] = [
  {
    id: 'lease.claimed-renewal',
    title: 'A lease is renewed by what the profile says that renews it.',
    stimulus:
      'Reads a feed with a message and an empty one, or acknowledges a message, when two thirds of a lease have passed, and asks for the feed two thirds of a lease later.',
    clauses: ['lease.active'],
    needs: ['lease.active-until-end', 'ack.succeeds'],
    passesTime: true,
    async run(trial: Trial) {
      const { renewedBy } = trial.profile.subscription
      if (renewedBy.length === 0)
        return trial.observed('The profile does not say that anything renews a lease.')
      const judged = renewedBy.map((use) => judgeRenewal(trial, use, 1))
      // A reading is one though it finds nothing.
      if (renewedBy.includes('read')) judged.push(judgeRenewal(trial, 'read', 0))
      await Promise.all(judged)
    },
  },
]

async function judgeRenewal(trial: Trial, use: 'read' | 'ack', messages: number): Promise<void> {
  const { holder, entries } = await holdForAShortLease(trial, await trial.createQueue(), messages)
  await elapseUntil(trial, holder.createdAt + (2 / 3) * holder.lease)
  const asked = trial.now()
  const renewal = use === 'read' ? await holder.get() : await holder.tryAck(entries[0]!)
  if (asked > earliestExpiry(holder) && !succeeded(renewal)) tooSlow(trial, holder)
  trial.precondition(succeeded(renewal), use === 'read' ? 'consume.feed' : 'ack.succeeds', answered(renewal))
  await elapseUntil(trial, asked + (2 / 3) * holder.lease)
  const answer = await holder.get()
  const { createdAt, lease } = holder
  if (!succeeded(answer) && trial.now() > asked + 0.85 * lease) tooSlow(trial, holder)
  const passed = `${Math.round(trial.now() - createdAt)} of ${lease} ms`
  trial.expect(
    succeeded(answer),
    `200 for a feed whose lease ${use === 'read' ? 'a reading' : 'an acknowledgement'} has renewed, as the profile says`,
    `${answered(answer)} after ${passed}`,
  )
}

function tooSlow(trial: Trial, { uri }: Consumer): never {
  trial.inconclusive(`the answers took so long that the lease of ${uri} may have ended meanwhile`)
}
