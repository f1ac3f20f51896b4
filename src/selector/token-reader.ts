import { SelectorSyntaxError } from './syntax-error.js'
import { type Keyword, quote, readToken, type SymbolText, type Token } from './tokens.js'

/**
 * A selector's tokens, one at a time. Each is read only when the one before it is taken, so the error that
 * is thrown is the leftmost one.
 */
export class TokenReader {
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
