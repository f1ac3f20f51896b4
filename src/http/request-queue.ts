import type { Linked } from '../broker/collections/linked-list.js'
import type { Connection } from './connection.js'
import type { LiveRequest } from './live-request.js'
import type { Reading } from './reading.js'
import { Rounds } from './rounds.js'

/** How long requests are answered before others have a turn, in milliseconds. */
const SLICE = 8

/** Where nothing came for so long, in milliseconds, the event loop has turned meanwhile. */
const PAUSE = 1

/** What tells whose turn a request has. */
type Asked = Pick<LiveRequest, 'method' | 'path' | 'segments' | 'rawQuery'>

/** A request that is answered in a later turn. */
export class Waiting implements Linked<Waiting> {
  previous: Waiting | undefined
  next: Waiting | undefined
  /** What came behind it on its connection, and comes after it. */
  behind: Waiting | undefined
  readonly connection: Connection
  readonly kinds: readonly string[]
  readonly answer: () => void

  constructor(connection: Connection, kinds: readonly string[], answer: () => void) {
    this.connection = connection
    this.kinds = kinds
    this.answer = answer
  }
}

/**
 * The requests of one server, of which as many are answered in a turn of the event loop as there is time for: those that
 * come together do not keep others waiting until all are answered. What waits is answered by kinds in turn, within one by
 * addresses, and within one of these by queries, so that a thousand long answers leave room for a short one between any two
 * of them; of one connection in the order in which they came.
 */
export class RequestQueue {
  readonly #reading: Reading
  readonly #rounds = new Rounds<Waiting>()
  /** Since when there was work without a pause, and when there was some last. */
  #since = 0
  #last = 0
  /** When the next turn was asked for; undefined where nobody waits for it. */
  #asked: number | undefined
  /** When something came first after that. */
  #heard: number | undefined
  /** When a turn of those who wait was over. */
  #ended = 0
  /** Whether turns go by without work of ours, in which those are let in who come: Node lets in one in a turn. */
  #lettingIn = false
  #opened = false
  #hasRead = false
  /** How long they are let in, and read from, in milliseconds: as long as answers took. */
  #patience = SLICE

  constructor(reading: Reading) {
    this.#reading = reading
  }

  /** Whether a request may be answered now: nobody waits, and there is time left. */
  get free(): boolean {
    return !this.look()
  }

  /**
   * Answers a request now. Where that takes long, those who came meanwhile are let in next: an answer of many bytes would
   * keep the event loop at writing otherwise, and each turn let in one request and answer it at once, in whatever order.
   */
  go(answer: () => void): void {
    answer()
    const now = performance.now()
    this.#last = now
    if (now - this.#since < SLICE || this.#asked !== undefined) return
    this.#ended = now
    this.#patience = now - this.#since
    this.#lettingIn = true
    this.#ask(now)
  }

  /** Answers a request when it has its turn. */
  add(connection: Connection, { method, path, segments, rawQuery }: Asked, answer: () => void): void {
    const kind = `${method} ${segments[0]} ${Math.min(3, segments.length)}`
    const waiting = new Waiting(connection, [kind, path, rawQuery], answer)
    if (connection.waiting === undefined) this.#rounds.add(waiting, waiting.kinds)
    else connection.waiting.behind = waiting
    connection.waiting = waiting
    if (this.#asked === undefined) this.#ask(performance.now())
  }

  /** A connection was opened, and there may be more. */
  opened(connection: Connection): void {
    this.#opened = true
    this.#reading.opened(connection)
  }

  /**
   * Something has come, of whatever kind: nothing further is read for now where this turn has become long.
   *
   * @returns whether what has come has to wait
   */
  look(): boolean {
    const now = performance.now()
    if (this.#asked === undefined && now - this.#last > PAUSE) this.#since = now
    this.#last = now
    if (now - this.#since < SLICE && this.#rounds.empty) return false
    if (this.#asked === undefined) this.#ask(now)
    else {
      this.#heard ??= now
      if (now - this.#heard > SLICE) this.#reading.stop()
    }
    return true
  }

  #ask(now: number): void {
    this.#asked = now
    this.#heard = undefined
    setImmediate(this.#next)
  }

  readonly #next = () => {
    const now = performance.now()
    this.#reading.rest()
    if (this.#lettingIn && this.#letsIn(now - this.#ended < this.#patience)) {
      this.#ask(now)
      return
    }
    this.#asked = undefined
    for (let time = now; !this.#rounds.empty && time - now < SLICE; time = performance.now()) {
      this.#answerOne()
    }
    this.#ended = performance.now()
    this.#patience = Math.max(SLICE, this.#ended - now)
    this.#since = this.#ended
    this.#last = this.#ended
    this.#lettingIn = !this.#rounds.empty || this.#reading.stopped
    this.#hasRead = false
    if (this.#lettingIn) this.#ask(this.#ended)
  }

  /** @returns whether the turn that begins is for those who come, and for reading */
  #letsIn(hasTime: boolean): boolean {
    if (this.#opened && hasTime) {
      this.#opened = false
      return true
    }
    if (!this.#reading.stopped || (this.#hasRead && !hasTime)) return false
    this.#reading.goOn()
    this.#hasRead = true
    return true
  }

  #answerOne(): void {
    const { behind, connection, answer } = this.#rounds.take()
    if (behind !== undefined) this.#rounds.add(behind, behind.kinds)
    else connection.waiting = undefined
    answer()
  }
}
