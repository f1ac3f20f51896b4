interface Timer {
  readonly due: number
  /** Ties between equal due times: the one set first runs first. */
  readonly order: number
  task: (() => void) | undefined
}

/**
 * A binary heap of timers by due time. A cancelled timer stays in the heap as an empty shell until it
 * reaches the top, or until the shells outnumber the rest: cancelling is O(1), and a million leases that
 * were renewed a million times do not leave a million shells behind.
 */
export class Timers {
  #heap: Timer[] = []
  #shells = 0
  #order = 0

  /** How many timers wait. */
  get size(): number {
    return this.#heap.length - this.#shells
  }

  /** @returns cancels the timer; harmless when it has run or was cancelled before */
  add(due: number, task: () => void): () => void {
    const timer: Timer = { due, order: this.#order++, task }
    this.#heap.push(timer)
    this.#rise(this.#heap.length - 1)
    return () => {
      if (timer.task === undefined) return
      timer.task = undefined
      this.#shells++
      if (this.#shells > 64 && this.#shells * 2 > this.#heap.length) this.#sweep()
    }
  }

  /** When the earliest timer is due; undefined when none waits. */
  get earliest(): number | undefined {
    this.#dropShells()
    return this.#heap[0]?.due
  }

  /** Takes out the earliest timer that is due at `now`, as the task to run. */
  takeDue(now: number): (() => void) | undefined {
    this.#dropShells()
    const top = this.#heap[0]
    if (top === undefined || top.due > now) return undefined
    this.#removeTop()
    const task = top.task
    // From here on cancelling it is the no-op that the contract promises.
    top.task = undefined
    return task
  }

  #dropShells(): void {
    while (this.#heap.length > 0 && this.#heap[0]?.task === undefined) {
      this.#removeTop()
      this.#shells--
    }
  }

  #sweep(): void {
    this.#heap = this.#heap.filter((timer) => timer.task !== undefined).sort(compare)
    this.#shells = 0
  }

  #removeTop(): void {
    const last = this.#heap.pop() as Timer
    if (this.#heap.length === 0) return
    this.#heap[0] = last
    this.#sink(0)
  }

  #rise(from: number): void {
    const heap = this.#heap
    let index = from
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (compare(heap[parent] as Timer, heap[index] as Timer) <= 0) return
      swap(heap, parent, index)
      index = parent
    }
  }

  #sink(from: number): void {
    const heap = this.#heap
    let index = from
    for (;;) {
      let least = index
      for (const child of [2 * index + 1, 2 * index + 2]) {
        if (child < heap.length && compare(heap[child] as Timer, heap[least] as Timer) < 0) least = child
      }
      if (least === index) return
      swap(heap, least, index)
      index = least
    }
  }
}

function compare(a: Timer, b: Timer): number {
  return a.due - b.due || a.order - b.order
}

function swap(heap: Timer[], a: number, b: number): void {
  const held = heap[a] as Timer
  heap[a] = heap[b] as Timer
  heap[b] = held
}
