import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import type { ComparisonOperator } from './expression.js'
import { readPattern } from './like.js'
import type { ArithmeticOperator } from './number.js'
import { printExpression } from './print.test.helper.js'
import { type Expression, type Lookup, parseSelector, SelectorSyntaxError } from './selector.js'

const NAMES = ['a', 'b', 'größe', '$c', 'nullable', 'Not_']
const name = fc.constantFrom(...NAMES)
const operator = fc.constantFrom<ComparisonOperator>('=', '<>', '<', '<=', '>', '>=')
const equality = fc.constantFrom<ComparisonOperator>('=', '<>')
const negated = fc.boolean()
const text = fc.oneof(fc.string(), fc.constantFrom("'", "''", '%', '_'))

/** Trees that the grammar can give: well-typed, chains of two and more. */
const trees = fc.letrec<{ condition: Expression; number: Expression; boolean: Expression }>((tie) => {
  const identifier = name.map((name): Expression => ({ kind: 'identifier', name }))
  const literal = (value: string | bigint | number | boolean): Expression => ({ kind: 'literal', value })
  const string = text.map(literal)
  const exact = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(literal)
  const approximate = fc.double({ noDefaultInfinity: true, noNaN: true }).map(literal)
  const chain = (kind: 'sum' | 'product', operators: ArithmeticOperator[]) => {
    const term = fc
      .record({ operator: fc.constantFrom(...operators), operand: tie('number') })
      .map((parts) => ({ ...parts }))
    return fc
      .record({ first: tie('number'), rest: fc.array(term, { minLength: 1, maxLength: 3 }) })
      .map(({ first, rest }): Expression => ({ kind, first, rest }))
  }
  const comparison = (
    operators: fc.Arbitrary<ComparisonOperator>,
    left: fc.Arbitrary<Expression>,
    right: fc.Arbitrary<Expression>,
  ) =>
    fc
      .record({ operator: operators, left, right })
      .map((parts): Expression => ({ kind: 'comparison', ...parts }))
  const junction = (kind: 'and' | 'or') =>
    fc
      .array(tie('condition'), { minLength: 2, maxLength: 3 })
      .map((operands): Expression => ({ kind, operands }))
  return {
    number: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(identifier, exact, approximate),
      chain('sum', ['+', '-']),
      chain('product', ['*', '/']),
      fc
        .record({ operator: fc.constantFrom<'+' | '-'>('+', '-'), operand: tie('number') })
        .map((parts): Expression => ({ kind: 'sign', ...parts })),
    ),
    condition: fc.oneof({ maxDepth: 4 }, identifier, tie('boolean')),
    boolean: fc.oneof(
      { maxDepth: 4 },
      fc.boolean().map(literal),
      comparison(operator, tie('number'), tie('number')),
      comparison(equality, identifier, string),
      comparison(equality, string, fc.oneof(identifier, string)),
      comparison(equality, tie('condition'), tie('boolean')),
      fc
        .record({ negated, operand: tie('number'), low: tie('number'), high: tie('number') })
        .map((parts): Expression => ({ kind: 'between', ...parts })),
      fc
        .record({ negated, identifier: name, values: fc.array(text, { minLength: 1, maxLength: 3 }) })
        .map((parts): Expression => ({ kind: 'in', ...parts })),
      fc
        .record({
          negated,
          identifier: name,
          pattern: text,
          escape: fc.constantFrom(undefined, '!', "'", '%'),
        })
        .filter(({ pattern, escape: escaping }) => readPattern(pattern, escaping) !== undefined)
        .map((parts): Expression => ({ kind: 'like', ...parts })),
      fc.record({ negated, identifier: name }).map((parts): Expression => ({ kind: 'null', ...parts })),
      tie('condition').map((operand): Expression => ({ kind: 'not', operand })),
      junction('and'),
      junction('or'),
    ),
  }
})

const properties = fc.dictionary(
  name,
  fc.oneof(fc.constantFrom('true', 'false', '1', '2.5', 'x', ''), fc.double(), fc.boolean(), fc.integer()),
)
const lookupIn =
  (values: Record<string, string | number | boolean>): Lookup =>
  (name) =>
    Object.hasOwn(values, name) ? values[name] : undefined

t.test('a printed expression parses back to an equal tree', async () => {
  fc.assert(
    fc.property(trees.condition, (tree) => {
      const printed = printExpression(tree)
      const { expression } = parseSelector(printed)
      return isDeepStrictEqual(expression, tree) && printExpression(expression) === printed
    }),
    { numRuns: 2000 },
  )
})

