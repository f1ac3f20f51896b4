// Controls, C1 among them, and marks that nobody sees or that turn the direction of a line around. Those that only join letters of
// some scripts stay. A surrogate alone cannot be written at all.
const UNSEEN = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\ufffe\uffff]/gu

/**
 * A text of anybody's as it may be shown, in a terminal too: what nobody would see, or a terminal would obey, is told by its number.
 * Line ends and tabs stay.
 */
export function printable(text: string): string {
  return text.replace(UNSEEN, (character) => numbered(character))
}

/** As {@link printable}, of a text that is one line or a part of one: line ends and tabs in it are told, too. */
export function printableLine(text: string): string {
  return printable(text).replace(/[\t\n]/g, (character) => numbered(character))
}

/** A value as JSON, in which nothing stands as itself that {@link printable} would not show. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(UNSEEN, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** A value with all texts in it, and all names of fields, as lines that may be shown; but for the fields of these names. */
export function printableDeep<T>(value: T, but: ReadonlySet<string> = new Set()): T {
  const shown = (each: unknown): unknown => {
    if (typeof each === 'string') return printableLine(each)
    if (Array.isArray(each)) return each.map(shown)
    if (typeof each !== 'object' || each === null) return each
    return Object.fromEntries(
      Object.entries(each).map(([name, inner]) => [
        printableLine(name),
        but.has(name) ? inner : shown(inner),
      ]),
    )
  }
  return shown(value) as T
}

function numbered(character: string): string {
  return `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`
}
