const POOL_BYTES = 4096

/**
 * Where ids come from. Randomness is taken in bulk, since one call for each id costs more than the rest
 * of a send together.
 */
export class Ids {
  readonly #pool = new Uint8Array(POOL_BYTES)
  #used = POOL_BYTES
  /** Character codes of the id that is being made. */
  readonly #digits = new Array<number>(32).fill(0)

  /** @param fill fills an array with random bytes; a test gives one that always fills it alike */
  constructor(
    private readonly fill: (bytes: Uint8Array<ArrayBuffer>) => void = (bytes) =>
      void crypto.getRandomValues(bytes),
  ) {}

  /** 128 random bits as 32 hexadecimal digits: who knows it was told it. */
  // clause: auth.unguessable
  key(): string {
    if (this.#used === POOL_BYTES) {
      this.fill(this.#pool)
      this.#used = 0
    }
    // Made at once: a text that is added up refers to its parts, which take more than it does.
    const digits = this.#digits
    for (let at = 0; at < 32; at += 2) {
      const byte = this.#pool[this.#used++] as number
      digits[at] = DIGITS[byte >>> 4] as number
      digits[at + 1] = DIGITS[byte & 15] as number
    }
    return String.fromCharCode.apply(null, digits)
  }

  /** A random UUID (RFC 9562, version 4). */
  uuid(): string {
    const hex = this.key()
    const variant = ((Number.parseInt(hex[16] as string, 16) & 0x3) | 0x8).toString(16)
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
  }
}

/** Character codes of the hexadecimal digits. */
const DIGITS = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))
