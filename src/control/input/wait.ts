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
