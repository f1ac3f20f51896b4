import type { Socket } from 'node:net'
import { type Linked, LinkedList } from '../broker/collections/linked-list.js'
import type { Answer } from './answer.js'
import type { Collecting } from './body.js'
import type { Incoming } from './incoming.js'
import type { Waiting } from './request-queue.js'

/** What a request takes in memory beside its fields and its body, and a name or value beside its characters; bytes, about. */
const HEAD_COST = 4096
const TEXT_COST = 50

/** One request on its way to its answer. */
export class Exchange implements Linked<Exchange> {
  readonly connection: Connection
  readonly message: Incoming
  readonly response: Answer
  /** Whether it has an answer, on its way out or gone. */
  answered = false
  /** Whether it is answered before its body was read, so that its connection ends with the answer. */
  early = false
  /** Its body, while that arrives. */
  collecting: Collecting | undefined
  /** Bytes that it takes while it waits, where they are counted. */
  parked = 0
  /** Bytes of its answer that are on their way out. */
  unsent = 0
  /** When its answer set out, by `performance.now()`. */
  sentAt = 0
  previous: Exchange | undefined
  next: Exchange | undefined
  #gone: Set<() => void> | undefined

  constructor(connection: Connection, message: Incoming, response: Answer) {
    this.connection = connection
    this.message = message
    this.response = response
  }

  /** What its head takes in memory, in bytes, about: `node:http` keeps every field as it came and by its name. */
  get headCost(): number {
    let cost = HEAD_COST
    for (const text of this.message.rawHeaders) cost += TEXT_COST + 2 * text.length
    return cost
  }

  /** See `Request.whenGone`. */
  whenGone(callback: () => void): () => void {
    if (this.connection.socket.destroyed) {
      let waiting = true
      queueMicrotask(() => {
        if (waiting) callback()
      })
      return () => {
        waiting = false
      }
    }
    // A function of its own: who registers the same callback twice is called twice.
    const call = () => callback()
    this.#gone ??= new Set()
    this.#gone.add(call)
    return () => this.#gone?.delete(call)
  }

  /** Its client went away before it had its answer. */
  tellGone(): void {
    const callbacks = this.#gone
    if (callbacks === undefined) return
    this.#gone = undefined
    for (const callback of callbacks) callback()
  }

  /** It has its answer: nobody is told any more that its client is gone. */
  forgetGone(): void {
    this.#gone = undefined
  }
}

/** What is known of one client's connection. */
export class Connection implements Linked<Connection> {
  readonly socket: Socket
  /** Exchanges whose answers have not left yet, oldest first: the answers leave in this order. */
  readonly exchanges = new LinkedList<Exchange>()
  /** Those that wait until the reader has taken what stands before them. */
  readonly held: Exchange[] = []
  /** The last of its requests that are answered in a later turn. */
  waiting: Waiting | undefined
  /** Where it stands while nothing is read from it, see `Reading`. */
  stopped: LinkedList<Connection> | undefined
  previous: Connection | undefined
  next: Connection | undefined
  /** How many have no answer yet. */
  unanswered = 0
  /** Bytes of answers that are on their way out. */
  unsent = 0
  /** Bytes read when it was decided to close it; undefined before. No request after that is looked at. */
  endedAt: number | undefined
  /** How many requests came after that. */
  late = 0

  constructor(socket: Socket) {
    this.socket = socket
  }

  /** The exchange that was begun last, of those whose answers have not left. */
  get last(): Exchange | undefined {
    return this.exchanges.last
  }
}
