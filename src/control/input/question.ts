import { type EdgeKind, Problem } from '../../http/problems.js'

/** One thing that a pattern asks of what is looked at. */
export interface Question<T> {
  /** Its place in the pattern: `query.guid`. */
  readonly at: string
  /** As a person would say it: `guid=order-1`. */
  readonly says: string
  /** What is looked for, as plain data. */
  readonly wanted: unknown
  readonly fits: (shown: T) => boolean
  /** What is there instead, as plain data; undefined where there is nothing. */
  readonly seen: (shown: T) => unknown
}

/** Asks for a value; nothing where none is wanted. */
export function factQuestion<T>(
  at: string,
  wanted: unknown,
  says: string,
  seen: (shown: T) => unknown,
): Question<T>[] {
  return wanted === undefined ? [] : [{ at, wanted, says, seen, fits: (shown) => seen(shown) === wanted }]
}

/** Whether something is all that is asked. */
export function fitsAll<T>(questions: readonly Question<T>[]): (shown: T) => boolean {
  return (shown) => questions.every(({ fits }) => fits(shown))
}

/** What a question takes in memory beside what it looks for, and a character of that; bytes, about. */
const QUESTION_COST = 500
const CHARACTER_COST = 8

/** What questions take in memory, in bytes, about. */
export function bytesOf(questions: readonly Question<never>[]): number {
  let bytes = 0
  for (const { at, wanted } of questions)
    bytes += QUESTION_COST + CHARACTER_COST * (at.length + String(wanted).length)
  return bytes
}

/** What an expectation wanted, and what it got instead: what test runners show the difference of. */
export interface Difference {
  readonly expected: unknown
  readonly actual: unknown
}

/**
 * An expectation that does not hold. Test runners know it for an assertion, whose `expected` and `actual` they compare; over
 * HTTP it is a problem document, with these two as members.
 *
 * @example
 * ```ts
 * try {
 *   mq.messages.expect({ guid: 'order-1', acknowledged: true })
 * } catch (error) {
 *   if (error instanceof FailedExpectation) error.expected    // { matching: 1, guid: 'order-1', acknowledged: true }
 * }
 * ```
 */
export class FailedExpectation extends Problem implements Difference {
  override readonly name = 'AssertionError'
  readonly code = 'ERR_ASSERTION'
  readonly expected: unknown
  readonly actual: unknown
  /** As `node:assert` says that the message is not its own. */
  readonly generatedMessage = false
  readonly operator = 'deepStrictEqual'

  /** @param detail tells the story, as sentences for people */
  constructor(
    kind: EdgeKind,
    detail: string,
    { expected, actual }: Difference,
    facts: Readonly<Record<string, unknown>> = {},
  ) {
    super(kind, detail, { ...facts, expected, actual })
    this.expected = expected
    this.actual = actual
    // Runners print what can be enumerated, and all of this is told already.
    for (const name of Object.keys(this)) {
      if (name !== 'expected' && name !== 'actual') Object.defineProperty(this, name, { enumerable: false })
    }
  }
}

/**
 * Lets a failed expectation point at the line that called, which runners show, and not at the inside of the server; where the
 * platform can tell.
 */
export function blamingCaller<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
  const called = (...args: A): R => {
    const place: { stack?: string } = {}
    ;(Error as { captureStackTrace?: (on: object, below: unknown) => void }).captureStackTrace?.(
      place,
      called,
    )
    const blame = (error: unknown): never => {
      if (error instanceof FailedExpectation && place.stack !== undefined) {
        const lines = place.stack.split('\n').filter((line) => /^\s+at /.test(line))
        error.stack = [`${error.name}: ${error.message}`, ...lines].join('\n')
      }
      throw error
    }
    try {
      const result = work(...args)
      return result instanceof Promise ? (result.catch(blame) as R) : result
    } catch (error) {
      return blame(error)
    }
  }
  return called
}

/** How many of the latest are compared, and for how long, in milliseconds: a question may be a regular expression. */
const MOST_COMPARED = 200
const LONGEST = 100

/** Of what was seen, that which is most like what was wanted, the latest of equals; undefined where nothing is like it. */
export function nearest<T>(questions: readonly Question<T>[], seen: readonly T[]): T | undefined {
  const until = performance.now() + LONGEST
  let best: T | undefined
  let most = 0
  for (const shown of seen.slice(-MOST_COMPARED)) {
    const likeness = questions.reduce((sum, question) => sum + likenessOf(question, shown), 0)
    if (likeness >= most && likeness > 0) {
      most = likeness
      best = shown
    }
    if (performance.now() > until) break
  }
  return best
}

/** From 0 to 1: by what a text that does not fit begins and ends with. */
function likenessOf<T>({ fits, wanted, seen }: Question<T>, shown: T): number {
  if (fits(shown)) return 1
  const [one, other] = [String(wanted), String(seen(shown) ?? '')]
  const longest = Math.max(one.length, other.length)
  const shortest = Math.min(one.length, other.length)
  let same = 0
  while (same < shortest && one[same] === other[same]) same++
  let end = 0
  while (end < shortest - same && one.at(-1 - end) === other.at(-1 - end)) end++
  return longest === 0 ? 0 : (0.9 * (same + end)) / longest
}

/** What was wanted beside what is there, for a runner to compare: what fits is the same in both. */
export function difference<T>(questions: readonly Question<T>[], shown: T | undefined): Difference {
  const expected = Object.fromEntries(questions.map(({ at, wanted }) => [at, wanted]))
  if (shown === undefined) return { expected, actual: {} }
  const actual = questions.map(({ at, wanted, fits, seen }) => [at, fits(shown) ? wanted : seen(shown)])
  return { expected, actual: Object.fromEntries(actual) }
}

/** What differs, as words: `path is /queues/order, not /queues/orders`. */
export function differences<T>(questions: readonly Question<T>[], shown: T): string {
  return questions
    .filter(({ fits }) => !fits(shown))
    .map(({ at, wanted, seen }) => {
      const there = seen(shown)
      return `${at} is ${there === undefined ? 'not there' : told(there)}, not ${told(wanted)}`
    })
    .join('; ')
}

/** How much of a body or another value is told. */
const TOLD = 200

function told(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= TOLD ? text : `${text.slice(0, TOLD)}…`
}
