import type { Question } from './question.js'
import { type Given, optional, readMap, readObject, readText, wrong } from './read.js'
import { testInTime } from './test-in-time.js'

/**
 * A text that is looked for, or a regular expression.
 *
 * @example
 * ```ts
 * const patterns: TextPattern[] = ['order-1', /^order-/, { matches: '^order-' }]
 * ```
 */
export type TextPattern = string | RegExp | RegularExpression

/**
 * A regular expression as JSON. One that takes more than 20 milliseconds for a text is refused, and fits nothing as a
 * fault's. What takes long to prepare is refused at once: `\p{…}`, and repeated groups more than two deep.
 *
 * @example
 * ```ts
 * const expression: RegularExpression = { matches: '^order-', flags: 'i' }
 * ```
 */
export interface RegularExpression {
  /** In the grammar of JavaScript. */
  readonly matches: string
  /** Any of `i`, `m`, `s`, `u`. */
  readonly flags?: string | undefined
}

/** How many names one pattern may ask about: each takes a question of its own. */
const MOST_NAMES = 64

/** How deep groups that are repeated may stand within one another, and how long an expression may be. */
const DEEPEST = 2
const LONGEST = 1000

export function readTextPattern(given: Given): string | RegularExpression {
  const { value, at } = given
  if (typeof value === 'string') return value
  const { matches, flags } =
    value instanceof RegExp
      ? { matches: { value: value.source, at }, flags: { value: value.flags.replace(/[gy]/g, ''), at } }
      : typeof value === 'object' && value !== null
        ? readObject(given, ['matches', 'flags'])
        : wrong(given, 'a text, or an object such as {"matches": "^order-"}')
  const pattern = { matches: readText(matches), flags: optional(flags, readText) }
  if (pattern.matches.length > LONGEST)
    wrong(matches, `a regular expression of at most ${LONGEST} characters`)
  if (!/^[imsu]*$/.test(pattern.flags ?? '')) wrong(flags, 'any of i, m, s, u')
  try {
    new RegExp(pattern.matches, pattern.flags)
  } catch {
    wrong(matches, 'a regular expression')
  }
  // What follows makes an expression long to prepare, which takes seconds then, and cannot be stopped.
  if (/\\p\{/i.test(pattern.matches)) wrong(matches, 'a regular expression without \\p{…}')
  if (depthOfRepeats(pattern.matches) > DEEPEST) {
    wrong(matches, `a regular expression in which repeated groups stand at most ${DEEPEST} deep`)
  }
  return pattern.flags ? pattern : { matches: pattern.matches }
}

/** How many repeated groups stand within one another at most. */
function depthOfRepeats(source: string): number {
  /** For each group that is open: how deep they stand in it. */
  const open: number[] = [0]
  for (const [token] of source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\(|\)[*+?{]?/gs)) {
    if (token === '(') open.push(0)
    else if (token.startsWith(')')) {
      const depth = open.pop()! + (token.length - 1)
      open.push(Math.max(open.pop()!, depth))
    }
  }
  return open[0]!
}

export function readPatterns<T>(given: Given, read: (pattern: Given) => T): Record<string, T> {
  return readMap(given, read, MOST_NAMES)
}

/** Looks for texts as the whole of a value. */
export const equalling = (wanted: string) => (text: string) => text === wanted

/**
 * @param search how a text is looked for that is no regular expression
 * @returns throws Problem `malformed-request` where a regular expression takes too long
 */
function compileText(
  pattern: TextPattern,
  search: (wanted: string) => (text: string) => boolean,
): (text: string) => boolean {
  if (typeof pattern === 'string') return search(pattern)
  const expression = pattern instanceof RegExp ? pattern : new RegExp(pattern.matches, pattern.flags)
  return (text) => testInTime(expression, text)
}

export function describeText(pattern: TextPattern): string {
  if (typeof pattern === 'string') return pattern
  return pattern instanceof RegExp ? `${pattern}` : `/${pattern.matches}/${pattern.flags ?? ''}`
}

/**
 * Asks for a text; nothing where none is wanted.
 *
 * @param word what stands before the text where a person says it
 * @param seen what is there; where that is nothing, it is looked for in the empty text
 * @param search how a text is looked for that is no regular expression; as the whole unless given
 */
export function textQuestion<T>(
  at: string,
  wanted: TextPattern | undefined,
  word: string,
  seen: (shown: T) => string | null | undefined,
  search = equalling,
): Question<T>[] {
  if (wanted === undefined) return []
  const fits = compileText(wanted, search)
  const text = describeText(wanted)
  return [{ at, wanted: text, says: word + text, seen, fits: (shown) => fits(seen(shown) ?? '') }]
}

/** Asks for values of which one must fit: `true` is any, `false` none. */
export function valuesQuestion<T>(
  at: string,
  wanted: TextPattern | boolean | undefined,
  says: string,
  valuesOf: (shown: T) => readonly string[],
): Question<T>[] {
  if (wanted === undefined) return []
  const seen = (shown: T) => (valuesOf(shown).length > 0 ? valuesOf(shown).join(', ') : undefined)
  if (typeof wanted === 'boolean') {
    const fits = (shown: T) => valuesOf(shown).length > 0 === wanted
    return [{ at, wanted: wanted ? 'any' : 'none', says, seen, fits }]
  }
  const fits = compileText(wanted, equalling)
  return [{ at, wanted: describeText(wanted), says, seen, fits: (shown) => valuesOf(shown).some(fits) }]
}
