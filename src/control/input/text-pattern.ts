import { type Given, optional, readObject, readText, wrong } from './read.js'
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
 * fault's.
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

/** @throws Problem `malformed-request` */
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
  if (pattern.matches.length > 1000) wrong(matches, 'a regular expression of at most 1000 characters')
  if (!/^[imsu]*$/.test(pattern.flags ?? '')) wrong(flags, 'any of i, m, s, u')
  try {
    new RegExp(pattern.matches, pattern.flags)
  } catch {
    wrong(matches, 'a regular expression')
  }
  return pattern.flags ? pattern : { matches: pattern.matches }
}

/**
 * @param fits how a text is looked for that is no regular expression
 * @returns throws Problem `malformed-request` where a regular expression takes too long
 */
export function compileText(
  pattern: TextPattern,
  fits: (text: string, wanted: string) => boolean,
): (text: string) => boolean {
  if (typeof pattern === 'string') return (text) => fits(text, pattern)
  const expression = pattern instanceof RegExp ? pattern : new RegExp(pattern.matches, pattern.flags)
  return (text) => testInTime(expression, text)
}

/** A pattern as a person would say it. */
export function describeText(pattern: TextPattern): string {
  if (typeof pattern === 'string') return pattern
  return pattern instanceof RegExp ? `${pattern}` : `/${pattern.matches}/${pattern.flags ?? ''}`
}
