import { createHash } from 'node:crypto'

/** The namespace of all names of this server, a random UUID that never changes. */
const NAMESPACE = Buffer.from('6f0c3a5e7d4b4c1f9a2e85d3b1c07f46', 'hex')

/**
 * A name-based UUID, version 5 (RFC 9562 section 5.5): what has a name but no
 * record of its own bears the same id for ever, as RFC 4287 section 4.2.6 asks.
 *
 * @param seed keeps the names of one server apart from those of all others; without a control character
 */
export function nameUuid(name: string, seed: string): string {
  const bytes = createHash('sha1')
    .update(NAMESPACE)
    .update(`${seed}\0${name}`, 'utf8')
    .digest()
    .subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
