import { ANY_CHARACTER, ANY_SEQUENCE } from './wildcards.js'

/**
 * Reads a LIKE pattern into its elements: a code point, or one of the two wildcards.
 * chosen: a character is a Unicode code point. As in SQL-92, an escape character stands only before `%`,
 * `_` or itself; undefined is given for a pattern where it does not.
 */
export function readPattern(pattern: string, escapeCharacter: string | undefined): number[] | undefined {
  const elements: number[] = []
  let escaped = false
  for (const character of pattern) {
    if (escaped) {
      if (character !== '%' && character !== '_' && character !== escapeCharacter) return undefined
      elements.push(character.codePointAt(0)!)
      escaped = false
    } else if (character === escapeCharacter) escaped = true
    else if (character === '%') elements.push(ANY_SEQUENCE)
    else if (character === '_') elements.push(ANY_CHARACTER)
    else elements.push(character.codePointAt(0)!)
  }
  return escaped ? undefined : elements
}
