import type { Expression } from './expression.js'

/** What a part of an expression takes, in microseconds. */
const PART = 0.2
/** What 32 characters of a LIKE pattern take for each character that they meet. */
const PATTERN_WORD = 0.006

/** What it takes to ask a selector, for those who must not ask too much at once. */
export function costOf(expression: Expression): { readonly cost: number; readonly costOfCharacter: number } {
  let cost = 0
  let costOfCharacter = 0.001
  const add = (part: Expression): void => {
    cost += PART
    if (part.kind === 'like') costOfCharacter += PATTERN_WORD * Math.ceil((part.pattern.length + 1) / 32)
    for (const inner of partsOf(part)) add(inner)
  }
  add(expression)
  return { cost, costOfCharacter }
}

function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'not':
    case 'sign':
      return [expression.operand]
    case 'and':
    case 'or':
      return expression.operands
    case 'comparison':
      return [expression.left, expression.right]
    case 'between':
      return [expression.operand, expression.low, expression.high]
    case 'product':
    case 'sum':
      return [expression.first, ...expression.rest.map(({ operand }) => operand)]
    default:
      return []
  }
}
