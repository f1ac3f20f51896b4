import type { IncomingMessage } from 'node:http'

/** What a request without a body has. */
export const NO_BODY = Buffer.alloc(0)

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
  readonly #limit: number
  /** Oldest first. */
  readonly #collecting = new Set<Collector>()
  #bytes = 0
  #parked = 0

  /** @param limit in bytes */
  constructor(limit: number) {
    this.#limit = limit
  }

  /**
   * Reads a body whole. One that came in a single chunk is that chunk, uncopied.
   *
   * @param most the largest body there may be, in bytes
   * @param done gets the body, or why there is none
   * @returns lets go of it, when the client goes away first; `done` is then not called
   */
  // clause: send.step-2.broken-off dedup.broken-off
  collect(message: IncomingMessage, most: number, done: (body: Buffer | BodyFailure) => void): Collecting {
    const declared = message.headers['content-length']
    return new Collector(message, declared === undefined ? most : Math.min(most, Number(declared)), {
      account: this,
      set: this.#collecting,
      done,
    })
  }

  /**
   * Counts what a request takes while it waits, its head included.
   *
   * @returns false, and counts nothing, where waiting requests have half of the room already
   */
  park(bytes: number): boolean {
    if (this.#parked + bytes > this.#limit / 2) return false
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
    for (const oldest of this.#collecting) {
      if (this.#bytes <= this.#limit) return
      oldest.giveUp('no-room')
    }
  }

  free(bytes: number): void {
    this.#bytes -= bytes
  }
}

/** A body that is on its way. */
export interface Collecting {
  /** Nothing more of it is kept; harmless when it has arrived. */
  abandon(): void
}

interface Place {
  readonly account: BodiesInFlight
  readonly set: Set<Collector>
  readonly done: (body: Buffer | BodyFailure) => void
}

/** One body on its way. Its buffer doubles until it is as long as the body may be, so no chunk is kept as it came. */
class Collector implements Collecting {
  readonly #message: IncomingMessage
  readonly #most: number
  readonly #place: Place
  #buffer: Buffer = NO_BODY
  #length = 0
  #counted = 0
  #chunks = 0
  readonly #mostChunks: number

  constructor(message: IncomingMessage, most: number, place: Place) {
    this.#message = message
    this.#most = most
    this.#place = place
    this.#mostChunks = Math.max(MOST_CHUNKS, Math.ceil(most / LEAST_CHUNK))
    message.on('data', this.#onData)
    message.on('end', this.#onEnd)
  }

  giveUp(why: BodyFailure): void {
    this.abandon()
    this.#place.done(why)
  }

  readonly #onData = (chunk: Buffer) => {
    const length = this.#length + chunk.length
    if (length > this.#most || ++this.#chunks > this.#mostChunks) {
      this.giveUp('too-large')
      return
    }
    if (this.#length === 0 && length === this.#most) {
      this.#buffer = chunk
      this.#length = length
      return
    }
    if (length > this.#buffer.length && !this.#grow(length)) return
    chunk.copy(this.#buffer, this.#length)
    this.#length = length
  }

  readonly #onEnd = () => {
    const body = this.#length === this.#buffer.length ? this.#buffer : copyOf(this.#buffer, this.#length)
    this.#letGo()
    this.#place.done(body)
  }

  /** @returns whether this body is still collected: the room may have been made by giving up this very one */
  #grow(least: number): boolean {
    const { account, set } = this.#place
    const size = Math.min(this.#most, Math.max(FIRST, least, this.#buffer.length * 2))
    set.add(this)
    const more = size - this.#counted
    this.#counted = size
    account.take(more)
    if (!set.has(this)) return false
    const grown = Buffer.allocUnsafeSlow(size)
    this.#buffer.copy(grown, 0, 0, this.#length)
    this.#buffer = grown
    return true
  }

  abandon(): void {
    this.#message.off('data', this.#onData)
    this.#message.off('end', this.#onEnd)
    this.#letGo()
  }

  #letGo(): void {
    this.#buffer = NO_BODY
    if (this.#counted === 0) return
    this.#place.set.delete(this)
    this.#place.account.free(this.#counted)
    this.#counted = 0
  }
}

/** The beginning of a buffer in memory of its own, of just its length. */
function copyOf(buffer: Buffer, length: number): Buffer {
  const copy = Buffer.allocUnsafeSlow(length)
  buffer.copy(copy, 0, 0, length)
  return copy
}
