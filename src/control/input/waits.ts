import { SystemClock } from '../../clock/system.js'
import { Problem } from '../../http/problems.js'
import { readMembers, readWhole } from './read.js'

/**
 * How long, in milliseconds of real time, and for how many.
 *
 * @example
 * ```ts
 * const wait: WaitOptions = { timeout: 1000, count: 1 }
 * await mq.messages.waitFor({ guid: 'order-1' }, wait)
 * ```
 */
export interface WaitOptions {
  /** 5000 unless given, at most 300,000. */
  readonly timeout?: number | undefined
  /** How many must have come, those before the call included; 1 unless given. */
  readonly count?: number | undefined
}

const DEFAULT_WAIT = 5000
const LONGEST_WAIT = 300_000

/**
 * @param otherwise the timeout where none is given
 * @throws Problem `malformed-request`
 */
export function readWait(
  options: WaitOptions,
  otherwise: number = DEFAULT_WAIT,
): { timeout: number; count: number } {
  const read = readMembers<{ timeout: number; count: number }>(
    { value: options, at: '' },
    {
      timeout: (span) => readWhole(span, 0, LONGEST_WAIT),
      count: (times) => readWhole(times, 1, 1_000_000),
    },
  )
  return { timeout: otherwise, count: 1, ...read }
}

/** How many may wait at one log at once: each looks at what comes in the same turn of the event loop. */
const MOST_WAITING = 1000
/** How many bytes what they look for may take in memory together, about. */
const MOST_BYTES = 2 * 1024 * 1024

/** A wait that can be given up. */
export interface Waiting<T> {
  readonly found: Promise<T>
  /** Leaves `found` unsettled. */
  readonly cancel: () => void
}

/** The two ways in which a wait ends. */
export interface Ends<T> {
  readonly found: (value: T) => void
  readonly fail: (reason: Problem) => void
}

/** Those who wait, in real time, for what comes to one log. */
export class Waits<T> {
  readonly #realTime = new SystemClock()
  readonly #all = new Set<{ readonly see: (shown: T) => void; readonly fail: (reason: Problem) => void }>()
  /** What all of them take, by what they look for. */
  #bytes = 0
  #closed: Problem | undefined

  get size(): number {
    return this.#all.size
  }

  /**
   * Begins a wait.
   *
   * @param timeout in milliseconds; with 0 it ends at once
   * @param known what has come already
   * @param see looks at each of that, and then at what comes
   * @param late ends it when the time is up
   * @param bytes what it takes in memory to know what is looked for, about
   * @throws Problem `too-many-requests`, by `found`
   */
  begin<R>(
    timeout: number,
    known: Iterable<T>,
    see: (shown: T, ends: Ends<R>) => void,
    late: (ends: Ends<R>) => void,
    bytes = 0,
  ): Waiting<R> {
    let cancel = () => {}
    const found = new Promise<R>((resolve, reject) => {
      let over = false
      const end =
        <V>(settle: (value: V) => void) =>
        (value: V) => {
          over = true
          cancel()
          settle(value)
        }
      const ends: Ends<R> = { found: end(resolve), fail: end(reject) }
      for (const shown of known) {
        see(shown, ends)
        if (over) return
      }
      if (timeout === 0) late(ends)
      else if (this.#closed !== undefined) ends.fail(this.#closed)
      else if (this.#all.size >= MOST_WAITING) ends.fail(tooMany(`${MOST_WAITING} wait`, MOST_WAITING))
      else if (this.#bytes + bytes > MOST_BYTES)
        ends.fail(tooMany(`Those who wait look for ${MOST_BYTES} bytes`, MOST_BYTES))
      if (over) return
      const wait = { see: (shown: T) => see(shown, ends), fail: ends.fail }
      this.#all.add(wait)
      this.#bytes += bytes
      const timer = this.#realTime.at(this.#realTime.now() + timeout, () =>
        failing(ends.fail, () => late(ends)),
      )
      cancel = () => {
        timer()
        if (this.#all.delete(wait)) this.#bytes -= bytes
      }
    })
    return { found, cancel: () => cancel() }
  }

  /** Shows what has come. What somebody asks with may take too long: they are refused then, and nobody else is. */
  show(shown: T): void {
    for (const { see, fail } of [...this.#all]) failing(fail, () => see(shown))
  }

  fail(reason: Problem): void {
    for (const { fail } of [...this.#all]) fail(reason)
  }

  /** Ends every wait, and each that would begin: what is not here now does not come. */
  close(reason: Problem): void {
    this.#closed = reason
    this.fail(reason)
  }
}

/** Has a wait fail by what is refused while it looks. */
function failing(fail: (reason: Problem) => void, look: () => void): void {
  try {
    look()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    fail(error)
  }
}

function tooMany(what: string, limit: number): Problem {
  return new Problem('too-many-requests', `${what} already; end one of them first.`, { limit })
}
