import { setTimeout as sleep } from 'node:timers/promises'
import type { Prober } from './prober.js'

/** A lease that does not end within this is given up on: milliseconds. */
export const LONGEST = 20_000
const STEP = 500
/** How many readings may be under way: as many as a run has checks at once. */
const AT_ONCE = 8
/** How late a run lets a lease end that is no longer than this: seconds. */
const MOST_LATE = 2

/** How long a target's own lease is, which the client does not choose. */
interface LeaseLength {
  /** Undefined where it could not be seen. */
  readonly seconds: number | undefined
  /** So long it lasted for sure: seconds. */
  readonly atLeast: number
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
  const leases = made.flatMap(({ answer, uri }) => (uri === undefined ? [] : [{ uri, created: answer }]))
  const last = Math.max(...made.map(({ answer }) => answer.receivedAt))
  let alive = 0
  let over: number | undefined
  // Each is measured from its own beginning, however late its requests were sent.
  const look = async ({ uri, created }: (typeof leases)[number]) => {
    const answer = await trial.target.request('GET', uri)
    if (answer.status === 200) alive = Math.max(alive, answer.sentAt - created.receivedAt)
    else if (answer.status !== 0)
      over = Math.min(over ?? Number.POSITIVE_INFINITY, answer.receivedAt - created.sentAt)
  }
  const looking = new Set<Promise<void>>()
  for (const [at, lease] of leases.entries()) {
    const due = last + (at + 1) * step
    await sleep(Math.max(0, due - performance.now()), undefined, { signal: stop }).catch(() => {})
    if (stop.aborted || over !== undefined) break
    const one = look(lease).finally(() => looking.delete(one))
    looking.add(one)
    // Where the watching ends first, nobody waits for it.
    one.catch(() => {})
    // A reading that waits for a message holds up none of the next, or the end would be seen late by as much.
    await Promise.race([looking.size < AT_ONCE ? sleep(step) : undefined, ...looking].filter((each) => each))
  }
  if (!stop.aborted) await Promise.all(looking)
  if (over !== undefined) {
    const why = `at ${seconds(alive)} it was there, at ${seconds(over)} no longer.`
    const length = likely(alive, over)
    const found = (known: number | undefined, more = '') => ({
      seconds: known,
      atLeast: Math.max(1, Math.floor(alive / 1000)),
      why: `${why}${more}`,
    })
    if (over > 1000 * (length + Math.max(MOST_LATE, length)))
      return found(undefined, ' Its readings took too long for more to be told: give leaseSeconds by hand.')
    const whole = Math.floor(alive / 1000)
    if (whole === 0 || whole === length) return found(length)
    const early = await endsSoonAfter(prober, whole * 1000)
    if (early === undefined) return found(length)
    return found(whole, ` Begun at another moment, one was over at ${seconds(early)}.`)
  }
  return {
    seconds: undefined,
    atLeast: longest / 1000,
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
      const { answer: created, uri } = await prober.subscribe(trial, [queue])
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
 * what was seen. A target that sweeps its leases by a timer ends them up to a second late. Of several numbers the least,
 * since a lease that ends late is borne with, and on one that is taken for longer a check would rely too long.
 */
function likely(alive: number, over: number): number {
  const whole = Math.min(Math.floor(over / 1000), Math.max(1, Math.ceil(alive / 1000)))
  if (whole >= 2 || (whole === 1 && whole * 1000 > alive - 100)) return whole
  return Math.max(0.1, Math.floor(Math.min(alive, over) / 100) / 10)
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
