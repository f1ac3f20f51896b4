import { printable } from '../../client/printable.js'

/** HTML made here, as opposed to text that must be escaped. */
export class Markup {
  constructor(readonly html: string) {}

  toString(): string {
    return this.html
  }
}

/** What may stand in a place of a template: text is escaped, nothing is left out. */
export type Part = Markup | string | number | undefined | readonly Part[]

/**
 * A template of HTML. Whatever is put into it is escaped unless it is HTML of this kind itself, so that nothing in a
 * report can become markup. Attributes stand in double quotes.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = strings[0]!
  parts.forEach((part, index) => {
    text += render(part) + strings[index + 1]
  })
  return new Markup(text)
}

function render(part: Part): string {
  if (part === undefined) return ''
  if (part instanceof Markup) return part.html
  if (typeof part === 'object') return part.map(render).join('')
  return escapeText(String(part))
}

function escapeText(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
