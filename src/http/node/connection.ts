import type { Socket } from 'node:net'
import { type Linked, LinkedList } from '../../broker/collections/linked-list.js'
import { Departure } from '../departure.js'
import type { ClientLine } from '../exchange.js'
import type { Line, PendingRequest } from '../scheduler.js'
import type { Answer } from './answer.js'
import type { Collector } from './body.js'
import type { HeadRoom } from './head-room.js'
import type { Incoming } from './incoming.js'
import type { Source } from './reading.js'

/**
 * What a request takes in memory beside its fields and its body, and a name, a value, a segment or a parameter beside its
 * characters; bytes, about.
 */
const HEAD_COST = 4096
const TEXT_COST = 50
/** What begins a part of a target. */
const PARTS = '/?&='

/** One request on its way to its answer. */
export class Exchange extends Departure implements Linked<Exchange> {
  /** Whether it has an answer, on its way out or gone. */
  answered = false
  /** Whether it is answered before its body was read, so that its connection ends with the answer. */
  early = false
  /** Its body, while that arrives. */
  collecting: Collector | undefined
  /** Bytes that it takes while it waits, where they are counted. */
  parked = 0
  /** Bytes of its answer that are on their way out. */
  unsent = 0
  /** When its answer set out, by `performance.now()`. */
  sentAt = 0
  previous: Exchange | undefined
  next: Exchange | undefined

  constructor(
    readonly connection: Connection,
    readonly message: Incoming,
    readonly response: Answer,
  ) {
    super()
  }

  /**
   * What its head takes in memory, in bytes, about: `node:http` keeps every field as it came and by its name, and the parts of
   * the target are kept apart as they are asked for.
   */
  get headCost(): number {
    const { rawHeaders, url = '' } = this.message
    let cost = HEAD_COST + 3 * url.length
    for (let at = url.length - 1; at >= 0; at--) if (PARTS.includes(url[at]!)) cost += TEXT_COST
    for (const text of rawHeaders) cost += TEXT_COST + 2 * text.length
    return cost
  }

  override get line(): ClientLine {
    return this.connection.line
  }

  protected get isGone(): boolean {
    return this.connection.socket.destroyed
  }
}

let connections = 0

/** What is known of one client's connection. */
export class Connection implements Line, Source {
  /** Of its own, so that whoever keeps it keeps nothing else. */
  readonly line: ClientLine & { left: ClientLine['left'] } = {
    number: ++connections,
    openedAt: performance.now(),
    left: undefined,
  }
  /** Exchanges whose answers have not left yet, oldest first: the answers leave in this order. */
  readonly exchanges = new LinkedList<Exchange>()
  /** Those that wait until the reader has taken what stands before them. */
  readonly held: Exchange[] = []
  /** The first and the last of its requests that are answered in a later turn. */
  first: PendingRequest | undefined
  pending: PendingRequest | undefined
  stopped: LinkedList<Source> | undefined
  previous: Source | undefined
  next: Source | undefined
  /** How many have no answer yet. */
  unanswered = 0
  /** Bytes of answers that are on their way out. */
  unsent = 0
  /** Bytes read when it was decided to close it; undefined before. No request after that is looked at. */
  endedAt: number | undefined
  /** How many requests came after that. */
  late = 0

  /** @param headRoom how large its heads may be */
  constructor(
    readonly socket: Socket,
    readonly headRoom: HeadRoom,
  ) {}

  /** The exchange that was begun last, of those whose answers have not left. */
  get last(): Exchange | undefined {
    return this.exchanges.last
  }
}
