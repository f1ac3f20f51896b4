import { essence } from './xml.js'

/** The value of a header among these, whatever the case of its name. */
export function headerOf(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
}

/** A template with the value in each place of `{word}`, escaped as a body of this media type needs it. */
export function fill(template: string, word: string, value: string, contentType: string | undefined): string {
  return template.replaceAll(`{${word}}`, () => escapeFor(essence(contentType), value))
}

function escapeFor(type: string, value: string): string {
  if (type === 'application/x-www-form-urlencoded') return encodeURIComponent(value)
  if (type.endsWith('/json') || type.endsWith('+json')) return JSON.stringify(value).slice(1, -1)
  if (type.endsWith('/xml') || type.endsWith('+xml')) {
    return value.replace(/[&<>"'\r]/g, (character) => `&#${character.codePointAt(0)};`)
  }
  return value
}
