import type { Linked } from '../broker/collections/linked-list.js'
import { utf8Of, type Written } from '../platform/bytes.js'
import { nextTurn } from '../platform/next-turn.js'
import type { LiveRequest } from './live-request.js'
import { RoundRobin } from './round-robin.js'

/** What tells whose turn a request has. */
type Asked = Pick<LiveRequest, 'method' | 'path' | 'segments' | 'rawQuery'>

/** How long requests are answered before others have a turn, in milliseconds. */
const SLICE = 8

/** Where nothing came for so long, in milliseconds, the event loop has turned meanwhile. */
const PAUSE = 1

/** How long those who were woken wait for room for their answers, in milliseconds; then the oldest answers make room. */
const LONGEST_FULL = 1000

/** How often it is seen whether there is room, in milliseconds. */
const EVERY = 5

/** What requests come on, such as a connection: those of one are answered in the order in which they came. */
export interface Line {
  /** Of its requests that are answered in a later turn the first, behind which the others come. */
  first: PendingRequest | undefined
  /** The last of them. */
  pending: PendingRequest | undefined
}

/** A request that is answered in a later turn. */
export class PendingRequest implements Linked<PendingRequest> {
  previous: PendingRequest | undefined
  next: PendingRequest | undefined
  /** What came behind it on its line, and comes after it. */
  behind: PendingRequest | undefined

  constructor(
    public line: Line | undefined,
    readonly kinds: readonly string[],
    public answer: () => void,
  ) {}
}

/** Where requests come from, where that can be stopped for a while. */
export interface Intake {
  /** Whether some of it is stopped. */
  readonly stopped: boolean
  /** Nothing further is taken in in this turn, which has become long. */
  stop(): void
  /** Those whose turn it was have had it. */
  rest(): void
  /** The next have their turn. */
  goOn(): void
}

/** What takes no notice. */
const OPEN: Intake = { stopped: false, stop() {}, rest() {}, goOn() {} }

/**
 * Says what one server does in which turn of the event loop, so that nobody keeps the others waiting until all of theirs is done.
 *
 * Of the requests, as many are answered in a turn as there is time for. What waits is answered by kinds in turn, within one by
 * addresses, and within one of these by queries, so that a thousand long answers leave room for a short one between any two
 * of them.
 *
 * Of those who waited for a change and were woken, one goes on in each turn, and none while more answers are on their way
 * than their readers take: thousands may wait for one change, and each may have a long page to read. In real time also at a
 * manual clock, since the readers are real.
 */
export class Scheduler {
  /** Whether there is room for the answer of one more who was woken. */
  hasRoom: () => boolean = () => true
  intake: Intake = OPEN
  readonly #requests = new RoundRobin<PendingRequest>()
  /** Since when there was work without a pause, and when there was some last. */
  #since = 0
  #last = 0
  /** When the next turn was asked for by a request; undefined where none waits for it. */
  #asked: number | undefined
  /** When something came first after that. */
  #heard: number | undefined
  /** When a turn of requests that waited was over. */
  #ended = 0
  /** Whether turns go by without work of ours, in which those are let in who come: Node lets in one in a turn. */
  #lettingIn = false
  #opened = false
  #hasRead = false
  /** How long they are let in, and read from, in milliseconds: as long as answers took. */
  #timeout = SLICE
  #woken: (() => void)[] = []
  /** How many of them have gone on. */
  #gone = 0
  /** Whether somebody who was woken has gone on in this turn. */
  #taken = false
  /** Since when there is no room. */
  #fullSince: number | undefined
  #page: { readonly key: string; readonly bytes: Uint8Array } | undefined
  /** Whether the next turn is awaited, and whether some time is. */
  #awaited = false
  #sleeping = false

  /** @param now what time it is, in milliseconds since some moment */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether a request may be answered now: nobody waits, and there is time left. */
  mayAnswerNow(): boolean {
    return !this.look()
  }

  /** Whether somebody who was woken has not gone on yet. */
  get hasWoken(): boolean {
    return this.#woken.length > 0
  }

