/** Bytes of all answers of a run: when they were read, nothing more is asked. Feeds of half a megabyte stay below it. */
const MAX_ALL = 8 * 1024 * 1024 * 1024
/** A longer answer is not read to its end: nothing that a check asks for is near it. In bytes. */
const MAX_ANSWER = 16 * 1024 * 1024
/** The longest answer of a target that is taken to mean harm that is still read. */
const MAX_HARMFUL = 64 * 1024
/** After more answers beyond all measure than so many a target is taken to mean harm. */
const HARM = 8

/** How long the answers of a target are, and whether they keep measure. */
export class Measure {
  #all = 0
  #excesses = 0

  /** Counts bytes that were read. */
  read(bytes: number): void {
    this.#all += bytes
  }

  /** Notes an answer beyond all measure: without an end, or nested without one. */
  noteExcess(): void {
    this.#excesses += 1
  }

  /** Whether the target has shown again and again that its answers know no measure: nobody waits for it any more. */
  get isHarmful(): boolean {
    return this.#excesses > HARM || this.#all > MAX_ALL
  }

  /** Bytes of one answer at most. */
  get most(): number {
    return this.isHarmful ? MAX_HARMFUL : MAX_ANSWER
  }

  /** The same as a phrase, with the reason where it is not the usual one. */
  get mostInWords(): string {
    const why = `, which is all that is read of one after ${HARM + 1} answers beyond measure`
    return `${this.most} bytes${this.isHarmful ? why : ''}`
  }

  /** Why nothing more is read; undefined where more may be. */
  get isFull(): string | undefined {
    return this.#all > MAX_ALL
      ? `the answers of the run are longer than ${MAX_ALL} bytes together`
      : undefined
  }
}
