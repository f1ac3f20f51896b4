import type { ArithmeticOperator, Numeric } from './number.js'

export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>='

/** One further operand of a chain, with the operator before it. */
export interface Term {
  readonly operator: ArithmeticOperator
  readonly operand: Expression
}

/**
 * A selector as a tree. Chains (`a AND b AND c`, `a + b - c`) are one node with many operands, so that
 * their length is not depth; parentheses leave no trace but the shape. A sign before a number literal
 * belongs to the literal, as in the standard's examples (-957, +62).
 */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | Numeric | boolean }
  | { readonly kind: 'identifier'; readonly name: string }
  | { readonly kind: 'sign'; readonly operator: '+' | '-'; readonly operand: Expression }
  | { readonly kind: 'product' | 'sum'; readonly first: Expression; readonly rest: readonly Term[] }
  | {
      readonly kind: 'comparison'
      readonly operator: ComparisonOperator
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly kind: 'between'
      readonly negated: boolean
      readonly operand: Expression
      readonly low: Expression
      readonly high: Expression
    }
  | {
      readonly kind: 'in'
      readonly negated: boolean
      readonly identifier: string
      readonly values: readonly string[]
    }
  | {
      readonly kind: 'like'
      readonly negated: boolean
      readonly identifier: string
      readonly pattern: string
      /** One character, or undefined where there is no ESCAPE. */
      readonly escape: string | undefined
    }
  | { readonly kind: 'null'; readonly negated: boolean; readonly identifier: string }
  | { readonly kind: 'not'; readonly operand: Expression }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Expression[] }

/** What is known of a value before any message is seen; an identifier may turn out to be anything. */
export type StaticType = 'string' | 'number' | 'condition' | 'anything'

export function staticType(expression: Expression): StaticType {
  switch (expression.kind) {
    case 'identifier':
      return 'anything'
    case 'literal':
      if (typeof expression.value === 'string') return 'string'
      return typeof expression.value === 'boolean' ? 'condition' : 'number'
    case 'sign':
    case 'product':
    case 'sum':
      return 'number'
    default:
      return 'condition'
  }
}
