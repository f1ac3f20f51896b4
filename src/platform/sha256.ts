import { builtIn } from './built-in.js'
import { utf8Of } from './bytes.js'

const native = builtIn('node:crypto')

/** SHA-256 (FIPS 180-4) of some bytes or texts, which are UTF-8, one behind the other. */
export function sha256(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  if (native === undefined) return plainSha256(...parts)
  const hash = native.createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** {@link sha256} by what every platform has: browsers have it as something to be awaited, and nothing here is. */
export function plainSha256(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  const padded = pad(parts.map(utf8Of))
  const view = new DataView(padded.buffer)
  const hash = new Int32Array(FIRST)
  const w = new Int32Array(64)
  for (let block = 0; block < padded.length; block += 64) {
    for (let t = 0; t < 16; t++) w[t] = view.getInt32(block + 4 * t)
    for (let t = 16; t < 64; t++) {
      const [x, y] = [w[t - 15]!, w[t - 2]!]
      const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)
      const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10)
      w[t] = w[t - 16]! + s0 + w[t - 7]! + s1
    }
    let [a, b, c, d, e, f, g, h] = hash as unknown as Eight
    for (let t = 0; t < 64; t++) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[t]! + w[t]!) | 0
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0]
    }
    for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) hash[index]! += word
  }
  const digest = new DataView(new ArrayBuffer(32))
  for (const [index, word] of hash.entries()) digest.setInt32(4 * index, word)
  return new Uint8Array(digest.buffer)
}

type Eight = [number, number, number, number, number, number, number, number]

/** A one, zeros, and the length in bits, up to whole blocks of 64 bytes. */
function pad(parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const padded = new Uint8Array(((length + 72) >>> 6) << 6)
  let at = 0
  for (const part of parts) {
    padded.set(part, at)
    at += part.length
  }
  padded[length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(length / 2 ** 29))
  view.setUint32(padded.length - 4, length << 3)
  return padded
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

/** The first 32 bits of the fractional parts of a root of each of the first primes. */
function fractions(count: number, root: (prime: number) => number): number[] {
  const primes: number[] = []
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  return primes.map((prime) => ((root(prime) % 1) * 2 ** 32) | 0)
}

const FIRST = fractions(8, Math.sqrt)
const K = fractions(64, Math.cbrt)
