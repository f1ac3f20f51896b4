import type { Trial } from '../trial/trial.js'

/** Milliseconds after which a clock that tells whole seconds tells another one. */
const A_WHILE = 1500

/** What is said of a check that needs time to pass where none does. */
export const CLOCK_STANDS = `the target's clock stands still: messages that were sent ${A_WHILE} ms apart bear the same time`

/** Whether the clock of a run's target stands still, as that of a mock broker may. It is asked once. */
export class StandingClock {
  #isFound: Promise<boolean> | undefined

  /** @param trial of a check that has failed */
  isFoundBy(trial: Trial): Promise<boolean> {
    this.#isFound ??= tellsOneTime(trial).catch(() => false)
    return this.#isFound
  }
}

async function tellsOneTime(trial: Trial): Promise<boolean> {
  const before = await timeOfMessage(trial)
  await trial.elapse(A_WHILE)
  return before !== undefined && before === (await timeOfMessage(trial))
}

/** When the target says that a message came which it is sent now, as it writes that. */
async function timeOfMessage(trial: Trial): Promise<string | undefined> {
  const queue = await trial.createQueue()
  await trial.send(queue)
  const entry = await trial.eventually(async () => (await trial.browse(queue)).entries[0])
  return entry?.updated || undefined
}
