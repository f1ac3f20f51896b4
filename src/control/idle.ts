import type { Broker } from '../broker/broker.js'
import type { Problem } from '../http/problems.js'
import { nextTurn } from '../platform/next-turn.js'
import { isDuplicate } from './faults/duplicate-delivery.js'
import { FailedExpectation } from './input/question.js'
import { readWait, type Waiting, type WaitOptions, Waits } from './input/waits.js'
import type { Journal } from './journal/journal.js'
import type { MessageLog } from './messages/message-log.js'

/** What is left to do: messages that are pending, and requests under way that wait for none. */
interface Left {
  readonly pending: number
  readonly underWay: number
}

/** Knows when nothing is left to do at a server: no message is pending or held, and no request is under way. */
export class Idle {
  readonly waits = new Waits<Left>()
  /** Requests that are under way, those that wait for a message included. */
  #underWay = 0
  /** Whether those who wait are to be asked in the next turn. */
  #asking = false

  constructor(
    private readonly broker: Broker,
    private readonly journal: Journal,
    private readonly messages: MessageLog,
  ) {}

  /** Counts a request as one that is under way. @returns is called when it is answered */
  begun(): () => void {
    this.#underWay++
    return () => {
      this.#underWay--
      this.ask()
    }
  }

  /** Asks those who wait, in the next turn of the event loop, once for all that has happened by then. */
  ask(): void {
    if (this.waits.size === 0 || this.#asking) return
    this.#asking = true
    nextTurn(() => {
      this.#asking = false
      this.waits.show(this.#left())
    })
  }

  /**
   * Waits in real time until nothing is left to do; requests that wait for a message do not count.
   *
   * @throws FailedExpectation `unexpected-message` when the time is up, which tells what is left; by `found`
   */
  waiting(options: Pick<WaitOptions, 'timeout'>): Waiting<void> {
    const { timeout } = readWait(options)
    this.journal.checkRecording()
    return this.waits.begin<void>(
      timeout,
      [this.#left()],
      ({ pending, underWay }, { found }) => {
        if (pending === 0 && underWay === 0) found()
      },
      ({ fail }) => fail(this.#busy(timeout)),
    )
  }

  #left(): Left {
    const { queues, subscriptions } = this.broker.parts
    let [pending, waiting] = [0, 0]
    for (const queue of queues) {
      pending += queue.pending
      waiting += queue.waiters.size + queue.takers.size
    }
    for (const { waiters, held } of subscriptions) {
      waiting += waiters.size
      for (const delivery of held.values()) if (isDuplicate(delivery)) pending++
    }
    return { pending, underWay: this.#underWay - waiting }
  }

  #busy(timeout: number): Problem {
    const actual = this.#left()
    const { pending, underWay } = actual
    const requests = underWay === 1 ? 'one request is' : `${underWay} requests are`
    const messages = pending === 1 ? 'one message is' : `${pending} messages are`
    return new FailedExpectation(
      'unexpected-message',
      `After ${timeout} ms ${messages} pending, and ${requests} under way. ${this.messages.told(this.messages.left())}`.trimEnd(),
      { expected: { pending: 0, underWay: 0 }, actual },
    )
  }
}
