import type { Profile } from './profile.js'

/** Somebody without permission, as the profile gives them, with a name for reports. */
export interface Unauthorized {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
}

/** Who in a profile has no permission: those without credentials, and those with somebody else's. */
export function unauthorized(
  { profile }: { readonly profile: Profile },
  which: 'anonymous' | 'other' | 'all',
): Unauthorized[] {
  const all = profile.unauthorized.length > 0 ? profile.unauthorized : [{}]
  return all.flatMap((headers, i) => {
    const anonymous = Object.keys(headers).length === 0
    if (which !== 'all' && anonymous !== (which === 'anonymous')) return []
    return [{ headers, name: anonymous ? 'nobody' : `party ${i + 1} without permission` }]
  })
}
