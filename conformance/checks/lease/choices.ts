import { extensions } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { madeAt, parameter, postData } from '../../trial/subscription-form.js'
import type { Trial } from '../../trial/trial.js'

/** Leases where the document leaves them open: their length, and addresses of subscriptions that never were. */
export const LEASE_CHOICES: readonly CheckRecord[] = [
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
