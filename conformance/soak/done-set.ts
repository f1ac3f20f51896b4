/** Numbers that were counted up, one bit each. */
export class DoneSet {
  readonly #chunks: Uint8Array[] = []

  add(number: number): void {
    const [chunk, byte, bit] = placeOf(number)
    while (this.#chunks.length <= chunk) this.#chunks.push(new Uint8Array(CHUNK))
    this.#chunks[chunk]![byte]! |= bit
  }

  has(number: number): boolean {
    const [chunk, byte, bit] = placeOf(number)
    return ((this.#chunks[chunk]?.[byte] ?? 0) & bit) !== 0
  }
}

/** Bytes. */
const CHUNK = 4096

function placeOf(number: number): [chunk: number, byte: number, bit: number] {
  return [Math.floor(number / 8 / CHUNK), Math.floor(number / 8) % CHUNK, 1 << (number % 8)]
}
