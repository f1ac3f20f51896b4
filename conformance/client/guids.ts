import type { Profile } from './profile.js'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Why the profile does not allow a client's guid, in a few words; undefined where it does. */
export function guidProblem({ guid: { form, maxLength } }: Profile, guid: string): string | undefined {
  if (form === 'uuid' && !UUID.test(guid)) return `"${guid.slice(0, 60)}" is no UUID in lower case`
  if (maxLength !== null && [...guid].length > maxLength)
    return `a guid of ${[...guid].length} characters is longer than ${maxLength}`
  return undefined
}
