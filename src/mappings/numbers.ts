import type { Request } from '../http/exchange.js'
import { Problem } from '../http/problems.js'

/**
 * The value of a parameter of the query that may be given once.
 *
 * @throws Problem `malformed-request`, `bad-percent-encoding`
 */
export function onlyParameter({ query }: Request, name: string): string | undefined {
  if (query.size === 0) return undefined
  const [value, ...others] = query.getAll(name)
  if (others.length === 0) return value
  throw new Problem('malformed-request', `The parameter ${name} is given twice; give it once.`, {
    parameter: name,
  })
}

/**
 * Reads a parameter or field that is a number.
 *
 * @param shape what its text looks like
 * @throws Problem `malformed-request`
 */
export function numberOf(parameter: string, text: string | undefined, shape: RegExp): number | undefined {
  if (text === undefined) return undefined
  if (shape.test(text)) return Number(text)
  throw new Problem(
    'malformed-request',
    `The field ${parameter} takes a number, not ${JSON.stringify(text)}.`,
    { parameter },
  )
}

/**
 * Reads `timeout`: seconds, with decimals, as milliseconds.
 *
 * @throws Problem `malformed-request`
 */
export function millisecondsOf(seconds: string | undefined): number | undefined {
  const value = numberOf('timeout', seconds, /^\d{1,9}(\.\d{1,9})?$/)
  return value === undefined ? undefined : Math.round(value * 1000)
}
