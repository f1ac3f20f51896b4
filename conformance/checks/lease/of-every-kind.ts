import type { CheckRecord } from '../../trial/check.js'
import { expectDelivered, expectNothingLacking } from '../../trial/deliveries.js'
import { labels } from '../../trial/labels.js'
import { elapsePastEnd, latestExpiry, takeOver } from '../../trial/lease-time.js'
import { coverInEveryWay, sendOfEveryKind } from '../../trial/of-every-kind.js'
import { expectPending } from '../../trial/pending.js'
import { readTimes } from '../../trial/reading.js'
import { judgeOtherWays, takeAll } from '../../trial/takers.js'
import type { Trial } from '../../trial/trial.js'

const STIMULUS =
  'One subscription covers two queues, of which one was made again, and, where the target offers it, a third by a wildcard and by its name; each has a short message and one with a guid, one has 66 kB more, and one a message of the single path, as far as they are taken. Its consumer reads them three times,'

/** Messages of several queues, sent in several ways, short and long, which a consumer gives up. */
export const LEASE_OF_EVERY_KIND: readonly CheckRecord[] = [
  {
    id: 'lease.deletion-of-every-kind',
    title:
      'A deleted subscription gives up every message, however it was sent and whatever destination covers it.',
    stimulus: `${STIMULUS} and is deleted; another reads, acknowledges all, and is deleted, and the queues’ feeds are read.`,
    clauses: ['lease.delete.hands-over', 'consume.entries', 'lease.delete.again-ackable'],
    needs: [
      'lease.deletion-hands-over',
      'subscribe.several-destinations',
      'prefetch.fills',
      'ack.leaves-queue',
    ],
    async run(trial: Trial) {
      const covered = await coverInEveryWay(trial)
      const { destinations, prefetch, queues } = covered
      const messages = await sendOfEveryKind(trial, covered)
      const holder = await trial.subscribe(destinations, { prefetch })
      await holder.receive(messages)
      await readTimes(holder, 2)
      await holder.end()
      const successor = await trial.subscribe(destinations, { prefetch })
      await expectDelivered(trial, [successor], messages, 'each message with the other consumer')
      const entries = await successor.read()
      const bodies = await trial.bodies(entries)
      trial.expect(
        bodies.length <= messages.length,
        `${messages.length} messages with the other consumer, each once`,
        () => `${bodies.length}: ${labels(messages, bodies)}`,
      )
      await Promise.all(entries.map((entry) => successor.ack(entry)))
      await successor.endIfActive()
      const expected = 'no message in a queue whose messages were acknowledged by the other consumer'
      for (const queue of queues) await expectPending(trial, queue, [], expected)
    },
  },
  {
    id: 'lease.deletion-hands-over-to-every-kind',
    title: 'What a deleted subscription held comes to others, whatever mapping they take it by.',
    stimulus:
      'A consumer reads a message and is deleted, once for each other mapping that the target claims; a consumer of that mapping, who was there before, takes messages.',
    clauses: ['lease.delete.hands-over'],
    needs: ['lease.deletion-hands-over'],
    run: (trial: Trial) =>
      judgeOtherWays(trial, async (way, make) => {
        const queue = await trial.createQueue()
        const message = await trial.send(queue)
        const holder = await trial.subscribe(queue)
        await holder.receive([message])
        const take = await make(trial, queue)
        await holder.end()
        if (await takeAll(trial, take, [message])) return true
        // A way that gives what is sent now leads to this queue, and should have given that.
        const later = await trial.send(queue)
        const isGiven = await takeAll(trial, take, [later])
        trial.expect(!isGiven, `what the subscription held by ${way}`, 'only a message that was sent later')
        return false
      }),
  },
  {
    id: 'lease.expiry-of-every-kind',
    title:
      'The end of a lease gives up every message, however it was sent and whatever destination covers it.',
    stimulus: `${STIMULUS} and falls silent; another subscribes after its lease.`,
    clauses: ['lease.expiry.hands-over'],
    needs: ['lease.expiry-hands-over', 'subscribe.several-destinations', 'prefetch.fills'],
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
