import { type Principal, ROLES } from './principal.js'

/**
 * A principal with the SHA-256 of its token.
 *
 * @example
 * ```ts
 * const file = { principals: [{ name: 'shop', tokenSha256: '0'.repeat(64), roles: ['produce'] }] }
 * const [credential]: Credential[] = parsePrincipals(JSON.stringify(file))
 * credential?.principal.name    // 'shop'
 * ```
 */
export interface Credential {
  readonly principal: Principal
  /** 32 bytes. */
  readonly hash: Uint8Array
}

/**
 * Reads the text of a principals file: JSON `{"principals": [{"name": …, "tokenSha256": …, "roles": […]}]}`, where
 * `tokenSha256` is the SHA-256 of the token's UTF-8 as 64 hexadecimal digits.
 *
 * @throws Error whose message says where the mistake is, and never quotes a hash
 *
 * @example
 * ```ts
 * const file = { principals: [{ name: 'shop', tokenSha256: '0'.repeat(64), roles: ['produce'] }] }
 * const guarded = await startServer({ principals: parsePrincipals(JSON.stringify(file)) })
 * await guarded.stop()
 * ```
 */
export function parsePrincipals(text: string): Credential[] {
  const file = asObject(parseJson(text), 'the file')
  onlyKeys(file, ['principals'], 'the file')
  if (!Array.isArray(file.principals)) throw new Error('principals must be a list.')
  const credentials = file.principals.map((entry, index) => readPrincipal(entry, `principals[${index}]`))
  const names = new Set<string>()
  const hashes = new Set<string>()
  for (const [index, { principal, hash }] of credentials.entries()) {
    if (names.has(principal.name)) throw new Error(`principals[${index}].name is given twice.`)
    // One token for two names would make it a matter of order who is asking.
    if (hashes.has(String(hash)))
      throw new Error(`principals[${index}].tokenSha256 is another principal's too.`)
    names.add(principal.name)
    hashes.add(String(hash))
  }
  return credentials
}

function readPrincipal(value: unknown, path: string): Credential {
  const entry = asObject(value, path)
  onlyKeys(entry, ['name', 'tokenSha256', 'roles'], path)
  const { name, tokenSha256, roles } = entry
  // A colon would end the name in Basic credentials.
  if (typeof name !== 'string' || !/^[^:\p{Cc}]{1,255}$/u.test(name)) {
    throw new Error(`${path}.name must be a text of 1 to 255 characters without a colon.`)
  }
  if (typeof tokenSha256 !== 'string' || !/^[0-9a-f]{64}$/i.test(tokenSha256)) {
    throw new Error(`${path}.tokenSha256 must be 64 hexadecimal digits.`)
  }
  if (!Array.isArray(roles) || !roles.every((role) => ROLES.includes(role))) {
    throw new Error(`${path}.roles must be a list of ${ROLES.join(', ')}.`)
  }
  return { principal: { name, roles: new Set(roles) }, hash: bytesOf(tokenSha256) }
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message may quote the text, and with it a hash.
    throw new Error('it is not JSON.')
  }
}

function asObject(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw new Error(`${path} must be an object.`)
}

function onlyKeys(object: Record<string, unknown>, keys: readonly string[], path: string): void {
  const unknown = Object.keys(object).find((key) => !keys.includes(key))
  if (unknown !== undefined) throw new Error(`${path} has no field ${JSON.stringify(unknown)}.`)
}
