import type { Socket } from 'node:net'
import { type Linked, LinkedList } from '../../broker/collections/linked-list.js'
import type { Intake } from '../scheduler.js'

/** How many connections go on in one turn of the event loop at most. */
const MOST = 128

/** A connection, as far as it is read from. */
export interface Source extends Linked<Source> {
  readonly socket: Pick<Socket, 'bytesRead' | 'destroyed' | 'isPaused' | 'pause' | 'resume'>
  /** Those whose answers have not left. */
  readonly exchanges: { readonly size: number }
  /** Where it stands while nothing is read from it. */
  stopped: LinkedList<Source> | undefined
}

/** Connections that go on together. */
interface Group {
  readonly next: () => Source | undefined
  /** How many of them go on in one turn: fewer where they bring much. */
  size: number
}

/**
 * Stops reading from all connections when what they bring takes too long for one turn of the event loop, in which Node
 * reads all that has come; and goes on with some of them in each turn.
 */
export class Reading implements Intake {
  readonly #most: number
  readonly #connections: ReadonlyMap<Socket, Source>
  /** Those that have all their answers. */
  readonly #served = new LinkedList<Source>()
  /** Those that have said nothing yet, and had no turn. */
  readonly #fresh = new LinkedList<Source>()
  readonly #others = new LinkedList<Source>()
  /**
   * Who goes on, turn by turn: the newest too, so that a thousand that came before and have much to say do not keep it
   * waiting; they apart from those that are served, which mostly have little to say.
   */
  readonly #order: readonly Group[]
  #turn = 0
  /** Those whose turn it is. */
  #reading: Source[] = []
  #late = false

  /** @param most how many connections go on in one turn at most */
  constructor(connections: ReadonlyMap<Socket, Source>, most = MOST) {
    this.#connections = connections
    this.#most = most
    this.#order = [
      { next: () => this.#served.first, size: most },
      { next: () => this.#fresh.last, size: most },
      { next: () => this.#others.first, size: most },
      { next: () => this.#fresh.first, size: most },
    ]
  }

  /** Whether one of them is not read from. */
  get stopped(): boolean {
    return this.#served.size + this.#fresh.size + this.#others.size > 0
  }

  /** A connection was opened: who comes while others are stopped has a turn as they do. */
  opened(connection: Source): void {
    if (this.stopped) this.#stop(connection, this.#fresh)
  }

  /** A connection has ended: who stands behind others keeps nothing until its turn. */
  closed(connection: Source): void {
    connection.stopped?.remove(connection)
    connection.stopped = undefined
  }

  /** A connection has all its answers. */
  served(connection: Source): void {
    if (connection.stopped !== this.#others) return
    this.#others.remove(connection)
    connection.stopped = this.#served
    this.#served.append(connection)
  }

  /** Nothing further is read in this turn, which has become long. */
  stop(): void {
    if (this.#late) return
    this.#late = true
    if (this.stopped) this.#rest()
    else for (const connection of this.#connections.values()) this.#stop(connection, this.#fresh)
  }

  /** Those whose turn it was have had it. */
  rest(): void {
    if (this.stopped) this.#rest()
    else this.#late = false
    this.#reading = []
  }

  /** The next have their turn. */
  goOn(): void {
    const before = this.#order[this.#turn % this.#order.length]!
    before.size = this.#late ? Math.max(1, before.size >> 2) : Math.min(this.#most, before.size * 2)
    this.#late = false
    let group: Group
    do group = this.#order[++this.#turn % this.#order.length]!
    while (group.next() === undefined)
    for (let left = group.size; left > 0; left--) {
      const connection = group.next()
      if (connection === undefined) break
      this.closed(connection)
      if (connection.socket.destroyed) continue
      connection.socket.resume()
      this.#reading.push(connection)
    }
  }

  #rest(): void {
    for (const connection of this.#reading) this.#stop(connection)
  }

  /** @param fresh where it stands when it has said nothing */
  #stop(connection: Source, fresh = this.#others): void {
    const { socket } = connection
    // One that is paused already is not ours.
    if (socket.destroyed || socket.isPaused()) return
    socket.pause()
    if (connection.stopped !== undefined) return
    const { size } = connection.exchanges
    connection.stopped = socket.bytesRead === 0 ? fresh : size === 0 ? this.#served : this.#others
    connection.stopped.append(connection)
  }
}
