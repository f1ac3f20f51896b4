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
