import { type Exchange, noAnswerWithin } from '../client/exchange.js'

/** So often a target may take its time: one that does so again and again leaves requests without an answer. */
const FEW = 3

/** An answer that takes more than this part of the time it is given tells that the others may take all of it. */
const SLOW = 1 / 2

/** Answers of a run that did not come in time: whether they may only be slow. */
export class Stalls {
  #count = 0
  /** How many milliseconds the slowest answer took that was not asked to wait. */
  #slowest = 0
  /** Until when the last of them was waited for. */
  #until = Number.NEGATIVE_INFINITY

  /** Notes how long what was answered took: a busy machine is slow with all of it, a target that hangs with some. */
  noteAnswers(exchanges: readonly Exchange[]): void {
    for (const { status, requestHeaders, sentAt, receivedAt } of exchanges) {
      const took = receivedAt - sentAt
      if (status > 0 && took > this.#slowest && requestHeaders.Prefer === undefined) this.#slowest = took
    }
  }

  /**
   * Notes what was not answered in time. Requests that waited at the same time count once: a target that serves one at a time
   * keeps all of them waiting.
   *
   * @returns the first that may only be slow; undefined where all was answered, or the target does not answer
   */
  note(exchanges: readonly Exchange[], answerTimeout: number): Exchange | undefined {
    const late = exchanges
      .filter(({ error }) => error === noAnswerWithin(answerTimeout))
      .toSorted((one, other) => one.sentAt - other.sentAt)
    for (const { sentAt, receivedAt } of late) {
      if (sentAt > this.#until) this.#count += 1
      this.#until = Math.max(this.#until, receivedAt)
    }
    return this.areFew || this.isSlow(answerTimeout) ? late[0] : undefined
  }

  /** Whether the target, or the machine, has been slow with an answer that came. */
  isSlow(answerTimeout: number): boolean {
    return this.#slowest > answerTimeout * SLOW
  }

  /** Whether more time would be well spent on a target. */
  get areFew(): boolean {
    return this.#count <= FEW
  }
}
