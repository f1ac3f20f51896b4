import type { Message } from './message.js'

/**
 * A queue's messages, held ones included, by their sequence: for pages of its feed, and for the way back to an
 * old place. Messages only ever join at the end. One that is gone leaves a gap, and the gaps are closed when
 * they outnumber the messages, so every operation is constant or logarithmic over time.
 */
export class PendingOrder {
  #slots: Message[] = []
  /** Index of the first slot in use: what is acknowledged in order leaves at the front. */
  #start = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  append(message: Message): void {
    this.#slots.push(message)
    this.#size++
  }

  /** To be called when `message.gone` has become true. */
  left(): void {
    this.#size--
    while (this.#start < this.#slots.length && this.#slots[this.#start]?.gone) this.#start++
    const slots = this.#slots.length - this.#start
    const wasted = slots - this.#size > this.#size + 32
    if (wasted) this.#slots = this.#slots.filter((message) => !message.gone)
    else if (this.#start > 1024 && this.#start > slots) this.#slots = this.#slots.slice(this.#start)
    else return
    this.#start = 0
  }

  /** The messages from a sequence number on, in order. The order must not change meanwhile. */
  *from(sequence: number): Generator<Message, void> {
    for (let index = this.#find(sequence); index < this.#slots.length; index++) {
      const message = this.#slots[index] as Message
      if (!message.gone) yield message
    }
  }

  /** The last ready message before a sequence number: the neighbour behind which a released one returns. */
  readyBefore(sequence: number): Message | undefined {
    for (let index = this.#find(sequence) - 1; index >= this.#start; index--) {
      const message = this.#slots[index] as Message
      if (message.ready !== undefined) return message
    }
    return undefined
  }

  /** The first ready message from a sequence number on. */
  readyFrom(sequence: number): Message | undefined {
    for (let index = this.#find(sequence); index < this.#slots.length; index++) {
      const message = this.#slots[index] as Message
      if (message.ready !== undefined) return message
    }
    return undefined
  }

  /** Index of the first slot whose sequence is not below the one given. */
  #find(sequence: number): number {
    let low = this.#start
    let high = this.#slots.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#slots[middle] as Message).sequence < sequence) low = middle + 1
      else high = middle
    }
    return low
  }
}
