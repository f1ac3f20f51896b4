/** Thrown for a text that is not a selector; nothing else is thrown for any text. */
export class SelectorSyntaxError extends Error {
  override readonly name = 'SelectorSyntaxError'
  /**
   * Where the offending part begins, in UTF-16 code units from 1; one past the length of the text when
   * something is missing at its end.
   */
  readonly column: number

  /** @param problem what was expected and found, as a sentence without its full stop */
  constructor(problem: string, column: number) {
    super(`${problem}, at column ${column}.`)
    this.column = column
  }
}

/** The words that are no identifiers, in any case of their letters (section 3.8.1.1). */
const KEYWORDS = [
  'NULL',
  'TRUE',
  'FALSE',
  'NOT',
  'AND',
  'OR',
  'BETWEEN',
  'LIKE',
  'IN',
  'IS',
  'ESCAPE',
] as const
export type Keyword = (typeof KEYWORDS)[number]
const LONGEST_KEYWORD = Math.max(...KEYWORDS.map((keyword) => keyword.length))

export type SymbolText = '=' | '<>' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/' | '(' | ')' | ','

/** One word of a selector, with where it begins (a column, from 1) and ends (an index, exclusive). */
export type Token = { readonly column: number; readonly end: number } & (
  | { readonly kind: 'symbol'; readonly text: SymbolText }
  | { readonly kind: 'keyword'; readonly text: Keyword }
  | { readonly kind: 'identifier'; readonly text: string }
  /** Its text is what is between the quotes, doubled quotes made single. */
  | { readonly kind: 'string'; readonly text: string }
  /** Its text is not yet known to be a number. */
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'end'; readonly text: '' }
)

/** What people write who come from another language, and what to write here. */
const HINTS: Readonly<Record<string, string>> = {
  '"': 'Expected a selector\'s word but found " (strings stand in single quotes)',
  '!': 'Expected a selector\'s word but found ! (write <> for "not equal" and NOT for negation)',
}

/**
 * Reads the token that begins at or after `index`; the last one is of kind `end`.
 * @throws SelectorSyntaxError where no token can begin, and for a string without its closing quote
 */
export function readToken(text: string, index: number): Token {
  const start = skipWhitespace(text, index)
  const column = start + 1
  if (start === text.length) return { kind: 'end', text: '', column, end: start }
  const code = text.codePointAt(start)!
  if (code === 0x27) return readString(text, start)
  if (isDigit(code) || (code === 0x2e && isDigit(text.charCodeAt(start + 1)))) {
    const end = endOfNumber(text, start)
    return { kind: 'number', text: text.slice(start, end), column, end }
  }
  if (isIdentifierStart(code)) {
    const end = endOf(text, start, isIdentifierPart)
    const word = text.slice(start, end)
    const keyword = asKeyword(word)
    return keyword === undefined
      ? { kind: 'identifier', text: word, column, end }
      : { kind: 'keyword', text: keyword, column, end }
  }
  const symbol = SYMBOLS.find((one) => text.startsWith(one, start))
  if (symbol !== undefined) return { kind: 'symbol', text: symbol, column, end: start + symbol.length }
  const found = String.fromCodePoint(code)
  throw new SelectorSyntaxError(
    HINTS[found] ?? `Expected a selector's word but found ${quote(found)}`,
    column,
  )
}

/** A part of the selector for an error's message: as JSON, so that it is visible, and not too long. */
export function quote(part: string): string {
  return JSON.stringify(part.length > 40 ? `${part.slice(0, 40)}…` : part)
}

/** Whitespace as section 3.8.1.1 has it: space, horizontal tab, form feed and line terminators. */
function skipWhitespace(text: string, index: number): number {
  let at = index
  while (at < text.length && ' \t\f\n\r'.includes(text[at]!)) at++
  return at
}

function readString(text: string, start: number): Token {
  let close = text.indexOf("'", start + 1)
  while (close !== -1 && text[close + 1] === "'") close = text.indexOf("'", close + 2)
  if (close === -1) {
    throw new SelectorSyntaxError('Expected a closing quote for the string that begins here', start + 1)
  }
  const content = text.slice(start + 1, close).replaceAll("''", "'")
  return { kind: 'string', text: content, column: start + 1, end: close + 1 }
}

/**
 * chosen: a number takes in every letter, digit and dot that follows it, so that "5AND" is a bad number and
 * not a number and a keyword; two words are apart by a space or a symbol.
 */
function endOfNumber(text: string, start: number): number {
  const hexadecimal = text[start] === '0' && (text[start + 1] === 'x' || text[start + 1] === 'X')
  return endOf(text, start, (code, at) => {
    const signOfExponent = (code === 0x2b || code === 0x2d) && !hexadecimal && 'eE'.includes(text[at - 1]!)
    return code === 0x2e || signOfExponent || isIdentifierPart(code)
  })
}

/** Where the characters end that belong together from `start` on. */
function endOf(text: string, start: number, belongs: (code: number, at: number) => boolean): number {
  let at = start
  while (at < text.length) {
    const code = text.codePointAt(at)!
    if (!belongs(code, at)) return at
    at += code > 0xffff ? 2 : 1
  }
  return at
}

function asKeyword(word: string): Keyword | undefined {
  // Only ASCII letters: elsewhere "upper case" makes IS of a word with a dotless i.
  if (word.length > LONGEST_KEYWORD || !/^[A-Za-z]+$/.test(word)) return undefined
  const upper = word.toUpperCase()
  return KEYWORDS.find((keyword) => keyword === upper)
}

const SYMBOLS: readonly SymbolText[] = ['<>', '<=', '>=', '=', '<', '>', '+', '-', '*', '/', '(', ')', ',']

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function isAsciiStart(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || code === 0x24
}

/** Java's `Character.isJavaIdentifierStart`: letters, letter numbers, currency signs, connectors. */
export function isIdentifierStart(code: number): boolean {
  if (code < 0x80) return isAsciiStart(code)
  return /^[\p{L}\p{Nl}\p{Sc}\p{Pc}]$/u.test(String.fromCodePoint(code))
}

/** Java's `Character.isJavaIdentifierPart`: those, digits, marks, and the characters that it ignores. */
export function isIdentifierPart(code: number): boolean {
  if (isAsciiStart(code) || isDigit(code)) return true
  if (code < 0xa0) return code <= 0x08 || (code >= 0x0e && code <= 0x1b) || code >= 0x7f
  return /^[\p{L}\p{Nl}\p{Sc}\p{Pc}\p{Nd}\p{Mn}\p{Mc}\p{Cf}]$/u.test(String.fromCodePoint(code))
}
