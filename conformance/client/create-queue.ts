import type { Profile } from './profile.js'
import { wireName } from './queue-names.js'
import { fill, headerOf } from './template.js'

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
