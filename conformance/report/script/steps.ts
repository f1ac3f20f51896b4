import type { ReportedExchange } from '../result.js'

/** What a script asks once, or again and again until the answer is the one that counts. */
export interface Step {
  /** The last of those that are one step; its number among all steps, from 1. */
  readonly exchange: ReportedExchange
  readonly number: number
  /** Seconds that passed before it, in which the check waited. */
  readonly pause: number
  /** For how long it was asked again: seconds; how often with the same answer; and whether that ended with another. */
  readonly again: { readonly seconds: number; readonly times: number; readonly until: boolean } | undefined
  /** Whether the next request was sent before it was answered. */
  readonly besideNext: boolean
  /** Whether all that were sent before are answered first. */
  readonly afterAll: boolean
  /** Whether it was sent at the same moment as others, so that nobody can say which of them came first. */
  readonly isOfMany: boolean
  /** Whether it does not matter which of them came first: they read the same, and got the same answer. */
  readonly isSettled: boolean
}

/** Shorter pauses are those of the kit's own. */
const SHORTEST_PAUSE = 0.25
/** Seconds by which an answer that is waited for overlaps the next request; and within which requests are of one moment. */
const OVERLAP = 0.3
const MOMENT = 0.02
/** So often at most a request that changes something is repeated. */
const MOST_REPEATS = 30

/** The exchanges of a check as a script's steps, in the order in which they were sent. */
export function stepsOf(told: readonly ReportedExchange[]): Step[] {
  // What only reads is asked again until the answer is there; what changes something, as often as the check did it.
  const exchanges = [...told]
    .sort((one, other) => one.at - other.at)
    .flatMap((exchange) =>
      isReading(exchange) || exchange.times === 1
        ? [exchange]
        : Array<ReportedExchange>(Math.min(exchange.times, MOST_REPEATS)).fill({ ...exchange, times: 1 }),
    )
  const steps: Step[] = []
  let open = 0
  for (let first = 0; first < exchanges.length; ) {
    let last = first
    while (isSameQuestion(exchanges[last]!, exchanges[last + 1])) last += 1
    const [begun, exchange, next] = [exchanges[first]!, exchanges[last]!, exchanges[last + 1]]
    const [before, after] = [exchanges[first - 1], exchanges[first + 1]]
    const pause = first === 0 ? 0 : begun.at - Math.max(...exchanges.slice(0, first).map(lastOf(begun.at)))
    const isAgain = last > first || exchange.times > 1
    const isTogether = (other: ReportedExchange | undefined) =>
      other !== undefined &&
      other !== begun &&
      !(isReading(begun) && begun.request.url !== other.request.url) &&
      Math.abs(other.at - begun.at) < MOMENT &&
      Math.max(other.at, begun.at) < Math.min(endOf(other), endOf(begun))
    const until = endOf(exchange) > (next?.at ?? 0) ? endOf(exchange) : next!.at
    const overlaps = next !== undefined && next !== exchange && endOf(exchange) > next.at + OVERLAP
    const besideNext = overlaps && !isAgain
    steps.push({
      exchange,
      number: steps.length + 1,
      pause: pause > SHORTEST_PAUSE ? Math.round(pause * 10) / 10 : 0,
      again: isAgain
        ? {
            seconds: Math.ceil(until - begun.at) + 1,
            times: timesOf(exchanges.slice(first, last + 1)),
            until: last > first,
          }
        : undefined,
      besideNext,
      afterAll: open > 0 && begun.at >= open,
      isOfMany: isTogether(before) || isTogether(after),
      isSettled: [before, after].every((other) => !isTogether(other) || isAlike(other, begun)),
    })
    if (besideNext) open = Math.max(open, endOf(exchange))
    else if (begun.at >= open) open = 0
    first = last + 1
  }
  return steps
}

function isAlike(one: ReportedExchange | undefined, other: ReportedExchange): boolean {
  const saidBy = ({ request, response }: ReportedExchange) =>
    JSON.stringify([request, response?.status, response?.body])
  return one !== undefined && isReading(one) && saidBy(one) === saidBy(other)
}

/** How often a question was asked, as far as a script repeats it. */
function timesOf(exchanges: readonly ReportedExchange[]): number {
  return Math.min(
    MOST_REPEATS,
    exchanges.reduce((sum, { times }) => sum + times, 0),
  )
}

/** When it was answered; where a clock was moved by it, when that time had passed. */
function endOf({ at, seconds, advanced = 0 }: ReportedExchange): number {
  return at + seconds + advanced
}

/** When the last thing happened to a request until a time: its answer, or else its sending. */
function lastOf(time: number): (exchange: ReportedExchange) => number {
  return (exchange) => (endOf(exchange) > time ? exchange.at : endOf(exchange))
}

function isReading({ request }: ReportedExchange): boolean {
  return request.method === 'GET' || request.method === 'HEAD'
}

function isSameQuestion(one: ReportedExchange, other: ReportedExchange | undefined): boolean {
  if (other === undefined || !isReading(one)) return false
  // What is asked at the same time is no repeat.
  return JSON.stringify(one.request) === JSON.stringify(other.request) && other.at >= endOf(one)
}

/**
 * The steps of one moment, from one on: each was sent before any of them was answered. What is answered in an order that is
 * anybody's is asked together again, and the answers are compared together. None at the end.
 */
export function momentAt(steps: readonly Step[], at: number): Step[] {
  const [first, ...others] = steps.slice(at)
  if (first === undefined) return []
  const moment = [first]
  for (const step of isComparable(first) ? others : []) {
    if (!isComparable(step) || moment.some(({ exchange }) => endOf(exchange) <= step.exchange.at)) break
    moment.push(step)
  }
  return moment
}

function isComparable({ isOfMany, again, exchange: { response } }: Step): boolean {
  if (!isOfMany || again !== undefined || response === null) return false
  // What no HTTP client sends has an answer without header fields here, and what is not whole cannot be compared.
  return Object.keys(response.headers).length > 0 && response.body.encoding === 'text' && !response.body.cut
}
