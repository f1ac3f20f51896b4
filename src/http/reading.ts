import type { Socket } from 'node:net'
import { LinkedList } from '../broker/collections/linked-list.js'
import type { Connection } from './connection.js'

/** How many connections are read again in one turn of the event loop at most. */
const MOST = 1024

/** Connections that go on together. */
interface Group {
  readonly next: () => Connection | undefined
  /** How many of them go on in one turn: fewer where they bring much. */
  size: number
}

/**
 * Stops reading from all connections when what they bring takes too long for one turn of the event loop, in which Node
 * reads all that has come; and goes on with some of them in each turn.
 */
export class Reading {
  readonly #connections: ReadonlyMap<Socket, Connection>
  /** Those that have all their answers. */
  readonly #served = new LinkedList<Connection>()
  /** Those that have said nothing yet, as far as is known. */
  readonly #fresh = new LinkedList<Connection>()
  readonly #others = new LinkedList<Connection>()
  /**
   * Who goes on, turn by turn: the newest too, so that a thousand that came before and have much to say do not keep it
   * waiting; they apart from those that are served, which mostly have little to say.
   */
  readonly #order: readonly Group[] = [
    { next: () => this.#served.first, size: MOST },
    { next: () => this.#fresh.last, size: MOST },
    { next: () => this.#others.first, size: MOST },
    { next: () => this.#fresh.first, size: MOST },
  ]
  #turn = 0
  /** Those whose turn it is. */
  #reading: Connection[] = []
  #late = false

  constructor(connections: ReadonlyMap<Socket, Connection>) {
    this.#connections = connections
  }

  /** Whether one of them is not read from. */
  get stopped(): boolean {
    return this.#served.size + this.#fresh.size + this.#others.size > 0
  }

  /** A connection was opened: who comes while others are stopped has a turn as they do. */
  opened(connection: Connection): void {
    if (this.stopped) this.#stop(connection)
  }

  /** A connection has all its answers. */
  served(connection: Connection): void {
    if (connection.stopped !== this.#others) return
    this.#others.remove(connection)
    connection.stopped = this.#served
    this.#served.append(connection)
  }

  /** Nothing further is read in this turn, which has become long. */
  stop(): void {
    if (this.#late) return
    this.#late = true
    for (const connection of this.stopped ? this.#reading : this.#connections.values()) this.#stop(connection)
  }

  /** Those whose turn it was have had it. */
  rest(): void {
    if (this.stopped) for (const connection of this.#reading) this.#stop(connection)
    else this.#late = false
    this.#reading = []
  }

  /** The next have their turn. */
  goOn(): void {
    const before = this.#order[this.#turn % this.#order.length]!
    before.size = this.#late ? Math.max(1, before.size >> 2) : Math.min(MOST, before.size * 2)
    this.#late = false
    let group: Group
    do group = this.#order[++this.#turn % this.#order.length]!
    while (group.next() === undefined)
    for (let left = group.size; left > 0; left--) {
      const connection = group.next()
      if (connection === undefined) break
      connection.stopped?.remove(connection)
      connection.stopped = undefined
      if (connection.socket.destroyed) continue
      connection.socket.resume()
      this.#reading.push(connection)
    }
  }

  #stop(connection: Connection): void {
    const { socket } = connection
    // One that is paused already is not ours.
    if (socket.destroyed || socket.isPaused()) return
    socket.pause()
    if (connection.stopped !== undefined) return
    const served = connection.exchanges.size === 0
    connection.stopped = socket.bytesRead === 0 ? this.#fresh : served ? this.#served : this.#others
    connection.stopped.append(connection)
  }
}