  /**
   * Answers a request now. Where that takes long, those who came meanwhile are let in next: an answer of many bytes would
   * keep the event loop at writing otherwise, and each turn let in one request and answer it at once, in whatever order.
   */
  go(answer: () => void): void {
    answer()
    const now = this.now()
    this.#last = now
    if (now - this.#since < SLICE || this.#asked !== undefined) return
    this.#ended = now
    this.#timeout = now - this.#since
    this.#lettingIn = true
    this.#ask(now)
  }

  /** Answers a request when it has its turn. */
  add(line: Line, { method, path, segments, rawQuery }: Asked, answer: () => void): void {
    const kind = `${method} ${segments[0]} ${Math.min(3, segments.length)}`
    const pending = new PendingRequest(line, [kind, path, rawQuery], answer)
    if (line.pending === undefined) this.#stand(line, pending)
    else line.pending.behind = pending
    line.pending = pending
    if (this.#asked === undefined) this.#ask(this.now())
  }

  /** Nobody waits any more for what came on a line: its turn may be far off, and it keeps nothing until then. */
  forget(line: Line): void {
    const { first } = line
    if (first === undefined) return
    first.line = undefined
    first.behind = undefined
    first.answer = () => {}
    line.first = undefined
    line.pending = undefined
  }

  /** Somebody has come who may bring requests, and there may be more. */
  opened(): void {
    this.#opened = true
  }

  /**
   * Something has come, of whatever kind: nothing further is taken in for now where this turn has become long.
   *
   * @returns whether what has come has to wait
   */
  look(): boolean {
    const now = this.now()
    if (this.#asked === undefined && now - this.#last > PAUSE) this.#since = now
    this.#last = now
    if (now - this.#since < SLICE && this.#requests.empty) return false
    if (this.#asked === undefined) this.#ask(now)
    else {
      this.#heard ??= now
      if (now - this.#heard > SLICE) this.intake.stop()
    }
    return true
  }

  /** What has come takes much memory until this turn is over: nothing further is taken in in it. */
  restIntake(): void {
    if (this.#asked === undefined) this.#ask(this.now())
    this.intake.stop()
  }

  /** Somebody who was woken goes on at once, or in one of the next turns. */
  wake(go: () => void): void {
    if (this.#taken) {
      this.#woken.push(go)
      return
    }
    this.#taken = true
    this.#await()
    go()
  }

  /**
   * A page that many who were woken read: it is made once for all of them, and takes memory once.
   *
   * @param key the same for the same bytes
   */
  share(key: string, make: () => Written): Written {
    if (this.#page?.key === key) return this.#page.bytes
    if (!this.hasWoken) return make()
    this.#page = { key, bytes: utf8Of(make()) }
    return this.#page.bytes
  }

  #ask(now: number): void {
    this.#asked = now
    this.#heard = undefined
    this.#await()
  }

  #await(): void {
    if (this.#awaited) return
    this.#awaited = true
    nextTurn(this.#turn)
  }

  readonly #turn = () => {
    this.#awaited = false
    if (this.#taken) this.#wakeNext()
    if (this.#asked !== undefined) this.#answerRequests()
  }

  #wakeNext(): void {
    const go = this.#woken[this.#gone]
    if (go === undefined) {
      this.#taken = false
      this.#page = undefined
    } else if (this.#mayWake()) {
      this.#await()
      if (++this.#gone === this.#woken.length) {
        this.#woken = []
        this.#gone = 0
      }
      go()
    } else if (!this.#sleeping) {
      this.#sleeping = true
      setTimeout(() => {
        this.#sleeping = false
        this.#await()
      }, EVERY)
    }
  }

  #mayWake(): boolean {
    if (this.hasRoom()) this.#fullSince = undefined
    else {
      this.#fullSince ??= this.now()
      return this.now() - this.#fullSince >= LONGEST_FULL
    }
    return true
  }

  #answerRequests(): void {
    const now = this.now()
    this.intake.rest()
    if (this.#lettingIn && this.#letsIn(now - this.#ended < this.#timeout)) {
      this.#ask(now)
      return
    }
    this.#asked = undefined
    for (let time = now; !this.#requests.empty && time - now < SLICE; time = this.now()) {
      this.#answerOne()
    }
    this.#ended = this.now()
    this.#timeout = Math.max(SLICE, this.#ended - now)
    this.#since = this.#ended
    this.#last = this.#ended
    this.#lettingIn = !this.#requests.empty || this.intake.stopped
    this.#hasRead = false
    if (this.#lettingIn) this.#ask(this.#ended)
  }

  /** @returns whether the turn that begins is for those who come, and for reading */
  #letsIn(hasTime: boolean): boolean {
    if (this.#opened && hasTime) {
      this.#opened = false
      return true
    }
    if (!this.intake.stopped || (this.#hasRead && !hasTime)) return false
    this.intake.goOn()
    this.#hasRead = true
    return true
  }

  #answerOne(): void {
    const { behind, line, answer } = this.#requests.take()
    if (line !== undefined) {
      if (behind === undefined) line.first = line.pending = undefined
      else this.#stand(line, behind)
    }
    answer()
  }

  /** The first of a line stands among those of others. */
  #stand(line: Line, first: PendingRequest): void {
    line.first = first
    this.#requests.add(first, first.kinds)
  }
}
