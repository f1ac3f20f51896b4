import type { Profile } from './profile.js'
import { essence } from './xml.js'

/**
 * The definition of a queue as a profile has it: `{name}` in the body stands for the name, escaped as
 * the body's `Content-Type` needs it; in a header, percent-encoded.
 */
export function queueDefinition(
  profile: Profile,
  name: string,
): { headers: Record<string, string>; body: string } {
  const headers = Object.fromEntries(
    Object.entries(profile.createQueue.headers).map(([key, value]) => [
      key,
      value.replaceAll('{name}', () => encodeURI(name)),
    ]),
  )
  const contentType = Object.entries(headers).find(([key]) => key.toLowerCase() === 'content-type')?.[1]
  return {
    headers,
    body: profile.createQueue.body.replaceAll('{name}', () => escapeFor(essence(contentType), name)),
  }
}

function escapeFor(type: string, name: string): string {
  if (type === 'application/x-www-form-urlencoded') return encodeURIComponent(name)
  if (type.endsWith('/json') || type.endsWith('+json')) return JSON.stringify(name).slice(1, -1)
  if (type.endsWith('/xml') || type.endsWith('+xml')) {
    return name.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
  }
  return name
}
