import { answered } from '../../client/answered.js'
import type { Exchange } from '../../client/exchange.js'
import { extensions } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { elapsePastEnd, elapseUntil, holdForAShortLease, latestExpiry } from '../../trial/lease-time.js'
import { answersWith } from '../../trial/status-check.js'
import { madeAt, parameter, postData } from '../../trial/subscription-form.js'
import type { Consumer, Trial } from '../../trial/trial.js'

/** How many readings or acknowledgements, a third of a lease apart, a renewed lease must outlive. */
const RENEWALS = 5

/** Leases where the document leaves them open: their length, their renewal, and what they answer when they are over. */
export const LEASE_CHOICES: readonly CheckRecord[] = [
  {
    id: 'lease.renewed-by-reading',
    stimulus: 'Reads a feed every third of a lease until well after the first lease would have ended.',
    clauses: ['lease.renew.read'],
    needs: ['consume.feed'],
    passesTime: true,
    async run(trial: Trial) {
      if (!trial.profile.subscription.renewedBy.includes('read')) {
        return trial.observed('The profile does not say that a reading renews a lease.')
      }
      const consumer = await trial.subscribe(await trial.createQueue(), { lease: 'short' })
      await renew(trial, consumer, () => consumer.get())
    },
  },
  {
    id: 'lease.renewed-by-acks',
    stimulus:
      'Reads some messages once and acknowledges one every third of a lease, until well after the first lease would have ended.',
    clauses: ['lease.renew.ack'],
    needs: ['ack.succeeds'],
    passesTime: true,
    async run(trial: Trial) {
      if (!trial.profile.subscription.renewedBy.includes('ack')) {
        return trial.observed('The profile does not say that an acknowledgement renews a lease.')
      }
      const { holder, entries } = await holdForAShortLease(trial, await trial.createQueue(), RENEWALS)
      const left = [...entries]
      await renew(trial, holder, () => holder.tryAck(left.pop()!))
    },
  },
  {
    id: 'lease.ended-gone',
    title: 'A subscription whose lease has ended answers 410.',
    stimulus: 'Lets a lease end and asks for the feed.',
    clauses: ['lease.gone'],
    needs: ['lease.ended-unreadable'],
    passesTime: true,
    async run(trial: Trial) {
      const consumer = await trial.subscribe(await trial.createQueue(), { lease: 'short' })
      await elapsePastEnd(trial, latestExpiry(trial, consumer))
      const answer = await consumer.get()
      trial.expect(answer.status === 410, '410', answered(answer))
    },
  },
  {
    id: 'lease.deleted-gone',
    title: 'A subscription that was deleted answers 410.',
    stimulus: 'Deletes a subscription, asks for its feed and deletes it again.',
    clauses: ['lease.gone'],
    needs: ['subscribe.deleted-unreadable'],
    run: answersWith(410, 'repeated-subscription-delete', async (trial: Trial) => {
      const consumer = await trial.subscribe(await trial.createQueue())
      await consumer.end()
      const read = await consumer.get()
      trial.expect(read.status === 410, '410 for the feed', answered(read))
      return trial.target.request('DELETE', consumer.uri)
    }),
  },
  {
    id: 'lease.unknown',
    stimulus: "Asks for a made-up address beside a subscription's.",
    clauses: ['lease.unknown'],
    needs: ['consume.feed'],
    run: answersWith(404, 'unknown-subscription', async (trial: Trial) => {
      const consumer = await trial.subscribe(await trial.createQueue())
      return trial.target.request('GET', new URL('f'.repeat(32), consumer.uri).href)
    }),
  },
  {
    id: 'lease.asked',
    title: 'A lease is as many seconds long as timeout says, or 30, and the feed tells when it ends.',
    stimulus: 'Compares when the leases end of a subscription with a timeout of 10 and of one without.',
    clauses: ['lease.asked', 'lease.shown'],
    needs: ['consume.feed'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const ends = async (fields: Record<string, string>) => {
        const uri = madeAt(trial, await postData(trial, queue, fields))
        const answer = await trial.target.request('GET', uri)
        return Date.parse(extensions(answer, 'lease-ends')[0] ?? '')
      }
      const began = trial.now()
      const asked = await ends({ [parameter(trial, 'timeout')]: '10' })
      trial.expect(Number.isFinite(asked), 'the end of the lease in the feed', 'none')
      const between = (await ends({})) - asked
      // The second may have begun as much later as all of this took; the target's own clock may stand still.
      const later = trial.now() - began
      const seen = `${(between / 1000).toFixed(1)} s`
      const isSo = between > 18_000 && between < 22_000 + later
      trial.expect(isSo, 'leases of 30 and 10 s, which end 20 s apart', seen)
    },
  },
]

/** Judges that `use`, every third of a lease, keeps a subscription active beyond its first lease. */
async function renew(trial: Trial, consumer: Consumer, use: () => Promise<Exchange>): Promise<void> {
  let usedAt = consumer.createdAt
  const judge = (answer: Exchange) => {
    if (answer.status !== 200 && trial.now() - usedAt > 0.8 * consumer.lease) {
      trial.inconclusive('the machine was too slow to use the lease in time')
    }
    const passed = `${Math.round(trial.now() - consumer.createdAt)} of ${consumer.lease} ms`
    trial.expect(
      answer.status === 200,
      '200 as long as the lease is renewed',
      `${answered(answer)} after ${passed}`,
    )
  }
  for (let i = 0; i < RENEWALS; i++) {
    await elapseUntil(trial, usedAt + consumer.lease / 3)
    const asked = trial.now()
    judge(await use())
    usedAt = asked
  }
  judge(await consumer.get())
}
