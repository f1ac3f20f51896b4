import { answered } from '../../client/answered.js'
import { succeeded } from '../../client/exchange.js'
import type { CheckRecord } from '../../trial/check.js'
import {
  holdForAShortLease,
  latestExpiry,
  successorAfter,
  takeOver,
  whileActive,
  withBriefLeases,
} from '../../trial/lease-time.js'
import { expectPending } from '../../trial/pending.js'
import type { Consumer, QueueHandle, Sent, Trial } from '../../trial/trial.js'

/** Leases that end one after another while they hold one message. */
const ENDS = 5
/** Where each takes its time. */
const ENDS_IN_REAL_TIME = 3

/** A message that leases held that ended, and where it came to. */
interface PassedOn {
  readonly queue: QueueHandle
  readonly message: Sent
  readonly ended: number
  /** Who has it now; undefined where it did not come. */
  readonly holder: Consumer | undefined
}

/** A message under leases that end by time, again and again. */
export const LEASE_MANY_ENDS: readonly CheckRecord[] = [
  {
    id: 'lease.redelivered-often-by-expiry',
    title: 'However many leases have ended that held it, a message stays one, and pending.',
    stimulus:
      'A message goes from a consumer whose lease ends to the next: five in turn where the kit may advance the target’s clock, three elsewhere, of a second or two each where that can be had. The last acknowledges it, and the queue’s feed is read.',
    clauses: ['lease.pending-however-often', 'lease.redelivered-as-one', 'lease.delete.again-ackable'],
    needs: ['lease.deletion-hands-over', 'ack.leaves-queue'],
    passesTime: true,
    async run(trial: Trial) {
      const { queue, message, ended, holder } = await passOnOften(trial)
      if (holder === undefined) {
        const expected = `the message in its queue after ${ended} ended leases`
        await expectPending(trial, queue, [message], expected)
        return trial.observed(`After ${ended} ended leases it is pending, and given to nobody.`)
      }
      await whileActive(trial, holder, async () => {
        const [entry] = await holder.receive([message])
        const answer = await holder.tryAck(entry!)
        trial.expect(succeeded(answer), '200 for the ack of its last consumer', answered(answer))
      })
      await expectPending(trial, queue, [], `nothing in the queue after ${ended} ended leases and that ack`)
      await holder.endIfActive()
    },
  },
]

async function passOnOften(trial: Trial): Promise<PassedOn> {
  if (trial.profile.clock !== undefined) return passOn(trial, ENDS, 'short')
  return withBriefLeases(
    trial,
    (lease) => passOn(trial, ENDS_IN_REAL_TIME, lease),
    ({ holder }) => holder !== undefined,
  )
}

async function passOn(trial: Trial, ends: number, lease: 'short' | 'brief'): Promise<PassedOn> {
  const queue = await trial.createQueue()
  const { messages, ...first } = await holdForAShortLease(trial, queue, 1, { lease })
  const message = messages[0]!
  let { end } = first
  for (let ended = 1; ; ended++) {
    const successor = await successorAfter(trial, queue, end, ended < ends ? lease : 'long')
    const lacking = await takeOver(trial, successor, messages, end)
    const holder = lacking.length > 0 ? undefined : successor.consumer
    if (holder === undefined || ended === ends) return { queue, message, ended, holder }
    end = latestExpiry(trial, holder)
  }
}
