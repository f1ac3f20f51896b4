import type { ComparisonOperator, Expression, Term } from './expression.js'
import { readPattern } from './like.js'
import { calculate, type Numeric, readForComparison, readText } from './number.js'
import { compilePattern } from './wildcards.js'

/**
 * Gives the value of an identifier, spelled as in the selector, or undefined where the message has none
 * (SQL's NULL). A string is a text that is read as what it is compared with; a number or a boolean is of
 * that type.
 */
export type Lookup = (identifier: string) => string | number | boolean | undefined

/** True, false, or undefined for SQL's unknown. */
export type Condition = (lookup: Lookup) => boolean | undefined
type Value = string | Numeric | boolean | undefined
type Operand = (lookup: Lookup) => Value
type Quantity = (lookup: Lookup) => Numeric | undefined

/**
 * Makes the function that a condition is. What is made once: sets for IN, automata for LIKE, numbers out
 * of literals; nothing is parsed or looked for in the tree when a message comes.
 *
 * How values meet (section 3.8.1.1, 3.8.1.2):
 * - NULL in a comparison or a calculation makes it unknown.
 * - Values of unlike types do not compare: the comparison is false, <> as well.
 * - chosen: a text is read as the type of the other side: a number beside a number or a calculation, true
 *   or false (in any case) beside a boolean, itself beside a string literal. Where it cannot be read so, it
 *   is as NULL there, and the comparison is unknown.
 * - chosen: two texts are compared with = and <> as texts and by order as numbers, unknown unless both are.
 * - chosen: order between two booleans is unknown, as is a calculation with a boolean.
 */
export function compileCondition(expression: Expression): Condition {
  switch (expression.kind) {
    case 'not': {
      const operand = compileCondition(expression.operand)
      return (lookup) => not(operand(lookup))
    }
    case 'and':
      return compileChain(expression.operands, false)
    case 'or':
      return compileChain(expression.operands, true)
    case 'comparison':
      return compileComparison(expression)
    case 'between':
      return compileBetween(expression)
    case 'in': {
      const values = new Set(expression.values)
      return compileTextTest(expression, (text) => values.has(text))
    }
    case 'like':
      return compileTextTest(expression, compilePattern(readPattern(expression.pattern, expression.escape)!))
    case 'null': {
      const { identifier, negated } = expression
      return (lookup) => (lookup(identifier) === undefined) !== negated
    }
    default: {
      const operand = compileOperand(expression)
      return (lookup) => asBoolean(operand(lookup))
    }
  }
}

/** AND is decided by the first false, OR by the first true; else one unknown makes the whole unknown. */
// clause: subscribe.selector.logic subscribe.selector.unknown
function compileChain(operands: readonly Expression[], decisive: boolean): Condition {
  const conditions = operands.map(compileCondition)
  return (lookup) => {
    let result: boolean | undefined = !decisive
    for (const condition of conditions) {
      const value = condition(lookup)
      if (value === decisive) return decisive
      if (value === undefined) result = undefined
    }
    return result
  }
}

// clause: subscribe.selector.comparison
function compileComparison({ operator, left, right }: Expression & { kind: 'comparison' }): Condition {
  if (left.kind === 'literal' && typeof left.value === 'string') {
    return compileStringComparison(left.value, compileOperand(right), operator === '=')
  }
  if (right.kind === 'literal' && typeof right.value === 'string') {
    return compileStringComparison(right.value, compileOperand(left), operator === '=')
  }
  const first = compileOperand(left)
  const second = compileOperand(right)
  return (lookup) => compare(operator, first(lookup), second(lookup))
}

function compileStringComparison(literal: string, operand: Operand, equal: boolean): Condition {
  return (lookup) => {
    const value = operand(lookup)
    if (value === undefined) return undefined
    return typeof value === 'string' && (value === literal) === equal
  }
}

// clause: subscribe.selector.between
function compileBetween({ operand, low, high, negated }: Expression & { kind: 'between' }): Condition {
  const value = compileOperand(operand)
  const lowest = compileOperand(low)
  const highest = compileOperand(high)
  // The standard's own equivalents: a >= b AND a <= c, and a < b OR a > c.
  const [lowOperator, highOperator, decisive] = negated
    ? (['<', '>', true] as const)
    : (['>=', '<=', false] as const)
  return (lookup) => {
    const tested = value(lookup)
    const above = compare(lowOperator, tested, lowest(lookup))
    if (above === decisive) return decisive
    const below = compare(highOperator, tested, highest(lookup))
    if (below === decisive) return decisive
    return above === undefined ? undefined : below
  }
}

