import type { BodySink, Incoming } from './incoming.js'

const NO_BODY = Buffer.alloc(0)

/** Size of the first buffer that a body in several chunks is put together in, in bytes. */
const FIRST = 4096

/** How few bytes a chunk may have on average where there are very many: each takes as long as a whole small body. */
const LEAST_CHUNK = 64

/** How many chunks a body may have however short they are. */
const MOST_CHUNKS = 16_384

/** Why a body is not read to its end. */
export type BodyFailure = 'too-large' | 'no-room'

/**
 * The bodies that are on their way, with the bytes that they take, counted before they are. Where all together take too
 * much, the one that has been on its way the longest is given up: who sends at a good pace is not held up by who does not.
 */
export class BodiesInFlight {
  /** Those that take memory, oldest first. */
  readonly collecting = new Set<Collector>()
  #bytes = 0
  #parked = 0

  /**
   * @param limit in bytes
   * @param onChunk is told of each chunk
   */
  constructor(
    private readonly limit: number,
    readonly onChunk: () => void,
  ) {}

  /**
   * Reads a body whole. One that came in a single chunk is that chunk, uncopied.
   *
   * @param most the largest body there may be, in bytes
   * @param done gets the body, or why there is none
   * @returns lets go of it, when the client goes away first; `done` is then not called
   */
  // clause: send.step-2.broken-off dedup.broken-off
  collect(message: Incoming, most: number, done: (body: Buffer | BodyFailure) => void): Collector {
    const declared = message.headers['content-length']
    const length = declared === undefined ? most : Math.min(most, Number(declared))
    const collector = new Collector(message, length, this, done)
    message.giveTo(collector)
    return collector
  }

  /**
   * Counts what a request takes while it waits, its head included.
   *
   * @returns false, and counts nothing, where waiting requests have half of the room already
   */
  park(bytes: number): boolean {
    if (this.#parked + bytes > this.limit / 2) return false
    this.#parked += bytes
    this.take(bytes)
    return true
  }

  unpark(bytes: number): void {
    this.#parked -= bytes
    this.free(bytes)
  }

  /** Counts bytes of a body that is collected, and makes room for them where there is none. */
  take(bytes: number): void {
    this.#bytes += bytes
    for (const oldest of this.collecting) {
      if (this.#bytes <= this.limit) return
      oldest.giveUp('no-room')
    }
  }

  free(bytes: number): void {
    this.#bytes -= bytes
  }
}

/** One body on its way. Its buffer doubles until it is as long as the body may be, so no chunk is kept as it came. */
export class Collector implements BodySink {
  #buffer: Buffer = NO_BODY
  #length = 0
  #counted = 0
  #chunks = 0

  constructor(
    private readonly message: Incoming,
    private readonly most: number,
    private readonly account: BodiesInFlight,
    private readonly done: (body: Buffer | BodyFailure) => void,
  ) {}

  giveUp(why: BodyFailure): void {
    this.abandon()
    this.done(why)
  }

  take(chunk: Buffer): void {
    this.account.onChunk()
    const length = this.#length + chunk.length
    if (length > this.most || ++this.#chunks > Math.max(MOST_CHUNKS, this.most / LEAST_CHUNK)) {
      this.giveUp('too-large')
      return
    }
    if (this.#length === 0 && length === this.most) {
      this.#buffer = chunk
      this.#length = length
      return
    }
    if (length > this.#buffer.length && !this.#grow(length)) return
    chunk.copy(this.#buffer, this.#length)
    this.#length = length
  }

  end(): void {
    const body = this.#length === this.#buffer.length ? this.#buffer : copyOf(this.#buffer, this.#length)
    this.#letGo()
    this.done(body)
  }

  /** @returns whether this body is still collected: the room may have been made by giving up this very one */
  #grow(least: number): boolean {
    const { collecting } = this.account
    const size = Math.min(this.most, Math.max(FIRST, least, this.#buffer.length * 2))
    collecting.add(this)
    const more = size - this.#counted
    this.#counted = size
    this.account.take(more)
    if (!collecting.has(this)) return false
    const grown = Buffer.allocUnsafeSlow(size)
    this.#buffer.copy(grown, 0, 0, this.#length)
    this.#buffer = grown
    return true
  }

  /** Nothing more of it is kept; harmless when it has arrived. */
  abandon(): void {
    this.message.takeBack()
    this.#letGo()
  }

  #letGo(): void {
    this.#buffer = NO_BODY
    if (this.#counted === 0) return
    this.account.collecting.delete(this)
    this.account.free(this.#counted)
    this.#counted = 0
  }
}

/** What a request without a body has to give: nothing. */
export const NO_SINK: BodySink = { take() {}, end() {} }

/** The beginning of a buffer in memory of its own, of just its length. */
function copyOf(buffer: Buffer, length: number): Buffer {
  const copy = Buffer.allocUnsafeSlow(length)
  buffer.copy(copy, 0, 0, length)
  return copy
}
