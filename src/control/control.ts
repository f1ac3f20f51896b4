import type { Broker } from '../broker/broker.js'
import { Problem } from '../http/problems.js'
import { ClockControl, settled } from './clock/clock-control.js'
import { EventBus } from './event-bus.js'
import { Faults } from './faults/faults.js'
import { optional, readObject, readText, readWhole } from './input/read.js'
import { Journal, type JournalLimits } from './journal/journal.js'
import { type ServerState, type StateOptions, stateOf } from './state/state.js'

/** More than fit in any memory. */
const MOST_MESSAGES = 1_000_000_000_000

/** What a mock broker offers beyond the interface, for one server. */
export class Control {
  readonly broker: Broker
  readonly events = new EventBus()
  readonly clock: ClockControl
  readonly faults = new Faults(() => {
    if (this.events.watched) this.events.publish('faults', this.faults.list())
  })
  readonly journal: Journal
  /** Ends the answers that go on for as long as somebody watches. */
  readonly #closers = new Set<() => void>()

  /** @param journal whether there is a journal, or how much it remembers where that differs from the default */
  constructor(broker: Broker, journal: boolean | Partial<JournalLimits>) {
    this.broker = broker
    this.clock = new ClockControl(broker.clock, () => this.events.publish('clock', this.clock.state()))
    this.journal = new Journal(journal, this.events)
  }

  /** @throws Problem `malformed-request` */
  state(options: StateOptions = {}): ServerState {
    const { messages, queue } = readObject({ value: options, at: '' }, ['messages', 'queue'])
    return stateOf(this.broker, this.clock.state(), {
      messages: optional(messages, (count) => readWhole(count, 0, MOST_MESSAGES)),
      queue: optional(queue, readText),
    })
  }

  /**
   * Back to nothing: no queue, not even those that the server began with, no message, lease, address, guid, fault or
   * exchange is left; a manual clock stands at its start. All of that is so when the call returns.
   *
   * @returns when whoever waited is answered
   */
  reset(): Promise<void> {
    const refusal = () =>
      new Problem('reset-meanwhile', 'The server was reset while this waited; nothing of it has happened.')
    this.clock.reset()
    this.broker.reset()
    this.faults.reset()
    this.faults.release(refusal())
    this.journal.reset()
    this.journal.fail(refusal())
    this.events.publish('reset', {})
    return settled()
  }

  /**
   * Registers an answer that goes on, to be ended when the server stops.
   *
   * @returns takes it back
   */
  whenClosing(end: () => void): () => void {
    this.#closers.add(end)
    return () => void this.#closers.delete(end)
  }

  /** Ends everything that waits. */
  close(): void {
    const refusal = () =>
      new Problem('shutting-down', 'The server is shutting down; nothing of this has happened.')
    this.faults.close(refusal())
    this.journal.close(refusal())
    for (const end of [...this.#closers]) end()
  }
}