/** IN and LIKE: what is no text equals none and is like none. */
// clause: subscribe.selector.in subscribe.selector.like
function compileTextTest(
  { identifier, negated }: { readonly identifier: string; readonly negated: boolean },
  test: (text: string) => boolean,
): Condition {
  return (lookup) => {
    const value = lookup(identifier)
    if (value === undefined) return undefined
    return (typeof value === 'string' && test(value)) !== negated
  }
}

/** A side of a comparison; exact literals that a double holds are doubles there, which compare faster. */
function compileOperand(expression: Expression): Operand {
  switch (expression.kind) {
    case 'literal': {
      const value = expression.value
      const held = typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value
      return () => held
    }
    case 'identifier': {
      const { name } = expression
      return (lookup) => lookup(name)
    }
    case 'sign':
    case 'product':
    case 'sum':
      return compileQuantity(expression)
    default:
      return compileCondition(expression)
  }
}

/** An operand of a calculation, where 2 and 2.0 are not the same: 3 / 2 is 1 and 3 / 2.0 is 1.5. */
function compileQuantity(expression: Expression): Quantity {
  switch (expression.kind) {
    case 'sign': {
      const operand = compileQuantity(expression.operand)
      if (expression.operator === '+') return operand
      return (lookup) => negate(operand(lookup))
    }
    case 'product':
    case 'sum':
      return compileTerms(expression.first, expression.rest)
    case 'identifier': {
      const { name } = expression
      return (lookup) => asNumeric(lookup(name))
    }
    default: {
      // The parser lets only numbers be calculated with, so this is a literal.
      const { value } = expression as { value: Numeric }
      return () => value
    }
  }
}

function compileTerms(first: Expression, rest: readonly Term[]): Quantity {
  const start = compileQuantity(first)
  const terms = rest.map(({ operator, operand }) => ({ operator, operand: compileQuantity(operand) }))
  return (lookup) => {
    let result = start(lookup)
    for (const { operator, operand } of terms) {
      if (result === undefined) return undefined
      const next = operand(lookup)
      if (next === undefined) return undefined
      result = calculate(operator, result, next)
    }
    return result
  }
}

function not(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value
}

function negate(value: Numeric | undefined): Numeric | undefined {
  if (typeof value === 'bigint') return BigInt.asIntN(64, -value)
  return value === undefined ? undefined : -value
}

// clause: subscribe.selector.types
function compare(operator: ComparisonOperator, left: Value, right: Value): boolean | undefined {
  if (left === undefined || right === undefined) return undefined
  const byEquality = operator === '=' || operator === '<>'
  if (typeof left === 'boolean' || typeof right === 'boolean') {
    if (isNumeric(left) || isNumeric(right)) return false
    const a = asBoolean(left)
    const b = asBoolean(right)
    if (a === undefined || b === undefined || !byEquality) return undefined
    return (a === b) === (operator === '=')
  }
  if (byEquality && typeof left === 'string' && typeof right === 'string') {
    return (left === right) === (operator === '=')
  }
  const a = typeof left === 'string' ? readForComparison(left) : left
  const b = typeof right === 'string' ? readForComparison(right) : right
  if (a === undefined || b === undefined) return undefined
  // Java's promotion: beside a double, a long is compared as the double next to it.
  return typeof a === typeof b ? holds(operator, a, b) : holds(operator, Number(a), Number(b))
}

function holds(operator: ComparisonOperator, a: Numeric, b: Numeric): boolean {
  switch (operator) {
    case '=':
      return a === b
    case '<>':
      return a !== b
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
  }
}

function isNumeric(value: Value): boolean {
  return typeof value === 'number' || typeof value === 'bigint'
}

function asBoolean(value: Value): boolean | undefined {
  if (typeof value !== 'string') return typeof value === 'boolean' ? value : undefined
  // Longer texts are neither, and are not worth a copy in lower case.
  if (value.length > 5) return undefined
  const lower = value.toLowerCase()
  return lower === 'true' ? true : lower === 'false' ? false : undefined
}

function asNumeric(value: string | number | boolean | undefined): Numeric | undefined {
  if (typeof value === 'string') return readText(value)
  if (typeof value !== 'number') return undefined
  return Number.isSafeInteger(value) ? BigInt(value) : value
}
