import type { Broker } from '../broker/broker.js'
import type { Clock } from '../clock/clock.js'
import { ManualClock } from '../clock/manual.js'
import { SystemClock } from '../clock/system.js'
import type { ClockControl } from './clock/clock-control.js'
import type { Control, ResetOptions } from './control.js'
import type { Faults } from './faults/faults.js'
import type { Journal, JournalLimits } from './journal/journal.js'
import type { Seed } from './seed/seed.js'
import type { ServerState } from './state/state.js'

/** What a server is told about its extras; without any of it they cost nothing. */
export interface ExtraOptions {
  /** Whether the extras can be used over HTTP, below `{base_url}/_control`; not unless given. */
  control?: boolean
  /** Where the time comes from: `system`, the default, `manual`, or a clock of one's own. */
  clock?: 'system' | 'manual' | Clock
  /** Whether exchanges are recorded, or how many; as `control` unless given. */
  journal?: boolean | Partial<JournalLimits>
  /** Queues and messages to begin with. */
  seed?: Seed
}

/** What a server offers beyond the interface, for the tests of an application. */
export interface ServerExtras {
  /** The server's clock. */
  readonly clock: Pick<ClockControl, 'now' | 'state' | 'advance'>
  /** What goes wrong on purpose. */
  readonly faults: Pick<Faults, 'add' | 'list' | 'remove' | 'clear'>
  /** What was asked and answered. */
  readonly journal: Pick<Journal, 'entries' | 'waitFor' | 'expectNone' | 'clear'>
  /**
   * All that the server knows, as plain JSON. Looking changes nothing.
   *
   * @param options `messages`: how many of each queue, 1000 unless given; `queue`: of this one alone
   */
  state(options?: { messages?: number; queue?: string }): ServerState
  /**
   * Back to nothing, at the same port: no queue, message, lease, address, guid, fault or exchange is left, and a
   * manual clock stands at its start. With `{ seed: true }` the queues and messages that the server began with are
   * there anew. All of that is so when the call returns.
   *
   * @returns when whoever waited is answered
   * @throws Problem `malformed-request`
   */
  reset(options?: ResetOptions): Promise<void>
  /**
   * Puts queues and messages in, beside those that are there.
   *
   * @throws Problem `malformed-request`, whose message names the path of the mistake
   */
  seed(seed: Seed): void
  /** A seed that makes the queues and pending messages of now again, for a report of a defect. */
  toSeed(): Seed
}

/** The extras of a server as its owner sees them. */
export function extrasOf(control: Control): ServerExtras {
  const { clock, faults, journal } = control
  return {
    clock,
    faults,
    journal,
    state: (options) => control.state(options),
    reset: (options) => control.reset(options),
    seed: (seed) => control.seed(seed),
    toSeed: () => control.toSeed(),
  }
}

/**
 * The clock that a server is to have.
 *
 * @throws Error when the server is given a broker, which has a clock already
 */
export function chooseClock(clock: ExtraOptions['clock'], broker: Broker | undefined): Clock {
  if (broker !== undefined) {
    if (clock === undefined || clock === broker.clock) return broker.clock
    throw new Error('The broker has a clock already; give the clock to createBroker.')
  }
  if (clock === undefined || clock === 'system') return new SystemClock()
  if (clock === 'manual') return new ManualClock()
  return clock
}
