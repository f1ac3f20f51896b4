import { answered, succeeded } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { elapseUntil, type Holding, holdForAShortLease, needActive } from '../../trial/lease-time.js'
import type { Trial } from '../../trial/trial.js'

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
      // A reading is one though it finds nothing.
      const uses = renewedBy.map((use) => ({ use, count: 1 }))
      if (renewedBy.includes('read')) uses.push({ use: 'read', count: 0 })
      const holdings = await Promise.all(
        uses.map(async ({ use, count }) => ({
          use,
          ...(await holdForAShortLease(trial, await trial.createQueue(), count)),
        })),
      )
      // All wait for the same moments: a clock of the target's own goes on as soon as one of them waits.
      const begun = Math.max(...holdings.map(({ holder }) => holder.createdAt))
      await elapseUntil(trial, begun + (2 / 3) * holdings[0]!.holder.lease)
      const asked = trial.now()
      await Promise.all(holdings.map((holding) => renew(trial, holding)))
      await elapseUntil(trial, asked + (2 / 3) * holdings[0]!.holder.lease)
      await Promise.all(holdings.map((holding) => expectRenewed(trial, holding, asked)))
    },
  },
]

interface Renewed extends Holding {
  readonly use: 'read' | 'ack'
}

async function renew(trial: Trial, { use, holder, entries }: Renewed): Promise<void> {
  const renewal = use === 'read' ? await holder.get() : await holder.tryAck(entries[0]!)
  // What was asked in time may have been read when the lease was over.
  if (!succeeded(renewal)) needActive(trial, holder)
  trial.precondition(succeeded(renewal), use === 'read' ? 'consume.feed' : 'ack.succeeds', answered(renewal))
}

async function expectRenewed(trial: Trial, { use, holder }: Renewed, asked: number): Promise<void> {
  const answer = await holder.get()
  const { createdAt, lease } = holder
  if (!succeeded(answer)) needActive(trial, holder, asked)
  const passed = `${Math.round(trial.now() - createdAt)} of ${lease} ms`
  trial.expect(
    succeeded(answer),
    `200 for a feed whose lease ${use === 'read' ? 'a reading' : 'an acknowledgement'} has renewed, as the profile says`,
    `${answered(answer)} after ${passed}`,
  )
}