t.test('a selector never matches together with its negation, and De Morgan holds', async () => {
  fc.assert(
    fc.property(trees.condition, trees.condition, properties, (a, b, values) => {
      const lookup = lookupIn(values)
      const matches = (tree: Expression) => parseSelector(printExpression(tree)).matches(lookup)
      const not = (operand: Expression): Expression => ({ kind: 'not', operand })
      return (
        !(matches(a) && matches(not(a))) &&
        matches(not(not(a))) === matches(a) &&
        matches(not({ kind: 'and', operands: [a, b] })) ===
          matches({ kind: 'or', operands: [not(a), not(b)] }) &&
        matches(not({ kind: 'or', operands: [a, b] })) ===
          matches({ kind: 'and', operands: [not(a), not(b)] })
      )
    }),
    { numRuns: 1000 },
  )
})

/** Parses any text; what it throws must be a syntax error whose column is in the text or right after it. */
function survives(text: string, values: Record<string, string | number | boolean>): boolean {
  try {
    parseSelector(text).matches(lookupIn(values))
    return true
  } catch (error) {
    if (!(error instanceof SelectorSyntaxError)) throw error
    return Number.isInteger(error.column) && error.column >= 1 && error.column <= text.length + 1
  }
}

t.test('no text throws anything but a syntax error with a column in the text', async () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), properties, survives), {
    numRuns: 1000,
  })
  const words =
    "NULL TRUE FALSE NOT AND OR BETWEEN LIKE IN IS ESCAPE = <> < <= > >= + - * / ( ) , a b 5 1.5 0x1F 017 1E3 'x' '%!_' '!' ' . _ é # \" 09 7."
  const word = fc.constantFrom(...words.split(' '))
  const soup = fc
    .tuple(fc.array(word, { maxLength: 12 }), fc.constantFrom('', ' '))
    .map(([w, s]) => w.join(s))
  fc.assert(fc.property(soup, properties, survives), { numRuns: 5000 })
})

t.test('a tree printed with one character taken out is a selector or a syntax error', async () => {
  fc.assert(
    fc.property(trees.condition, fc.nat(), properties, (tree, at, values) => {
      const printed = printExpression(tree)
      const index = at % (printed.length + 1)
      return survives(printed.slice(0, index) + printed.slice(index + 1), values)
    }),
    { numRuns: 1000 },
  )
})

t.test('thousands of terms are no depth', async (t) => {
  // Twice as many as calls fit into each other.
  const many = 20_000
  const numbers = Array.from({ length: many }, (_, i) => i)
  const none: Lookup = () => undefined
  const check = (text: string, expected: boolean) => {
    const selector = parseSelector(text)
    t.equal(selector.matches(none), expected, text.slice(0, 30))
    t.equal(parseSelector(printExpression(selector.expression)).matches(none), expected, 'printed')
  }
  check(numbers.map((n) => `${n} = ${n}`).join(' AND '), true)
  check(numbers.map((n) => `${n} <> ${n}`).join(' OR '), false)
  check(`${numbers.join(' + ')} = ${(many * (many - 1)) / 2}`, true)
  check(`${numbers.map(() => '1').join(' * ')} = 1`, true)
  check(`${numbers.join(' - ')} < 0`, true)
  t.ok(parseSelector(`a IN (${numbers.map((n) => `'${n}'`).join(', ')})`).matches(() => '19999'))
  const quotes = "''".repeat(many)
  t.ok(parseSelector(`a = '${quotes}'`).matches(() => "'".repeat(many)))
})

t.test('depth beyond the limit is refused where it begins, however deep', async (t) => {
  const many = 100_000
  for (const [text, column] of [
    ['('.repeat(many), 101],
    ['NOT '.repeat(many), 401],
    ['-'.repeat(many), 101],
    ['(-'.repeat(many), 101],
    ['a = (NOT '.repeat(many), 455],
  ] as const) {
    t.throws(() => parseSelector(text), { name: 'SelectorSyntaxError', column }, text.slice(0, 20))
  }
})

