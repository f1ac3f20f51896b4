import type { Consumer, Trial } from '../run/trial.js'

/** Part of a lease and milliseconds by which a target's timers may be early. */
const EARLY_PART = 0.1
const EARLY_MS = 50

/**
 * Up to this moment a lease cannot have ended on any reading of the document, the strictest being that it is
 * counted from the creation of the subscription. In milliseconds of `trial.now()`.
 */
export function surelyActive(consumer: Consumer): number {
  return consumer.createdAt + consumer.lease * (1 - EARLY_PART) - EARLY_MS
}

/**
 * From this moment a lease must have ended on any reading, its grace aside.
 * @param touchedAt when the check last asked for anything of the consumer's
 */
export function dueEnd(consumer: Consumer, touchedAt: number): number {
  return Math.max(consumer.lastUsedAt, touchedAt) + consumer.lease
}

/** Lets time pass until `moment`; at once where it is past. */
export async function elapseUntil(trial: Trial, moment: number): Promise<void> {
  const wait = moment - trial.now()
  if (wait > 0) await trial.elapse(wait)
}

/**
 * Asks for what the end of a lease must bring about: from its due end through the grace, and then for as long as
 * patience lasts. A few questions only, since a question may cost a target's clock nothing or much.
 * @returns what `probe` gave, or undefined where it never gave anything
 */
export async function afterEnd<T>(
  trial: Trial,
  end: number,
  probe: () => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const part of [0.05, 0.3, 1]) {
    await elapseUntil(trial, end + part * trial.timing.leaseGrace)
    const found = await probe()
    if (found !== undefined) return found
  }
  return trial.eventually(probe)
}
