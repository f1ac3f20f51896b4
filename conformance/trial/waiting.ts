import { Blocked } from '../client/findings.js'
import { LATENCIES_IN_A_LEASE } from '../client/timing.js'
import type { Consumer, Sent, Trial } from './trial.js'

export { unlessBlocked, unlessNotApplicable } from '../client/findings.js'

/** For `trial.never`: what was found, or undefined where nothing was. */
export function found<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list
}

/** For `trial.eventually`: true, or undefined to ask again. */
export function once(holds: boolean): true | undefined {
  return holds ? true : undefined
}

/** For `trial.eventually`: whether nothing is lacking. What is, may have to wait for more, see `Trial.sendMore`. */
export async function noneLacking(trial: Trial, lacking: readonly Sent[]): Promise<true | undefined> {
  if (lacking.length === 0) return true
  await trial.sendMore(lacking)
  return undefined
}

/** How often a race is run: the first time requests wait for their connections, and so come one after another. */
const ROUNDS = 3

/** Does what should happen at once several times over, one after the other. */
export async function inRounds(round: () => Promise<void>): Promise<void> {
  for (let run = 0; run < ROUNDS; run++) await round()
}

/** Gives a target whose effects take their time to show that time. */
export async function settled(trial: Trial): Promise<void> {
  await trial.never(async () => undefined)
}

/** Parts of the time that a lease leaves beside its requests, one of which may be spent on letting effects settle. */
const PARTS_TO_SETTLE = 5

/**
 * Gives a target whose effects take their time to show that time after something has shown: until then the next reading, which
 * another replica may answer, may be without it. Consumers whose leases are too short for that are asked at once.
 */
export async function shownForGood(trial: Trial, consumers: readonly Consumer[]): Promise<void> {
  const { settle, latency } = trial.timing
  const needed = PARTS_TO_SETTLE * settle + LATENCIES_IN_A_LEASE * latency
  if (settle > 0 && consumers.every(({ lease }) => lease >= needed)) await settled(trial)
}

/**
 * As `trial.eventually`, and an operation that is not answered as stated may yet be: on a target whose
 * effects take their time to show, a queue is not at once where it was created. Where nothing is found, the last such
 * answer is what the check is blocked by.
 */
export async function withRetries<T>(
  trial: Trial,
  probe: () => Promise<T | undefined>,
): Promise<T | undefined> {
  let blocked: Blocked | undefined
  const found = await trial.eventually(async () => {
    blocked = undefined
    try {
      return await probe()
    } catch (error) {
      blocked = asBlocked(error)
      return undefined
    }
  })
  if (found === undefined && blocked !== undefined) throw blocked
  return found
}

/**
 * Repeats `round` until it gives true or, for the length of the timeout, nothing more comes: the timeout begins anew
 * with all that comes, so that taking many messages one after another is nobody's fault.
 *
 * @param count how many have come so far
 */
export async function whileMoreCome(
  trial: Trial,
  count: () => number,
  round: () => Promise<true | undefined>,
): Promise<void> {
  for (let more: boolean | undefined = true; more; ) {
    const before = count()
    more = await trial.eventually(async () => {
      if (await round()) return false
      return count() > before || undefined
    })
  }
}

/** An error as that of a blocked check; what is another is thrown on. */
export function asBlocked(error: unknown): Blocked {
  if (error instanceof Blocked) return error
  throw error
}
