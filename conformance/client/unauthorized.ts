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

/** Somebody whose credentials look like the owner's and are nobody's; none where the owner shows none. */
export function invented({ profile }: { readonly profile: Profile }): Unauthorized[] {
  const own = Object.entries(profile.headers)
  // A secret stands at the end: after a scheme, a cookie's name, or the other parts of a token.
  const others = own.map(([name, value]) => [name, value.replace(/[A-Za-z0-9]+(?=[^A-Za-z0-9]*$)/, unlike)])
  return own.length === 0 ? [] : [{ headers: Object.fromEntries(others), name: 'nobody known' }]
}

function unlike(secret: string): string {
  return (/^x+$/i.test(secret) ? 'y' : 'x').repeat(secret.length)
}
