/** The longest delay that the platform's timers take, in milliseconds, nearly 25 days; a longer one would end at once. */
export const LONGEST_DELAY = 2 ** 31 - 1

/** The longest span that may be asked for where a clock keeps it, in milliseconds: a year. */
export const LONGEST_SPAN = 365 * 24 * 3600 * 1000
