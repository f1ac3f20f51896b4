import { setTimeout as sleep } from 'node:timers/promises'
import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import { leaseParameter, leaseUnit } from '../client/subscription-request.js'
import type { ProbeTrial } from './probe-trials.js'
import type { Prober } from './prober.js'
import { reportedExpiry } from './reported-expiry.js'

/** Leases to try with where the client may choose, the shortest first: milliseconds. */
const LEASES = [1000, 4000]
/** As short as a target takes for sure that tells when a lease of it ends. */
const SHORTEST = 500
/** A target's own lease that is longer is not waited for a second time: milliseconds. */
const LONGEST_OWN = 10_000
const USES = ['read', 'ack'] as const

interface RenewalOptions {
  /** Whether the target tells when a lease ends. */
  readonly told: boolean
  readonly quick: boolean
  /** The shortest lease that a target heeds, where it is longer than usual: seconds. */
  readonly shortest?: number | undefined
}

/** What makes a lease begin anew. Where neither was seen to, it is taken to count from creation. */
export async function findRenewal(prober: Prober, { told, quick, shortest }: RenewalOptions): Promise<void> {
  const { parameters, leaseSeconds } = prober.draft.subscription
  const unseen = (why: string) => {
    prober.note('subscription.renewedBy', `${why} Fill it in by hand.`)
    // What was given is kept; what nobody said is not claimed.
    const { subscription, unknown } = prober.draft
    if (subscription.renewedBy.join() !== DEFAULT_PROFILE.subscription.renewedBy.join()) return
    subscription.renewedBy = []
    unknown.push('subscription.renewedBy')
  }
  if (quick) {
    if (!told) return unseen('No lease was waited for.')
    const reads = await readMovesEnd(prober)
    prober.draft.subscription.renewedBy = reads ? ['read'] : []
    prober.note(
      'subscription.renewedBy',
      `The end that the target tells ${reads ? 'moves' : 'stays'} when the feed is read; whether acknowledgements move it was not waited for.`,
    )
    return
  }
  const chooses = parameters.timeout !== null
  if (chooses && leaseUnit(prober.draft) === 'min') return unseen('A lease of minutes was not waited for.')
  if (!chooses && leaseSeconds * 1000 > LONGEST_OWN)
    return unseen('A lease so long was not waited for a second time.')
  const leases = told ? [SHORTEST, ...LEASES] : LEASES
  const isGiven = !chooses || shortest !== undefined
  for (const lease of isGiven ? [leaseSeconds * 1000] : leases) {
    const renewed = await prober.attempt(() => renewedBy(prober, lease))
    if (renewed === undefined) continue
    // What was seen to end in time is long enough for the checks, in whole seconds.
    if (chooses) prober.draft.subscription.leaseSeconds = Math.ceil(lease / 1000)
    prober.draft.subscription.renewedBy = renewed
    prober.note(
      'subscription.renewedBy',
      `A lease of ${lease} ms outlived its time after ${renewed.join(' and after ') || 'neither a reading nor an ack'}${renewed.length > 0 ? ' within it' : ''}.`,
    )
    return
  }
  unseen('Leases ended too late for what renews them to be seen.')
}

/**
 * Beside a lease that nobody uses, one is read and one is acknowledged in the middle of it, and each is looked at
 * once, after its first end and before its second.
 *
 * @returns undefined where the lease that nobody used did not end in time, or the uses came too late
 */
async function renewedBy(prober: Prober, lease: number): Promise<('read' | 'ack')[] | undefined> {
  await using trial: ProbeTrial = prober.trial()
  const { queue } = await prober.filledQueue(trial)
  const fields = leaseFields(prober, lease)
  const acked = await prober.consumer(trial, [queue], fields)
  const entry = await trial.eventually(async () => (await trial.readFeed(acked, 'consume.feed')).entries[0])
  const ackedAt = performance.now()
  // A reading may renew it, so the others begin only now.
  const idle = await prober.consumer(trial, [queue], fields)
  const read = await prober.consumer(trial, [queue], fields)
  const began = performance.now()
  await sleep(0.55 * lease - (began - ackedAt))
  if (performance.now() - ackedAt > 0.8 * lease) return undefined
  const used = performance.now()
  // It may wait for a message, and is waited for at the end only; where it came too late, it is refused.
  const reading = trial.target.request('GET', read)
  if (entry?.messageUri !== undefined) await trial.target.request('DELETE', entry.messageUri)
  if (performance.now() - used > 0.2 * lease) return undefined
  await sleep(began + 1.3 * lease - performance.now())
  const [isIdleAlive, ...alive] = await Promise.all(
    [idle, read, acked].map(async (uri) => {
      const answer = await trial.target.request('GET', uri)
      // Were it past the second end as well, a lease that was renewed would be over, too.
      if (answer.status !== 200 && performance.now() - used > 0.95 * lease) return undefined
      return answer.status === 200
    }),
  )
  if (isIdleAlive !== false || alive.includes(undefined) || (await reading).status !== 200) return undefined
  return USES.filter((_, index) => alive[index])
}

async function readMovesEnd(prober: Prober): Promise<boolean> {
  await using trial: ProbeTrial = prober.trial()
  const queue = await prober.queue(trial)
  const uri = await prober.consumer(trial, [queue], leaseFields(prober, 120_000))
  const first = await trial.target.request('GET', uri)
  await sleep(60)
  const second = await trial.target.request('GET', uri)
  const now = Date.now()
  const ends = [reportedExpiry([first], now), reportedExpiry([second], now)]
  return ends[0] !== undefined && ends[1] !== undefined && ends[1] - ends[0] > 30
}

function leaseFields({ draft }: Prober, lease: number): Record<string, string> {
  const { timeout } = draft.subscription.parameters
  return timeout === null ? {} : { [timeout]: leaseParameter(draft, lease) }
}
