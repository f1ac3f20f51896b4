import type { Buffer } from '../client/bytes.js'

/** With how many bytes both begin. */
export function sharedBy(one: Buffer, other: Buffer): number {
  const shorter = Math.min(one.length, other.length)
  let at = 0
  while (at < shorter && one[at] === other[at]) at++
  return at
}

/** How a body that came back differs from the one that was sent, as a sentence. */
export function difference(sent: Buffer, got: Buffer): string {
  const at = sharedBy(sent, got)
  const part = (bytes: Buffer) => {
    const piece = bytes.subarray(Math.max(0, at - 8), at + 16)
    return piece.length === 0 ? 'nothing' : JSON.stringify(piece.toString('latin1'))
  }
  return `${got.length} of ${sent.length} bytes; from byte ${at} on ${part(got)} stands for ${part(sent)}`
}
