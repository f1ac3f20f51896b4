/** The longest delay that the platform's timers take, in milliseconds, nearly 25 days; a longer one would end at once. */
export const LONGEST_DELAY = 2 ** 31 - 1

/** The longest span that may be asked for where a clock keeps it, in milliseconds: a year. */
export const LONGEST_SPAN = 365 * 24 * 3600 * 1000

/**
 * How far a clock may be advanced, in milliseconds since the epoch: to the end of the year 9998. A lease that begins then ends in
 * the year 9999, the last that a date in a feed can have (RFC 3339).
 */
export const LATEST = Date.UTC(9999, 0, 1) - 1
