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

  /** The last ready message before a sequence number: the neighbour behind which a released one returns. */
  readyBefore(sequence: number): Message | undefined {
    for (let index = this.#find(sequence) - 1; index >= this.#start; index--) {
      const message = this.#slots[index]
      if (message?.ready !== undefined) return message
    }
    return undefined
  }

  /** The first ready message from a sequence number on. */
  readyFrom(sequence: number): Message | undefined {
    for (let index = this.#find(sequence); index < this.#slots.length; index++) {
      const message = this.#slots[index]
      if (message?.ready !== undefined) return message
    }
    return undefined
  }

  /** Closes the gaps; at least half as many messages have left since the last time as there are slots. */
  #close(): void {
    const there = (_: unknown, index: number) => this.#slots[index] !== undefined
    this.#sequences = this.#sequences.filter(there)
    this.#slots = this.#slots.filter(there)
    this.#start = 0
  }

  /** Index of the first slot whose sequence is not below the one given. */
  #find(sequence: number): number {
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
