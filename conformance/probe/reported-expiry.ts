import type { Exchange } from '../client/exchange.js'

const DATE_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g

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
  const dates = answers.flatMap(({ headers, body }) => [
    ...(body.toString().match(DATE_TIME) ?? []),
    ...(headers.expires === undefined ? [] : [headers.expires]),
  ])
  const ends = dates.map((date) => Date.parse(date)).filter((date) => date > since)
  return ends.length === 0 ? undefined : Math.max(...ends)
}
