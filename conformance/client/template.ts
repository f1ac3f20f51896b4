import type { Profile } from './profile.js'
import { wireName } from './queue-names.js'
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

/** A message made of a text, as the profile's template has it. */
export function messageOf({ message }: Profile, text: string): string {
  return fill(message.body, 'text', text, headerOf(message.headers, 'content-type'))
}

/** Whether a target takes any body at all, as far as its profile says: then a body need not be made by the template. */
export function takesAnyBody({ message }: Profile): boolean {
  return message.body === '{text}' && message.arrives === 'same'
}

/**
 * The definition of a queue as a profile has it: `{name}` in the body stands for the name, escaped as
 * the body's `Content-Type` needs it; in a header, percent-encoded.
 *
 * @param path the queue's name as a slash path
 */
export function queueDefinition(
  profile: Profile,
  path: string,
): { headers: Record<string, string>; body: string } {
  const name = wireName(profile, path)
  const headers = Object.fromEntries(
    Object.entries(profile.createQueue.headers).map(([key, value]) => [
      key,
      value.replaceAll('{name}', () => encodeURI(name)),
    ]),
  )
  return { headers, body: fill(profile.createQueue.body, 'name', name, headerOf(headers, 'content-type')) }
}
