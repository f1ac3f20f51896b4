export type ArithmeticOperator = '+' | '-' | '*' | '/'

/**
 * A number of the selector language: exact (a bigint within Java's long) or approximate (a double).
 * chosen: there is one exact type, long, and one approximate type, double; int and float are not told
 * apart, so nothing wraps at 32 bits and 0.1f is 0.1.
 */
export type Numeric = bigint | number

const LONG_END = 2n ** 63n
const EXACT = /^(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0([0-7]+)|(0|[1-9][0-9]*))[lL]?$/
const APPROXIMATE = /^((?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eEfFdD]))(?:[eE][+-]?[0-9]+)?)[fFdD]?$/
const MISPLACED_UNDERSCORE = /(?:^|[^0-9_])_|_(?:[^0-9_]|$)/
const MISPLACED_HEX_UNDERSCORE = /(?:^|[^0-9a-fA-F_])_|_(?:[^0-9a-fA-F_]|$)/

/**
 * Reads a literal as Java writes numbers: decimal, hexadecimal, octal and binary integers with an optional
 * L; decimal fractions and exponents with an optional f or d; underscores between digits.
 * chosen: hexadecimal fractions (0x1p3) are not numbers here. An integer that is not decimal may fill all
 * 64 bits and is then negative, as a Java long is.
 * @param negative whether a minus sign stands before it; only so does the lowest long have a literal
 */
export function readLiteral(text: string, negative: boolean): Numeric | 'malformed' | 'too large' {
  const misplaced = /^0[xX]/.test(text) ? MISPLACED_HEX_UNDERSCORE : MISPLACED_UNDERSCORE
  if (misplaced.test(text)) return 'malformed'
  const plain = text.replaceAll('_', '')
  const exact = EXACT.exec(plain)
  if (exact !== null) {
    const [, hexadecimal, binary, octal, decimal] = exact
    if (decimal !== undefined) return readDecimal(decimal, negative)
    if (hexadecimal !== undefined) return readBits('0x', hexadecimal, negative)
    return binary !== undefined ? readBits('0b', binary, negative) : readBits('0o', octal!, negative)
  }
  const approximate = APPROXIMATE.exec(plain)
  if (approximate === null) return 'malformed'
  const value = Number(approximate[1])
  if (!Number.isFinite(value)) return 'too large'
  return negative ? -value : value
}

function readDecimal(digits: string, negative: boolean): bigint | 'too large' {
  if (digits.length > 19) return 'too large'
  const value = negative ? -BigInt(digits) : BigInt(digits)
  return value >= LONG_END || value < -LONG_END ? 'too large' : value
}

function readBits(prefix: string, digits: string, negative: boolean): bigint | 'too large' {
  const significant = digits.replace(/^0+(?=.)/, '')
  // Measured before it is converted: a literal of a million digits must not cost a conversion.
  if (significant.length > 64) return 'too large'
  const value = BigInt(prefix + significant)
  if (value >= 2n * LONG_END) return 'too large'
  return BigInt.asIntN(64, negative ? -value : value)
}

/** The greatest double has 309 digits before its point; a longer text is read again for each comparison. */
const LONGEST_NUMBER = 400
const DECIMAL_TEXT = /^[+-]?(?:([0-9]+)|(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?)$/

/**
 * Reads a property's text as a number, or gives undefined where it is none.
 * chosen: a text is data and not source, so it is decimal whatever its leading zeros ('007' is 7, '010' is
 * 10) and has no prefix, suffix, underscore or space. An integer is exact, or approximate where no long
 * holds it; what is beyond double is not a number, nor is a text of more than 400 characters.
 */
export function readText(text: string): Numeric | undefined {
  if (text.length > LONGEST_NUMBER) return undefined
  const match = DECIMAL_TEXT.exec(text)
  if (match === null) return undefined
  if (match[1] !== undefined) {
    const exact = BigInt(text)
    if (exact < LONG_END && exact >= -LONG_END) return exact
  }
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

/**
 * Reads a property's text for a comparison. There exact and approximate numbers are alike, so the
 * commonest texts, short runs of digits, are read as doubles without any allocation.
 */
export function readForComparison(text: string): Numeric | undefined {
  const length = text.length
  if (length === 0 || length > 15) return readText(text)
  let value = 0
  for (let i = 0; i < length; i++) {
    const digit = text.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return readText(text)
    value = value * 10 + digit
  }
  return value
}

/**
 * One operation by Java's numeric promotion: long with long gives long (division drops the fraction,
 * overflow wraps), anything with double gives double.
 * chosen: a division by zero, of either kind, is unknown.
 */
export function calculate(operator: ArithmeticOperator, left: Numeric, right: Numeric): Numeric | undefined {
  if (typeof left === 'bigint' && typeof right === 'bigint') return calculateExactly(operator, left, right)
  const a = Number(left)
  const b = Number(right)
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return b === 0 ? undefined : a / b
  }
}

function calculateExactly(operator: ArithmeticOperator, a: bigint, b: bigint): bigint | undefined {
  switch (operator) {
    case '+':
      return BigInt.asIntN(64, a + b)
    case '-':
      return BigInt.asIntN(64, a - b)
    case '*':
      return BigInt.asIntN(64, a * b)
    case '/':
      return b === 0n ? undefined : BigInt.asIntN(64, a / b)
  }
}
