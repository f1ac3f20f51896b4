import { parseProfile } from '../client/parse-profile.js'
import type { Profile } from '../client/profile.js'
import { UsageError } from './usage-error.js'

/** A profile with the headers of `--header 'Name: value'` besides its own. @throws {UsageError} */
export function withHeaders(profile: Profile, lines: readonly string[]): Profile {
  if (lines.length === 0) return profile
  const given = Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':')
      if (at < 1) throw new UsageError(`--header is given as 'Name: value', and not "${line}".`)
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
  return { ...profile, headers: { ...profile.headers, ...parseProfile({ headers: given }).headers } }
}
