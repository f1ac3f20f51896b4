import type { Doubt } from './result.js'

/** The target does not do what the check asks. */
export class Failed extends Error {
  override readonly name = 'Failed'

  constructor(
    readonly expected: string,
    readonly seen: string,
  ) {
    super(`${seen} (expected: ${expected})`)
  }
}

/** What the check asks was never reached, since what another check asks did not hold here. */
export class Blocked extends Error {
  override readonly name = 'Blocked'

  constructor(
    /** Id of the other check. */
    readonly by: string,
    readonly seen: string,
  ) {
    super(`${seen} (see ${by})`)
  }
}

/** No answer could be had, mostly since the measured times do not allow one. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive'

  constructor(
    why: string,
    readonly doubt: Doubt = 'times',
  ) {
    super(why)
  }
}

/** The check was ended from outside: its time was up, or the run was stopped. */
export class Ended extends Error {
  override readonly name = 'Ended'
}
