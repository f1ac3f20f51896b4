import { answered } from '../../client/answered.js'
import { succeeded } from '../../client/exchange.js'
import type { CheckRecord } from '../../trial/check.js'
import { labels, texts } from '../../trial/labels.js'
import {
  type EarlyLease,
  elapseUntil,
  exceptForASecond,
  type Holding,
  holdForAShortLease,
  needActive,
} from '../../trial/lease-time.js'
import { readBodies } from '../../trial/reading.js'
import type { QueueHandle, Sent, Trial } from '../../trial/trial.js'

/** What the profile says of leases: nobody had to say it, and who says it is held to it. */
export const LEASE_CLAIMS: readonly CheckRecord[] = [
  {
    id: 'lease.claimed-renewal',
    title:
      'A lease, and with it the hold on its messages, is renewed by what the profile says that renews it.',
    stimulus:
      'Reads a feed with a message and an empty one, or acknowledges one of two messages, when two thirds of a lease have passed; two thirds of a lease later another consumer subscribes and reads, and then the first does.',
    clauses: ['lease.active', 'lease.expiry.not-early'],
    needs: ['lease.active-until-end', 'consume.own-view', 'ack.succeeds'],
    passesTime: true,
    async run(trial: Trial) {
      const { renewedBy, maxPrefetch } = trial.profile.subscription
      if (renewedBy.length === 0)
        return trial.observed('The profile does not say that anything renews a lease.')
      const uses: Use[] = renewedBy.map((how) =>
        how === 'read'
          ? { how, count: 1, acknowledged: 0 }
          : { how, count: Math.min(2, maxPrefetch), acknowledged: 1 },
      )
      // A reading is one though it finds nothing.
      if (renewedBy.includes('read')) uses.push({ how: 'read', count: 0, acknowledged: 0 })
      await exceptForASecond(trial, (lease) => judgeRenewal(trial, uses, lease))
    },
  },
]

/** What should renew a lease, of a consumer that holds so many messages. */
interface Use {
  readonly how: 'read' | 'ack'
  readonly count: number
  readonly acknowledged: number
}

interface Renewed extends Use, Holding {
  readonly queue: QueueHandle
}

async function judgeRenewal(trial: Trial, uses: readonly Use[], lease: EarlyLease): Promise<void> {
  const holdings = await Promise.all(
    uses.map(async (use) => {
      const queue = await trial.createQueue()
      return { ...use, queue, ...(await holdForAShortLease(trial, queue, use.count, { lease })) }
    }),
  )
  // All wait for the same moments: a clock of the target's own goes on as soon as one of them waits.
  const begun = Math.max(...holdings.map(({ holder }) => holder.createdAt))
  await elapseUntil(trial, begun + (2 / 3) * holdings[0]!.holder.lease)
  const asked = trial.now()
  await Promise.all(holdings.map((holding) => renew(trial, holding)))
  await elapseUntil(trial, asked + (2 / 3) * holdings[0]!.holder.lease)
  await Promise.all(holdings.map((holding) => expectRenewed(trial, holding, asked)))
}

async function renew(trial: Trial, { how, holder, entries }: Renewed): Promise<void> {
  const renewal = how === 'read' ? await holder.get() : await holder.tryAck(entries[0]!)
  // What was asked in time may have been read when the lease was over.
  if (!succeeded(renewal)) needActive(trial, holder)
  trial.precondition(succeeded(renewal), how === 'read' ? 'consume.feed' : 'ack.succeeds', answered(renewal))
}

async function expectRenewed(trial: Trial, renewed: Renewed, asked: number): Promise<void> {
  const { how, holder, messages, acknowledged } = renewed
  const held = messages.slice(acknowledged)
  // Before its holder reads again, which may bring back what was lost.
  const taken = await takenByAnother(trial, renewed.queue, held)
  const answer = await holder.get()
  const { createdAt, lease } = holder
  if (!succeeded(answer) || taken.length > 0) needActive(trial, holder, asked)
  const passed = `${Math.round(trial.now() - createdAt)} of ${lease} ms`
  const renewal = `${how === 'read' ? 'a reading' : 'an acknowledgement'} has renewed, as the profile says`
  trial.expect(
    succeeded(answer),
    `200 for a feed whose lease ${renewal}`,
    `${answered(answer)} after ${passed}`,
  )
  trial.expect(
    taken.length === 0,
    `no message with another consumer that is held under a lease which ${renewal}`,
    () => `${labels(messages, taken)} came to it after ${passed}`,
  )
}

/** Which of the messages that one consumer holds another is given. */
async function takenByAnother(trial: Trial, queue: QueueHandle, held: readonly Sent[]): Promise<string[]> {
  if (held.length === 0) return []
  const bodies = await readBodies(trial, await trial.subscribe(queue))
  return texts(held).filter((text) => bodies.includes(text))
}
