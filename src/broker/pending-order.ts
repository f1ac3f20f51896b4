import { IndexSet } from './collections/index-set.js'
import type { Message } from './message.js'

/**
 * A queue's messages, held ones included, by their sequence: for pages of its feed, and for the way back to an
 * old place. Messages only ever join at the end. One that is gone leaves an empty slot, so that nothing keeps it
 * in memory, and the empty slots are closed when they outnumber the messages: every operation is constant or
 * logarithmic over time.
 */
export class PendingOrder {
  #slots: (Message | undefined)[] = []
  /** The sequence of the message that is or was in each slot. */
  #sequences: number[] = []
  /** The slots whose message is ready: a search through the held ones would be long where many consumers hold many. */
  readonly #ready = new IndexSet()
  /** Index of the first slot in use: what is acknowledged in order leaves at the front. */
  #start = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  append(message: Message): void {
    this.#slots.push(message)
    this.#sequences.push(message.sequence)
    this.#size++
  }

  /** The message must be there. */
  remove(message: Message): void {
    this.#slots[this.#find(message.sequence)] = undefined
    this.#size--
    while (this.#start < this.#slots.length && this.#slots[this.#start] === undefined) this.#start++
    if (this.#slots.length > 2 * this.#size + 32) this.#close()
  }

  clear(): void {
    this.#slots = []
    this.#sequences = []
    this.#ready.clear()
    this.#start = 0
    this.#size = 0
  }

  /** The messages from a sequence number on, in order. The order must not change meanwhile. */
  *from(sequence: number): Generator<Message, void> {
    for (let index = this.#find(sequence); index < this.#slots.length; index++) {
      const message = this.#slots[index]
      if (message !== undefined) yield message
    }
  }

  /** Notes that a message, which must be there, has become ready. */
  markReady(message: Message): void {
    this.#ready.add(this.#find(message.sequence))
  }

  /** Notes that a message, which must be there, is no longer ready. */
  unmarkReady(message: Message): void {
    this.#ready.delete(this.#find(message.sequence))
  }

  /** The last ready message before a sequence number: the neighbour behind which a released one returns. */
  readyBefore(sequence: number): Message | undefined {
    const index = this.#ready.before(this.#find(sequence))
    return index === undefined ? undefined : this.#slots[index]
  }

  /** The first ready message from a sequence number on. */
  readyFrom(sequence: number): Message | undefined {
    const index = this.#ready.from(this.#find(sequence))
    return index === undefined ? undefined : this.#slots[index]
  }

  /** Closes the gaps; at least half as many messages have left since the last time as there are slots. */
  #close(): void {
    const there = (_: unknown, index: number) => this.#slots[index] !== undefined
    this.#sequences = this.#sequences.filter(there)
    this.#slots = this.#slots.filter(there)
    this.#start = 0
    this.#ready.clear()
    for (const [index, message] of this.#slots.entries()) {
      if (message?.ready !== undefined) this.#ready.add(index)
    }
  }

  /** Index of the first slot whose sequence is not below the one given. */
  #find(sequence: number): number {
    // As long as no gap was closed behind it, it stands as far from the first as its number is.
    const guess = this.#start + sequence - (this.#sequences[this.#start] ?? 0)
    if (guess >= this.#start && this.#sequences[guess] === sequence) return guess
    let low = this.#start
    let high = this.#sequences.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#sequences[middle] as number) < sequence) low = middle + 1
      else high = middle
    }
    return low
  }
}
