import type { Broker } from '../broker/broker.js'
import { Problem } from '../http/problems.js'
import { Bulletin } from './bulletin.js'
import { ClockControl, settled } from './clock-control.js'
import { Faults } from './faults.js'
import { Journal, type JournalLimits } from './journal.js'
import { optional, readObject, readText, readWhole } from './read.js'
import { type ServerState, type StateOptions, stateOf } from './state.js'

/** More than fit in any memory. */
const MOST_MESSAGES = 1_000_000_000_000

/** What a mock broker offers beyond the interface, for one server. */
export class Control {
  readonly broker: Broker
  readonly bulletin = new Bulletin()
  readonly clock: ClockControl
  readonly faults = new Faults(() => {
    if (this.bulletin.watched) this.bulletin.publish('faults', this.faults.list())
  })
  readonly journal: Journal
  /** Ends the answers that go on for as long as somebody watches. */
  readonly #closers = new Set<() => void>()

  /** @param journal whether there is a journal, or how much it remembers where that differs from the default */
  constructor(broker: Broker, journal: boolean | Partial<JournalLimits>) {
    this.broker = broker
    this.clock = new ClockControl(broker.clock, () => this.bulletin.publish('clock', this.clock.state()))
    this.journal = new Journal(journal, this.bulletin)
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
    this.bulletin.publish('reset', {})
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
