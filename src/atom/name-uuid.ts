import { sha256 } from '../platform/sha256.js'

/** The namespace of all names of this server, a random UUID that never changes. */
const NAMESPACE = '6f0c3a5e-7d4b-4c1f-9a2e-85d3b1c07f46'

/**
 * A name-based UUID, version 8 by SHA-256 (RFC 9562 section 5.8): what has a name but no
 * record of its own bears the same id for ever, as RFC 4287 section 4.2.6 asks.
 *
 * @param seed keeps the names of one server apart from those of all others; without a control character
 */
export function nameUuid(name: string, seed: string): string {
  const bytes = sha256(`${NAMESPACE}\0${seed}\0${name}`).slice(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
