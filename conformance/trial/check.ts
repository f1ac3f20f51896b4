import type { Feature, Grade } from '../requirements/clause.js'
import type { Trial } from './trial.js'

export { type Grade, TOPICS, type Topic } from '../requirements/clause.js'

/**
 * One question to a target, runnable alone.
 *
 * @example
 * ```ts
 * const check: Check = {
 *   id: 'send.mine',
 *   title: 'A send is answered.',
 *   stimulus: 'Sends a message.',
 *   clauses: ['send.step-2.status'],
 *   grade: 'stated',
 *   run: async (trial) => {
 *     await trial.createQueue()
 *   },
 * }
 * await runConformance(url, { checks: [check] }).report
 * ```
 */
export interface Check {
  /** `topic.behaviour`: stable, encodes no position. Its first word is one of {@link TOPICS}. */
  readonly id: string
  /** The obligation, as a sentence about the target: "A repeated step 2 makes no second message." */
  readonly title: string
  /** What the check does to find out, as a sentence: "Posts one message twice to one address, then reads …" */
  readonly stimulus: string
  /** Its steps on one line, where it is a scenario: then its stimulus too. */
  readonly scenario?: string
  /** How much is done in it one after another: steps, and messages that are sent. Where that is known, what has most begins first. */
  readonly steps?: number
  /** Of a scenario, what its row says of what the document leaves open: `answers 404 as unknown-queue`. */
  readonly says?: string
  /** Ids of the clauses that it proves; at least one. */
  readonly clauses: readonly string[]
  readonly grade: Grade
  /** Judged only where the target has this feature; always given for `optional`. */
  readonly feature?: Feature
  /** Ids of checks that this one builds on: where one of them did not pass, this one is `blocked`. */
  readonly needs?: readonly string[]
  /**
   * Lets a lease run out or the clock go on. Such checks start first, since they mostly wait; on a target
   * whose clock the kit may advance, they run after the others.
   */
  readonly passesTime?: boolean
  /** Asks again when the others are over: such checks start before all that let time pass, so that much lies between. */
  readonly asksLate?: boolean
  /**
   * Reads the listing at the root, where every queue of a run is: such checks start early, while it is short. On a
   * slow target with small pages each reading takes longer with every queue.
   */
  readonly readsRoot?: boolean
  /**
   * Asks what happens while nobody else asks the target for anything: such checks run one by one, after the others. One that
   * {@link asksLate} begins beside them, and is by itself when it goes on.
   */
  readonly runsAlone?: boolean
  /**
   * Resolves where the target did as it should. Throws by way of `trial.expect` and its like where it did not.
   */
  run(trial: Trial): Promise<void>
}

/**
 * A check as its file says it. Title, grade and feature are those of its first clause where it does not say otherwise.
 */
export type CheckRecord = Omit<Check, 'title' | 'grade'> & Partial<Pick<Check, 'title' | 'grade'>>
