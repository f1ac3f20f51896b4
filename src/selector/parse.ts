import {
  type ComparisonOperator,
  type Expression,
  type StaticType,
  staticType,
  type Term,
} from './expression.js'
import { readPattern } from './like.js'
import { readLiteral } from './number.js'
import { type Keyword, quote, readToken, SelectorSyntaxError, type SymbolText, type Token } from './tokens.js'

/** chosen: how many parentheses, NOTs and signs may stand within one another. */
export const MAX_NESTING = 100

/** What may stand in a place: a type, or an identifier, whose type only a message tells. */
type Wanted = 'number' | 'condition'
const NAMES: Readonly<Record<StaticType, string>> = {
  string: 'a string',
  number: 'a number',
  condition: 'a condition',
  anything: 'an identifier',
}

const COMPARISONS: readonly SymbolText[] = ['=', '<>', '<', '<=', '>', '>=']

/**
 * A selector's tokens, one at a time. Each is read only when the one before it is taken, so the error that
 * is thrown is the leftmost one.
 */
class TokenReader {
  readonly #text: string
  /** The token that is to be taken next. */
  protected token: Token

  constructor(text: string) {
    this.#text = text
    this.token = readToken(text, 0)
  }

  protected isKeyword(keyword: Keyword): boolean {
    return this.token.kind === 'keyword' && this.token.text === keyword
  }

  protected isSymbol(symbol: SymbolText): boolean {
    return this.token.kind === 'symbol' && this.token.text === symbol
  }

  protected takeKeyword(keyword: Keyword): boolean {
    const found = this.isKeyword(keyword)
    if (found) this.advance()
    return found
  }

  protected expectKeyword(keyword: Keyword): void {
    if (!this.takeKeyword(keyword)) this.fail(keyword)
  }

  protected expectSymbol(symbol: SymbolText): void {
    if (!this.isSymbol(symbol)) this.fail(symbol)
    this.advance()
  }

  protected advance(): void {
    this.token = readToken(this.#text, this.token.end)
  }

  protected fail(expected: string): never {
    const { kind, column, end } = this.token
    const found = kind === 'end' ? 'the end' : quote(this.#text.slice(column - 1, end))
    throw new SelectorSyntaxError(`Expected ${expected} but found ${found}`, column)
  }
}

/**
 * The grammar of section 3.8.1.1, one method for each rule, from the loosest binding to the tightest:
 *
 *     selector    = condition
 *     condition   = conjunction { OR conjunction }
 *     conjunction = negation { AND negation }
 *     negation    = NOT negation | comparison
 *     comparison  = sum [ ( = | <> | < | <= | > | >= ) sum
 *                       | [NOT] BETWEEN sum AND sum
 *                       | [NOT] IN "(" string { "," string } ")"
 *                       | [NOT] LIKE string [ ESCAPE string ]
 *                       | IS [NOT] NULL ]
 *     sum         = product { ( + | - ) product }
 *     product     = signed { ( * | / ) signed }
 *     signed      = ( + | - ) ( number | signed ) | primary
 *     primary     = string | number | TRUE | FALSE | identifier | "(" condition ")"
 *
 * Types that are known without a message are checked on the way: what stands beside AND, OR and NOT is a
 * condition, what is calculated with is a number, IN, LIKE and IS NULL test an identifier, both sides of a
 * comparison are of like type, and strings and conditions are compared with = and <> only. An identifier
 * fits everywhere. chosen: the standard leaves it to the provider to refuse these at once; this one does.
 */
export class Parser extends TokenReader {
  #nesting = 0

  /** @throws SelectorSyntaxError at the first column where the text stops being a selector */
  // clause: subscribe.selector.syntax
  selector(): Expression {
    const column = this.token.column
    const expression = this.#condition()
    if (this.token.kind !== 'end') this.fail('the end, AND or OR')
    this.#require('condition', expression, column)
    return expression
  }

  // clause: subscribe.selector.logic
  #condition(): Expression {
    return this.#chain('OR', 'or', () => this.#conjunction())
  }

  #conjunction(): Expression {
    return this.#chain('AND', 'and', () => this.#negation())
  }

