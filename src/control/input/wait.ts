import { Problem } from '../../http/problems.js'
import { optional, readObject, readWhole } from './read.js'

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

/** A wait that can be given up. */
export interface Waiting<T> {
  readonly found: Promise<T>
  /** Leaves `found` unsettled. */
  readonly cancel: () => void
}

/** How many may wait at one log at once: each looks at what comes in the same turn of the event loop. */
const MOST_WAITING = 1000

/** @throws Problem `too-many-requests` */
export function checkWaiting(waiting: number): void {
  if (waiting < MOST_WAITING) return
  throw new Problem('too-many-requests', `${MOST_WAITING} wait already; end one of them first.`, {
    limit: MOST_WAITING,
  })
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
  const { timeout, count } = readObject({ value: options, at: '' }, ['timeout', 'count'])
  return {
    timeout: optional(timeout, (span) => readWhole(span, 0, LONGEST_WAIT)) ?? otherwise,
    count: optional(count, (times) => readWhole(times, 1, 1_000_000)) ?? 1,
  }
}

/** Shows somebody who waits what has come. What they ask with may take too long: they are refused then, and nobody else is. */
export function showTo<T>(
  { see, fail }: { readonly see: (shown: T) => unknown; readonly fail: (reason: Problem) => void },
  shown: T,
): void {
  try {
    see(shown)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    fail(error)
  }
}
