import { Problem } from '../http/problems.js'
import { fromBase64, fromUtf8 } from '../platform/bytes.js'
import { sha256 } from '../platform/sha256.js'
import type { Principal } from './principal.js'
import type { Credential } from './principals-file.js'

/** Basic comes first, since of several challenges in one field Chromium reads only the first. */
const CHALLENGE = 'Basic realm="atom-mq", charset="UTF-8", Bearer realm="atom-mq"'

/** Says who is asking, from the `Authorization` field of a request. */
export type Authenticate = (authorization: string | undefined) => Principal

/**
 * Bearer, or Basic with a principal's name and token (section 5 leaves the mechanism open; `chosen`). Every token
 * is hashed and compared with every known hash, so the time taken tells nothing of how near it came.
 *
 * The result throws Problem `unauthorized`.
 */
// clause: auth.feed.anonymous auth.tokens auth.mechanism
export function createAuthenticate(credentials: readonly Credential[]): Authenticate {
  return (authorization) => {
    const presented = presentedBy(authorization)
    if (presented === undefined) {
      throw refused(
        'Say who is asking, with Authorization: Bearer and a token, or Basic with name and token.',
      )
    }
    const hash = sha256(presented.token)
    let found: Principal | undefined
    for (const credential of credentials) {
      if (areEqual(credential.hash, hash)) found = credential.principal
    }
    if (found === undefined || (presented.name !== undefined && presented.name !== found.name)) {
      throw refused('The credentials are not known here.')
    }
    return found
  }
}

/** The token, and with Basic alone a name. */
// clause: auth.schemes
function presentedBy(authorization: string | undefined): { name?: string; token: string } | undefined {
  const [, scheme = '', value = ''] = /^(\S+) +(\S+)$/.exec(authorization ?? '') ?? []
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return { token: value }
    case 'basic': {
      const text = textOf(value)
      const colon = text.indexOf(':')
      return colon < 0 ? undefined : { name: text.slice(0, colon), token: text.slice(colon + 1) }
    }
    default:
      return undefined
  }
}

// clause: auth.challenge
function refused(detail: string): Problem {
  return new Problem('unauthorized', detail, {}, { 'WWW-Authenticate': CHALLENGE })
}

function textOf(base64: string): string {
  try {
    return fromUtf8(fromBase64(base64))
  } catch {
    return ''
  }
}

/** Takes the same time wherever they differ. */
function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length
  for (let at = 0; at < a.length; at++) difference |= a[at]! ^ b[at]!
  return difference === 0
}
