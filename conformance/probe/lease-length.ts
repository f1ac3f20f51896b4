import { setTimeout as sleep } from 'node:timers/promises'
import { createdAt } from '../trial/addresses.js'
import type { Prober } from './prober.js'

/** A lease that does not end within this is given up on: milliseconds. */
export const LONGEST = 20_000
const STEP = 500

/** How long a target's own lease is, which the client does not choose. */
export interface LeaseLength {
  /** Undefined where it could not be seen. */
  readonly seconds: number | undefined
  readonly why: string
}

/**
 * Watches when subscriptions end by themselves. Each of many is read once, at a time of its own, since a reading may
 * renew what it looks at; the first that is over tells the time.
 *
 * @param stop ends the watching
 */
export async function leaseLength(
  prober: Prober,
  stop: AbortSignal,
  longest = LONGEST,
): Promise<LeaseLength> {
  await using trial = prober.trial()
  const queue = await prober.queue(trial)
  // Where there is room for a few only, the search for the field of a lease needs some of it.
  const count = Math.min(Math.floor(longest / STEP), Math.ceil((prober.room ?? Number.POSITIVE_INFINITY) / 3))
  const step = longest / count
  const made = await Promise.all(Array.from({ length: count }, () => prober.subscribe(trial, [queue])))
  const leases = made.flatMap((created) => {
    const uri = createdAt(trial, created)
    return uri === undefined ? [] : [{ uri, created }]
  })
  const last = Math.max(...made.map(({ receivedAt }) => receivedAt))
  let alive = 0
  for (const [at, { uri, created }] of leases.entries()) {
    const due = last + (at + 1) * step
    await sleep(Math.max(0, due - performance.now()), undefined, { signal: stop }).catch(() => {})
    if (stop.aborted) break
    const answer = await trial.target.request('GET', uri)
    // Each is measured from its own beginning, however late its requests were sent.
    if (answer.status === 200) alive = Math.max(alive, answer.sentAt - created.receivedAt)
    else if (answer.status !== 0) {
      const over = answer.receivedAt - created.sentAt
      const why = `at ${seconds(alive)} it was there, at ${seconds(over)} no longer.`
      const whole = Math.floor(alive / 1000)
      if (whole === 0 || whole === likely(alive, over)) return { seconds: likely(alive, over), why }
      const early = await endsSoonAfter(prober, whole * 1000)
      if (early === undefined) return { seconds: likely(alive, over), why }
      return { seconds: whole, why: `${why} Begun at another moment, one was over at ${seconds(early)}.` }
    }
  }
  return {
    seconds: undefined,
    why: `No subscription ended by itself within ${seconds(longest)}, and no field made it: give its parameter, or null and leaseSeconds, by hand.`,
  }
}

/** How many leases are begun within the second in which a target may sweep once. */
const MOMENTS = 6
/** How long after its time one of them is looked at: milliseconds. */
const JUST_AFTER = 250

/** Whether a lease that is begun at the right moment is over at this age already; when it was seen to be. */
async function endsSoonAfter(prober: Prober, age: number): Promise<number | undefined> {
  await using trial = prober.trial()
  const queue = await prober.queue(trial)
  const began = performance.now()
  const ends = await Promise.all(
    Array.from({ length: MOMENTS }, async (_, moment) => {
      await sleep(Math.max(0, began + (moment * 1000) / MOMENTS - performance.now()))
      const created = await prober.subscribe(trial, [queue])
      const uri = createdAt(trial, created)
      await sleep(age + JUST_AFTER)
      const answer = uri === undefined ? undefined : await trial.target.request('GET', uri)
      const isOver = answer !== undefined && answer.status !== 200 && answer.status !== 0
      return isOver ? answer.receivedAt - created.sentAt : Number.POSITIVE_INFINITY
    }),
  )
  const first = Math.min(...ends)
  return first < age + 2 * JUST_AFTER ? first : undefined
}

/**
 * The roundest length that a lease may have: a whole number of seconds where it is longer than two, and never longer than
 * what was seen. A target that sweeps its leases by a timer ends them up to a second late.
 */
function likely(alive: number, over: number): number {
  const whole = Math.floor(over / 1000)
  if (whole >= 2 || (whole === 1 && whole * 1000 > alive - 100)) return whole
  return Math.max(0.1, Math.floor(Math.min(alive, over) / 100) / 10)
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