  #chain(keyword: 'AND' | 'OR', kind: 'and' | 'or', operand: () => Expression): Expression {
    let column = this.token.column
    const first = operand()
    if (!this.isKeyword(keyword)) return first
    const operands = [first]
    this.#require('condition', first, column)
    while (this.isKeyword(keyword)) {
      this.advance()
      column = this.token.column
      const next = operand()
      this.#require('condition', next, column)
      operands.push(next)
    }
    return { kind, operands }
  }

  #negation(): Expression {
    if (!this.isKeyword('NOT')) return this.#comparison()
    return this.#nested(this.token.column, () => {
      this.advance()
      const column = this.token.column
      const operand = this.#negation()
      this.#require('condition', operand, column)
      return { kind: 'not', operand }
    })
  }

  #comparison(): Expression {
    const column = this.token.column
    const left = this.#sum()
    if (this.token.kind === 'symbol' && COMPARISONS.includes(this.token.text)) {
      return this.#comparisonWith(left, column)
    }
    if (this.isKeyword('IS')) return this.#nullTest(left, column)
    const negated = this.takeKeyword('NOT')
    if (this.isKeyword('BETWEEN')) return this.#between(left, column, negated)
    if (this.isKeyword('IN')) return this.#in(left, column, negated)
    if (this.isKeyword('LIKE')) return this.#like(left, column, negated)
    if (negated) this.fail('BETWEEN, IN or LIKE')
    return left
  }

  // clause: subscribe.selector.comparison
  #comparisonWith(left: Expression, column: number): Expression {
    const operator = this.token.text as ComparisonOperator
    this.advance()
    const rightColumn = this.token.column
    const right = this.#sum()
    const leftType = staticType(left)
    const rightType = staticType(right)
    if (operator !== '=' && operator !== '<>') {
      this.#requireOrder(leftType, column)
      this.#requireOrder(rightType, rightColumn)
    }
    if (leftType !== rightType && leftType !== 'anything' && rightType !== 'anything') {
      const problem = `Expected ${NAMES[leftType]} to compare with but found ${NAMES[rightType]}`
      throw new SelectorSyntaxError(problem, rightColumn)
    }
    return { kind: 'comparison', operator, left, right }
  }

  #requireOrder(type: StaticType, column: number): void {
    if (type === 'number' || type === 'anything') return
    throw new SelectorSyntaxError(
      `Expected a number to compare by order but found ${NAMES[type]} (only = and <> compare these)`,
      column,
    )
  }

  // clause: subscribe.selector.between
  #between(operand: Expression, column: number, negated: boolean): Expression {
    this.#require('number', operand, column)
    this.advance()
    const low = this.#number(() => this.#sum())
    this.expectKeyword('AND')
    const high = this.#number(() => this.#sum())
    return { kind: 'between', negated, operand, low, high }
  }

  // clause: subscribe.selector.in
  #in(left: Expression, column: number, negated: boolean): Expression {
    const identifier = this.#requireIdentifier('IN', left, column)
    this.advance()
    this.expectSymbol('(')
    const values = [this.#string()]
    while (this.isSymbol(',')) {
      this.advance()
      values.push(this.#string())
    }
    this.expectSymbol(')')
    return { kind: 'in', negated, identifier, values }
  }

  // clause: subscribe.selector.like
  #like(left: Expression, column: number, negated: boolean): Expression {
    const identifier = this.#requireIdentifier('LIKE', left, column)
    this.advance()
    const patternColumn = this.token.column
    const pattern = this.#string()
    let escapeCharacter: string | undefined
    if (this.takeKeyword('ESCAPE')) {
      const escapeColumn = this.token.column
      escapeCharacter = this.#string()
      if ([...escapeCharacter].length !== 1) {
        const problem = `Expected one escape character but found ${quote(escapeCharacter)}`
        throw new SelectorSyntaxError(problem, escapeColumn)
      }
    }
    if (readPattern(pattern, escapeCharacter) === undefined) {
      const problem = `Expected %, _ or ${escapeCharacter} after each escape character ${escapeCharacter}`
      throw new SelectorSyntaxError(problem, patternColumn)
    }
    return { kind: 'like', negated, identifier, pattern, escape: escapeCharacter }
  }

  // clause: subscribe.selector.null
  #nullTest(left: Expression, column: number): Expression {
    const identifier = this.#requireIdentifier('IS', left, column)
    this.advance()
    const negated = this.takeKeyword('NOT')
    this.expectKeyword('NULL')
    return { kind: 'null', negated, identifier }
  }

  #sum(): Expression {
    return this.#arithmetic('sum', ['+', '-'], () => this.#product())
  }

  #product(): Expression {
    return this.#arithmetic('product', ['*', '/'], () => this.#signed())
  }

  // clause: subscribe.selector.arithmetic
  #arithmetic(
    kind: 'sum' | 'product',
    operators: readonly SymbolText[],
    operand: () => Expression,
  ): Expression {
    const column = this.token.column
    const first = operand()
    const rest: Term[] = []
    while (this.token.kind === 'symbol' && operators.includes(this.token.text)) {
      if (rest.length === 0) this.#require('number', first, column)
      const operator = this.token.text as Term['operator']
      this.advance()
      rest.push({ operator, operand: this.#number(operand) })
    }
    return rest.length === 0 ? first : { kind, first, rest }
  }

  #signed(): Expression {
    if (!this.isSymbol('+') && !this.isSymbol('-')) return this.#primary()
    const { column, text } = this.token
    const operator = text as '+' | '-'
    this.advance()
    if (this.token.kind === 'number') return this.#numberLiteral(operator === '-')
    return this.#nested(column, () => ({
      kind: 'sign',
      operator,
      operand: this.#number(() => this.#signed()),
    }))
  }

  #primary(): Expression {
    const token = this.token
    switch (token.kind) {
      case 'number':
        return this.#numberLiteral(false)
      case 'string':
        this.advance()
        return { kind: 'literal', value: token.text }
      case 'identifier':
        this.advance()
        return { kind: 'identifier', name: token.text }
    }
    if (this.isKeyword('TRUE') || this.isKeyword('FALSE')) {
      this.advance()
      return { kind: 'literal', value: token.text === 'TRUE' }
    }
    if (!this.isSymbol('(')) this.fail('an identifier, a literal or (')
    return this.#nested(this.token.column, () => {
      this.advance()
      const inner = this.#condition()
      this.expectSymbol(')')
      return inner
    })
  }

  #numberLiteral(negative: boolean): Expression {
    const { text, column } = this.token
    const value = readLiteral(text, negative)
    if (value === 'malformed') {
      throw new SelectorSyntaxError(`Expected a number but found ${quote(text)}`, column)
    }
    if (value === 'too large') {
      const problem = `Expected a number in the range of long or double but found ${quote(text)}`
      throw new SelectorSyntaxError(problem, column)
    }
    this.advance()
    return { kind: 'literal', value }
  }

  #number(rule: () => Expression): Expression {
    const column = this.token.column
    const expression = rule()
    this.#require('number', expression, column)
    return expression
  }

  #string(): string {
    const { kind, text } = this.token
    if (kind !== 'string') this.fail('a string')
    this.advance()
    return text
  }

  #require(wanted: Wanted, expression: Expression, column: number): void {
    const type = staticType(expression)
    if (type === wanted || type === 'anything') return
    throw new SelectorSyntaxError(`Expected ${NAMES[wanted]} but found ${NAMES[type]}`, column)
  }

  #requireIdentifier(test: Keyword, expression: Expression, column: number): string {
    if (expression.kind === 'identifier') return expression.name
    const found = NAMES[staticType(expression)]
    throw new SelectorSyntaxError(`Expected an identifier before ${test} but found ${found}`, column)
  }

  #nested(column: number, rule: () => Expression): Expression {
    if (++this.#nesting > MAX_NESTING) {
      const problem = `Expected at most ${MAX_NESTING} parentheses, NOTs and signs within one another`
      throw new SelectorSyntaxError(problem, column)
    }
    const expression = rule()
    this.#nesting--
    return expression
  }
}
