import { createHash, timingSafeEqual } from 'node:crypto'
import { Problem } from '../http/problems.js'
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
    const hash = createHash('sha256').update(presented.token).digest()
    let found: Principal | undefined
    for (const credential of credentials) {
      if (timingSafeEqual(credential.hash, hash)) found = credential.principal
    }
    if (found === undefined || (presented.name !== undefined && presented.name !== found.name)) {
      throw refused('The credentials are not known here.')
    }
    return found
  }
}

interface Presented {
  /** With Basic alone. */
  readonly name: string | undefined
  readonly token: string
}

// clause: auth.schemes
function presentedBy(authorization: string | undefined): Presented | undefined {
  const [, scheme = '', value = ''] = /^(\S+) +(\S+)$/.exec(authorization ?? '') ?? []
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return { name: undefined, token: value }
    case 'basic': {
      const text = Buffer.from(value, 'base64').toString('utf8')
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
