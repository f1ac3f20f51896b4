/** A server may keep as few as five connections waiting until it takes them; a further one waits for seconds. */
const FEW = 4
const MOST = 64
/** Milliseconds after which a connection without an answer is taken to be taken: the answer itself is slow. */
const TAKEN = 1000
/** Milliseconds after which a request to connect is sent again where nobody has heard it. */
const REPEATED = 900

/** How a request that waited gets to be sent: on a connection that is there, or on a new one. */
interface Entering {
  /** Whether a connection is there that nobody uses. */
  readonly hasFree: () => boolean
  readonly start: (connection: NewConnection) => void
  /** Whether nobody waits for its answer any more. */
  readonly isOver: () => boolean
}

/** What a request says of the connection that it was sent on. */
export interface NewConnection {
  /** The connection stands. */
  connected(): void
  /** An answer begins to come, or none will; and whether the server keeps the connection. */
  answered(isKept: boolean): void
}

const OLD: NewConnection = { connected: () => {}, answered: () => {} }

/**
 * Opens connections a few at a time: so many that nothing has been answered on yet. Other requests wait in turn. More are
 * opened where a server keeps those that it has, until the first of them waits.
 */
export class NewConnections {
  readonly #waiting: Entering[] = []
  #unanswered = 0
  #most = FEW
  #bound = MOST

  /** Lets more connections be opened at once: the target is far away, and has not shown that they are too many. */
  allow(count: number): void {
    this.#most = Math.max(this.#most, Math.min(count, this.#bound))
  }

  enter(entering: Entering): void {
    this.#waiting.push(entering)
    this.look()
  }

  /** Starts what can start; called as well whenever a connection has become free. */
  look(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const isFree = first.hasFree()
      if (!first.isOver() && !isFree && this.#unanswered >= this.#most) return
      this.#waiting.shift()
      if (!first.isOver()) first.start(isFree ? OLD : this.#open())
    }
  }

  #open(): NewConnection {
    const began = performance.now()
    const answered = (isKept: boolean) => {
      if (timer === undefined) return
      if (isKept) this.allow(this.#most + 1)
      clearTimeout(timer)
      timer = undefined
      this.#unanswered -= 1
      this.look()
    }
    let timer: NodeJS.Timeout | undefined = setTimeout(answered, TAKEN, false)
    this.#unanswered += 1
    const connected = () => {
      if (performance.now() - began < REPEATED) return
      this.#bound = Math.max(FEW, this.#bound / 2)
      this.#most = Math.min(this.#most, this.#bound)
    }
    return { connected, answered }
  }
}
