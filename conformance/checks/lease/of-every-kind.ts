import type { CheckRecord } from '../../trial/check.js'
import { expectDelivered, expectNothingLacking } from '../../trial/deliveries.js'
import { elapsePastEnd, latestExpiry, takeOver } from '../../trial/lease-time.js'
import { coverInEveryWay, sendOfEveryKind } from '../../trial/of-every-kind.js'
import { readTimes } from '../../trial/reading.js'
import type { Trial } from '../../trial/trial.js'

const STIMULUS =
  'One subscription covers two queues by name and, where the target offers it, one by a wildcard; each has a short message and one with a guid, and one has 66 kB more, as far as they are taken. Its consumer reads them three times,'

/** Messages of several queues, sent in several ways, short and long, which a consumer gives up. */
export const LEASE_OF_EVERY_KIND: readonly CheckRecord[] = [
  {
    id: 'lease.deletion-of-every-kind',
    title:
      'A deleted subscription gives up every message, however it was sent and whatever destination covers it.',
    stimulus: `${STIMULUS} and is deleted; another reads.`,
    clauses: ['lease.delete.hands-over'],
    needs: ['lease.deletion-of-several-queues', 'prefetch.fills'],
    async run(trial: Trial) {
      const covered = await coverInEveryWay(trial)
      const { destinations, prefetch } = covered
      const messages = await sendOfEveryKind(trial, covered)
      const holder = await trial.subscribe(destinations, { prefetch })
      await holder.receive(messages)
      await readTimes(holder, 2)
      await holder.end()
      const successor = await trial.subscribe(destinations, { prefetch })
      await expectDelivered(trial, [successor], messages, 'each message with the other consumer')
    },
  },
  {
    id: 'lease.expiry-of-every-kind',
    title:
      'The end of a lease gives up every message, however it was sent and whatever destination covers it.',
    stimulus: `${STIMULUS} and falls silent; another subscribes after its lease.`,
    clauses: ['lease.expiry.hands-over'],
    needs: ['lease.expiry-hands-over', 'lease.deletion-of-several-queues', 'prefetch.fills'],
    passesTime: true,
    async run(trial: Trial) {
      const covered = await coverInEveryWay(trial)
      const { destinations, prefetch } = covered
      const messages = await sendOfEveryKind(trial, covered)
      const holder = await trial.subscribe(destinations, { prefetch, lease: 'short' })
      await holder.receive(messages)
      await readTimes(holder, 2)
      const end = latestExpiry(trial, holder)
      await elapsePastEnd(trial, end)
      const again = () => trial.subscribe(destinations, { prefetch })
      const lacking = await takeOver(trial, { consumer: await again(), again }, messages, end)
      expectNothingLacking(trial, messages, lacking, 'each message with a consumer that came after the lease')
    },
  },
]
