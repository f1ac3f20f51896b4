/**
 * What stood in the way of an answer:
 * - `times`: the target's answers took too long for the leases that it was asked for.
 * - `overrun`: the check was not done in the time that one check may take.
 * - `clock`: the target's clock could not be advanced.
 * - `credentials`: they were not sent to another origin that the target names.
 * - `limit`: an answer is longer, or has more in it, than the kit reads.
 * - `profile`: what the check needs to know of the target is not known.
 * - `contents`: the feeds of queues do not show the messages' contents.
 * - `gone`: nobody listens at the target's address any more.
 * - `stopped`: the run ended before the check did.
 *
 * @example
 * ```ts
 * const reason: InconclusiveReason = 'times'
 * ```
 */
export type InconclusiveReason =
  | 'times'
  | 'overrun'
  | 'clock'
  | 'credentials'
  | 'limit'
  | 'profile'
  | 'contents'
  | 'gone'
  | 'stopped'

/** Where a scenario broke a clause. */
export interface AtStep {
  readonly clause: string
  /** Counted from 0. */
  readonly step: number
  /** The steps on one line, and which of the scenarios that it stands for it is; empty where it stands for itself alone. */
  readonly scenario: string
  readonly variation: string
  /** Whether a success had another status than the document shows, and nothing else was wrong. */
  readonly isStatusAlone?: boolean
}

/** The target does not do what the check asks. */
export class Failed extends Error {
  override readonly name = 'Failed'

  constructor(
    readonly expected: string,
    readonly seen: string,
    readonly at?: AtStep,
  ) {
    super(`${seen} (expected: ${expected})`)
  }
}

/** A success of another status than the document shows: it costs the check of that status, whatever was asked. */
export interface WrongStatus {
  readonly clause: string
  readonly failed: Failed
}

/** What the check asks was never reached, since what another check asks did not hold here. */
export class Blocked extends Error {
  override readonly name = 'Blocked'

  constructor(
    /** Id of the other check; of a scenario, of the clause that was broken. */
    readonly by: string,
    readonly seen: string,
    readonly at?: AtStep,
    /** Whether what the check asks was reached all the same, and held. */
    readonly isAside = false,
  ) {
    super(`${seen} (see ${by})`)
  }
}

/** No answer could be had, mostly since the measured times do not allow one. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive'

  constructor(
    why: string,
    readonly inconclusiveReason: InconclusiveReason = 'times',
  ) {
    super(why)
  }
}

/** The check asks what the profile says that the target does not have. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable'
}

/** The check was ended from outside: its time was up, or the run was stopped. */
export class Ended extends Error {
  override readonly name = 'Ended'
}

/** What an attempt gives, or undefined where it ends with such an error. */
export async function unless<T>(
  kind: abstract new (...of: never[]) => Error,
  operation: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await operation()
  } catch (error) {
    if (error instanceof kind) return undefined
    throw error
  }
}

/** What an attempt gives, or undefined where an operation in it is not answered as stated. */
export const unlessBlocked = <T>(operation: () => Promise<T>) => unless(Blocked, operation)

/** What an attempt gives, or undefined where a target does not take, and need not, what it sends. */
export const unlessNotApplicable = <T>(operation: () => Promise<T>) => unless(NotApplicable, operation)
