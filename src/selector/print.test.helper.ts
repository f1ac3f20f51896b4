import type { Expression, Term } from './expression.js'
import type { Numeric } from './number.js'

/** How tightly each kind of expression binds; an operand that binds less than its place wants is bracketed. */
const BINDING: Readonly<Record<Expression['kind'], number>> = {
  or: 1,
  and: 2,
  not: 3,
  comparison: 4,
  between: 4,
  in: 4,
  like: 4,
  null: 4,
  sum: 5,
  product: 6,
  sign: 7,
  literal: 8,
  identifier: 8,
}

/**
 * Writes an expression as a selector that parses back to the same tree, with no more brackets than that
 * takes. Numbers come out decimal.
 */
export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return printLiteral(expression.value)
    case 'identifier':
      return expression.name
    case 'sign':
      return expression.operator + printSigned(expression.operand)
    case 'product':
      return printTerms(expression.first, expression.rest, BINDING.sign)
    case 'sum':
      return printTerms(expression.first, expression.rest, BINDING.product)
    case 'comparison':
      return `${print(expression.left, BINDING.sum)} ${expression.operator} ${print(expression.right, BINDING.sum)}`
    case 'between': {
      const { operand, low, high } = expression
      const range = `${print(low, BINDING.sum)} AND ${print(high, BINDING.sum)}`
      return `${print(operand, BINDING.sum)} ${not(expression)}BETWEEN ${range}`
    }
    case 'in':
      return `${expression.identifier} ${not(expression)}IN (${expression.values.map(printString).join(', ')})`
    case 'like': {
      const escaping = expression.escape === undefined ? '' : ` ESCAPE ${printString(expression.escape)}`
      return `${expression.identifier} ${not(expression)}LIKE ${printString(expression.pattern)}${escaping}`
    }
    case 'null':
      return `${expression.identifier} IS ${not(expression)}NULL`
    case 'not':
      return `NOT ${print(expression.operand, BINDING.not)}`
    case 'and':
      return expression.operands.map((operand) => print(operand, BINDING.not)).join(' AND ')
    case 'or':
      return expression.operands.map((operand) => print(operand, BINDING.and)).join(' OR ')
  }
}

function print(expression: Expression, place: number): string {
  const text = printExpression(expression)
  return BINDING[expression.kind] < place ? `(${text})` : text
}

function printTerms(first: Expression, rest: readonly Term[], place: number): string {
  const further = rest.map(({ operator, operand }) => ` ${operator} ${print(operand, place)}`)
  return print(first, place) + further.join('')
}

function not({ negated }: { readonly negated: boolean }): string {
  return negated ? 'NOT ' : ''
}

/** A sign right before a literal would become the literal's own, so the literal shows one itself. */
function printSigned(operand: Expression): string {
  const text = print(operand, BINDING.sign)
  return operand.kind === 'literal' && !text.startsWith('-') ? `+${text}` : text
}

function printLiteral(value: string | Numeric | boolean): string {
  if (typeof value === 'string') return printString(value)
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (typeof value === 'bigint') return value.toString()
  if (Object.is(value, -0)) return '-0.0'
  const text = String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}

function printString(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}
