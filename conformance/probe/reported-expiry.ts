import { timesIn } from '../client/answered.js'
import type { Exchange } from '../client/exchange.js'

/**
 * The end of its lease that a target tells of its own accord: the latest date and time in its answers that is still
 * to come, in the body or in `Expires`. What is at most a second after an answer's own `Date` is when it was made.
 *
 * @param now milliseconds since 1970, when the last of the answers had come
 * @returns the same; undefined where nothing is to come
 */
export function reportedExpiry(answers: readonly Exchange[], now: number): number | undefined {
  const made = answers.map(({ headers }) => Date.parse(headers.date ?? '') + 1000)
  const since = Math.max(now, ...made.filter((each) => !Number.isNaN(each)))
  const ends = answers.flatMap(timesIn).filter((time) => time > since)
  return ends.length === 0 ? undefined : Math.max(...ends)
}
