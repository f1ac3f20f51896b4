import type { Trial } from './trial.js'

/** Gives a target whose effects take their time to show that time. */
export async function settled(trial: Trial): Promise<void> {
  await trial.never(async () => undefined)
}