t.test('brackets are printed where the tree needs them and nowhere else', async (t) => {
  for (const [written, printed] of [
    ['((a)) and ((b or c))', 'a AND (b OR c)'],
    ['(a and b) or not (c)', 'a AND b OR NOT c'],
    ['(a and b) and c', '(a AND b) AND c'],
    ['not (a and b)', 'NOT (a AND b)'],
    ['not (a = (1))', 'NOT a = 1'],
    ['a = ((1 + 2) * 3) - (4 - 5)', 'a = (1 + 2) * 3 - (4 - 5)'],
    ['a / (b * c) > -(d + 1)', 'a / (b * c) > -(d + 1)'],
    ['(a = 1) = (not b)', '(a = 1) = (NOT b)'],
    ['a = - -7.', 'a = --7.0'],
    ['a = -(7)', 'a = -+7'],
    ['a = 1e21 and b = 0x1F', 'a = 1e+21 AND b = 31'],
    ['a = -0.0', 'a = -0.0'],
    ["(a) not in ('x','it''s')", "a NOT IN ('x', 'it''s')"],
    ["a not like '!%' escape '!'", "a NOT LIKE '!%' ESCAPE '!'"],
    ["a like '%'", "a LIKE '%'"],
    ['a not between (1) and (2 + 3)', 'a NOT BETWEEN 1 AND 2 + 3'],
    ['a is not null or b is null', 'a IS NOT NULL OR b IS NULL'],
  ] as const) {
    t.equal(printExpression(parseSelector(written).expression), printed)
  }
})

t.test('a selector keeps its text and asks for identifiers as they are written', async (t) => {
  const asked: string[] = []
  const selector = parseSelector(" Colour = 'red' ")
  t.equal(selector.text, " Colour = 'red' ")
  t.same(selector.expression, {
    kind: 'comparison',
    operator: '=',
    left: { kind: 'identifier', name: 'Colour' },
    right: { kind: 'literal', value: 'red' },
  })
  t.ok(selector.matches((identifier) => asked.push(identifier) === 1 && 'red'))
  t.same(asked, ['Colour'])
})

t.test('the operand of BETWEEN is asked for once, and what is decided asks no further', async (t) => {
  const asked: string[] = []
  const lookup: Lookup = (identifier) => {
    asked.push(identifier)
    return '1'
  }
  t.ok(parseSelector('a BETWEEN b AND c').matches(lookup))
  t.same(asked.splice(0), ['a', 'b', 'c'])
  t.notOk(parseSelector('a = 2 AND b = 1').matches(lookup))
  t.same(asked.splice(0), ['a'])
  t.ok(parseSelector('a = 1 OR b = 1').matches(lookup))
  t.same(asked.splice(0), ['a'])
})

t.test('a number that is none follows Java: unequal to everything, ordered with nothing', async (t) => {
  const isOne = (length: number) => parseSelector('a = 1').matches(() => '1'.padStart(length, '0'))
  t.same([isOne(400), isOne(401)], [true, false], 'a longer text is no number')
  const lookup: Lookup = () => Number.NaN
  t.ok(parseSelector('n <> 1').matches(lookup))
  t.notOk(parseSelector('n = n').matches(lookup))
  t.notOk(parseSelector('n NOT BETWEEN 1 AND 2').matches(lookup))
})

t.test('a long number or word is quoted in an error only in part', async (t) => {
  const error = t.throws(() =>
    parseSelector(`a = ${'9'.repeat(1_000_000)}`),
  ) as unknown as SelectorSyntaxError
  t.equal(error.column, 5)
  t.ok(error.message.length < 200)
})

t.test('a text beside a number is one only by its digits', async (t) => {
  const isTen = (text: string) => parseSelector('a = 10').matches(() => text)
  t.same(['10', '010', '0:', '1/', '1:'].map(isTen), [true, true, false, false, false])
})

t.test('doubles are added, and the sign of an exponent belongs to its number', async (t) => {
  const holds = (selector: string) => parseSelector(selector).matches(() => '1.5')
  t.ok(holds('a + 0.5 = 2'))
  t.ok(holds('a = 0.15e+1'))
  t.ok(holds('a = 0e+5 + 1.5'))
})

t.test('a boolean is no number, and equals none', async (t) => {
  const lookup: Lookup = () => true
  t.notOk(parseSelector('a + 1 = 2').matches(lookup), 'unknown')
  t.notOk(parseSelector('NOT (a + 1 = 2)').matches(lookup), 'unknown')
  t.ok(parseSelector('NOT (a = 9007199254740993)').matches(lookup), 'false')
})

t.test('what is missing is told', async (t) => {
  t.throws(() => parseSelector('a = *'), { message: /an identifier, a literal or \(/ })
})
