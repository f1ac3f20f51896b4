import type { Consumer, Trial } from './trial.js'

/** What part of the grace after a lease's due end passes before it is asked whether it has ended. */
const ASK_AT = 0.05

/**
 * When the lease of a consumer that nobody asks for anything from now on has ended on any reading, grace aside:
 * the latest reading being that whatever was asked last has renewed it.
 */
export function latestExpiry(trial: Trial, consumer: Consumer): number {
  return trial.now() + consumer.lease
}

/** Lets time pass until `moment`; not at all where it is past. */
export async function elapseUntil(trial: Trial, moment: number, now = trial.now()): Promise<void> {
  if (moment > now) await trial.elapse(moment - now)
}

/** The same, until it is past for the target too, whose clock may stand still while the check works. */
export function elapsePast(trial: Trial, moment: number): Promise<void> {
  return elapseUntil(trial, moment, trial.surelyNow())
}

/** Lets time pass until a lease with this due end has ended, unless the target is late. */
export function elapsePastEnd(trial: Trial, end: number): Promise<void> {
  return elapsePast(trial, end + ASK_AT * trial.timing.leaseGrace)
}
