import type { Exchange } from './exchange.js'
import { sleep } from './stops.js'

/** No single wait that a target asks for is longer, nor all of one request together: milliseconds. */
export const LONGEST_WAIT = 15_000
/** Without a time in `Retry-After` that can be read. */
const SOME_WAIT = 1000
/** A target that refuses so many requests in a row, whatever the pace, is not waited for any longer. */
const MOST_IN_A_ROW = 40
/** Of the pace at which a target began to refuse, what is kept to from then on. */
const CAREFUL = 0.8
/** So few answers within a second say nothing of the pace: somebody else may have used it up. */
const FEW = 5
/** A pace that is known is kept to with this much to spare: timers are late and early. */
const SPARE = 1.05
/** Where it is still too fast, it is so many times slower from then on. */
const SLOWER = 1.25
/** But never more than so many times slower than the profile says, or than was found: other refusals than those of the pace have its status too. */
const SLOWEST = 4
const WINDOW = 1000

/** The pace of all requests of a run: as the profile says, and slower where the target says that they are too many. */
export class Pace {
  /** Milliseconds between two requests; 0 where they need not keep any. */
  #interval: number
  #longest: number
  #next = 0
  #inARow = 0
  /** From when on requests keep the pace as it is now: those before had their turn at another. */
  #since = 0
  /** When answers came within the last second that were no refusals. */
  readonly #answers: number[] = []

  /** @param now monotonic milliseconds */
  constructor(
    requestsPerSecond: number | null,
    readonly now: () => number = () => performance.now(),
  ) {
    this.#interval = requestsPerSecond === null ? 0 : (WINDOW * SPARE) / requestsPerSecond
    this.#longest = this.#interval * SLOWEST
  }

  /** Requests a second that are kept to; undefined where none has to be. */
  get requestsPerSecond(): number | undefined {
    return this.#interval === 0 ? undefined : Math.max(1, Math.round(WINDOW / this.#interval))
  }

  /** How long a request has to wait now; it is then counted as sent. */
  turn(): number {
    const now = this.now()
    const at = Math.max(now, this.#next)
    if (this.#interval > 0) this.#next = at + this.#interval
    return at - now
  }

  /** An answer that was no refusal of the pace. */
  answered(): void {
    this.#inARow = 0
    this.#answers.push(this.now())
    this.#forget()
  }

  #slowDown(sentAt: number): void {
    this.#forget()
    const taken = this.#answers.length
    if (this.#interval === 0) {
      this.#interval = taken < FEW ? 0 : WINDOW / (taken * CAREFUL)
      this.#longest = this.#interval * SLOWEST
    } else if (sentAt >= this.#since) this.#interval = Math.min(this.#interval * SLOWER, this.#longest)
  }

  #forget(): void {
    const before = this.now() - WINDOW
    while (this.#answers.length > 0 && this.#answers[0]! < before) this.#answers.shift()
  }

  /**
   * A refusal that asks to come again later: nothing is sent before.
   *
   * @param sentAt when what was refused was sent
   * @returns whether it is worth waiting
   */
  refused(status: number, milliseconds: number, sentAt: number): boolean {
    this.#inARow += 1
    if (this.#inARow > MOST_IN_A_ROW || milliseconds > LONGEST_WAIT) return false
    const before = this.#interval
    if (status === 429) this.#slowDown(sentAt)
    this.#next = Math.max(this.#next, this.now() + milliseconds)
    if (this.#interval !== before) this.#since = this.#next
    return true
  }
}

/** Milliseconds after which an answer asks to come again; undefined where it does not. */
export function retryAfter({ status, headers }: Pick<Exchange, 'status' | 'headers'>): number | undefined {
  const written = headers['retry-after']
  if ((status !== 429 && status !== 503) || written === undefined) return undefined
  const seconds = Number(written)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(written)
  // By the target's own clock, which may be wrong.
  const now = Date.parse(headers.date ?? '')
  return Number.isNaN(date) ? SOME_WAIT : Math.max(0, date - (Number.isNaN(now) ? Date.now() : now))
}

/** Waits, unless it is stopped. */
export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (milliseconds > 0) await sleep(milliseconds, signal).catch(() => {})
}
