import type { Broker } from '../broker/broker.js'
import type { Clock } from '../clock/clock.js'
import { ManualClock } from '../clock/manual.js'
import { SystemClock } from '../clock/system.js'
import type { ClientReport, JudgeOptions } from './client/rules.js'
import type { ClockState } from './clock/clock-control.js'
import { type Control, type ResetOptions, shuttingDown } from './control.js'
import type { Dialect } from './dialects/dialects.js'
import type { Handle } from './faults/apply-faults.js'
import type { Fault, FaultSpec } from './faults/fault.js'
import { blamingCaller } from './input/question.js'
import type { WaitOptions } from './input/waits.js'
import type { JournalEntry } from './journal/exchange-record.js'
import type { JournalLimits } from './journal/journal.js'
import type { JournalPattern } from './journal/journal-pattern.js'
import { type LeaseChoice, livingLeases } from './leases/leases.js'
import type { MessagePattern } from './messages/message-pattern.js'
import type { MessageRecord } from './messages/message-record.js'
import { applySeed, type Seed } from './seed/seed.js'
import { seedOf } from './seed/seed-of.js'
import { type SendBody, type SendOptions, type SentMessage, sendMessage } from './send.js'
import { type ServerState, type StateOptions, type SubscriptionState, wholeState } from './state/state.js'
import type { VerifyOptions } from './verify.js'

/**
 * What a server is told about its extras; without any of it they cost nothing.
 *
 * @example
 * ```ts
 * const options: ExtraOptions = { control: true, clock: 'manual', journal: { entries: 10_000 } }
 * ```
 */
export interface ExtraOptions {
  /** Whether the extras can be used over HTTP, below `{base_url}/_control`; not unless given. */
  control?: boolean
  /** Where the time comes from: `system`, the default, `manual`, or a clock of one's own. */
  clock?: 'system' | 'manual' | Clock
  /** Whether exchanges are recorded, or how many; as `control` unless given. */
  journal?: boolean | Partial<JournalLimits>
  /** Queues and messages to begin with. */
  seed?: Seed
  /** How Atom is written: what a client that reads Atom, and not the bytes of one server, does not notice; `plain` unless given. */
  dialect?: Dialect
  /** Whether, or what, is verified at each reset and at the end, which reject then; not unless given. It records exchanges. */
  strict?: boolean | VerifyOptions
}

/**
 * What a server offers beyond the interface, for the tests of an application. When it has stopped, what was there can still be
 * read; what would do something, as a send or an advance, throws Problem `shutting-down`.
 *
 * @example
 * ```ts
 * await mq.send('orders/new', 'a scarf')
 * mq.state().queues[0]?.pending    // 1
 * mq.endLease('B').length    // 1
 * await mq.reset()
 * ```
 */
export interface ServerExtras {
  /** The server's clock. */
  readonly clock: ServerClock
  /** What goes wrong on purpose. */
  readonly faults: ServerFaults
  /** What was asked and answered. */
  readonly journal: ServerJournal
  /** What became of each message. */
  readonly messages: ServerMessages
  /**
   * Sends a message, the way that a client's request goes: the journal records it, and faults fire at it.
   *
   * @param body a text, bytes, or anything else as JSON
   * @throws Refusal or Problem as a client is told it; Error where a fault has cut the answer off, or changed it
   */
  send(queue: string, body: SendBody, options?: SendOptions): Promise<SentMessage>
  /** Every lease that lives: subscriptions, and the consumers and sessions of the alternative mappings. */
  subscriptions(): SubscriptionState[]
  /**
   * Ends one lease, or some, now, as if their time had run out. No time passes, and the others go on.
   *
   * @param choice an id, a name, `{ queue }` for those that cover it, or a question that is asked of each
   * @returns what they were before
   * @throws Problem `no-such-resource` where none is meant
   */
  endLease(choice: LeaseChoice): SubscriptionState[]
  /** How Atom is written from now on, until a reset. @throws Problem `malformed-request` */
  setDialect(dialect: Dialect): void
  /**
   * What whoever spoke to the server since the start or the last reset did against what the interface asks of clients.
   *
   * @throws Problem `missing-exchange` where nothing is recorded; `malformed-request`
   */
  judgeClient(options?: JudgeOptions): ClientReport
  /**
   * Sees that there is nothing of that kind.
   *
   * @throws Problem `nonconformant-client`, whose message tells each violation with its clause and its exchanges
   */
  expectConformantClient(options?: JudgeOptions): void
  /**
   * Sees that nothing is left to say against a test: that each fault has fired, no request was refused that nobody expected,
   * each message was handled, and the rules for clients were kept.
   *
   * @param options what of it, where that is not all
   * @throws FailedExpectation `unverified`, whose message tells all of it as one story; Problem `malformed-request`
   */
  verify(options?: VerifyOptions): void
  /**
   * Waits in real time, 5000 ms unless told otherwise, until nothing is left to do: no message is pending or held, and no
   * request is under way but those that wait for a message. It is so before the first message too.
   *
   * @throws FailedExpectation `unexpected-message`, which tells what is left; Problem `malformed-request`
   */
  idle(options?: Pick<WaitOptions, 'timeout'>): Promise<void>
  /**
   * All that the server knows, as plain JSON. Looking changes nothing.
   *
   * @throws Problem `malformed-request`
   */
  state(options?: StateOptions): ServerState
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

/**
 * The clock of a server.
 *
 * @example
 * ```ts
 * await mq.clock.advance(30_000)
 * ```
 */
export interface ServerClock {
  /** Milliseconds since the epoch. */
  now(): number
  state(): ClockState
  /**
   * Lets a manual clock go on by a whole number of milliseconds, not beyond the year 9998. Everything that falls due on the way
   * happens in the order of its due times.
   *
   * @returns when all of that has happened
   * @throws Problem `real-time` where the clock is not a manual one, `malformed-request`
   */
  advance(milliseconds: number): Promise<void>
}

/**
 * What goes wrong on purpose.
 *
 * @example
 * ```ts
 * mq.faults.add({ fault: 'reset-after-commit', method: 'POST', path: '/queues/**', times: 1 })
 * mq.faults.add({ scenario: 'away', for: 10_000 })
 * ```
 */
export interface ServerFaults {
  /** Adds a fault at the end of the list. @throws Problem `malformed-request`, `too-many-requests` over 100, or a mebibyte of them */
  add(spec: FaultSpec): Fault
  /** The list, with how often each has fired; one that is spent stays in it. */
  list(): Fault[]
  /** @returns whether it was there. Requests that it holds back go on. */
  remove(id: string): boolean
  /** Empties the list. Requests that a delay holds back go on. */
  clear(): void
}

/**
 * What was asked and answered, where it is recorded.
 *
 * @example
 * ```ts
 * await mq.journal.waitFor({ method: 'DELETE', path: '/subscriptions/**' }, { timeout: 1000 })
 * ```
 */
export interface ServerJournal {
  /** What is remembered, oldest first. @param after leaves out those up to and with this number @throws Problem */
  entries(pattern?: JournalPattern, after?: number): JournalEntry[]
  /**
   * Waits in real time for an exchange; at once where it is there.
   *
   * @returns the exchange that made the count
   * @throws Problem `missing-exchange`, which says what came instead; `malformed-request`
   */
  waitFor(pattern: JournalPattern, options?: WaitOptions): Promise<JournalEntry>
  /**
   * Sees that there is no such exchange, and that none comes within `timeout` milliseconds of real time; 0 unless
   * given.
   *
   * @throws Problem `unexpected-exchange`, which shows it; `malformed-request`
   */
  expectNone(pattern: JournalPattern, options?: Pick<WaitOptions, 'timeout'>): Promise<void>
  /**
   * What was asked, as a scenario: text that the kit carries out at any server, and judges. What the language has no word for is
   * a comment.
   *
   * @throws Problem `missing-exchange` where nothing is recorded
   */
  toScenario(): string
  /** Forgets every exchange. The numbers go on. */
  clear(): void
}

/**
 * What became of each message since the start or the last reset, where exchanges are recorded. Called, it is the list.
 *
 * @example
 * ```ts
 * mq.messages({ queue: 'orders/new', acknowledged: false })
 * await mq.messages.waitFor({ guid: 'order-1', acknowledged: true })
 * mq.messages.expect({ guid: 'order-1', acknowledged: true }, 1)
 * ```
 */
export interface ServerMessages {
  /** The messages that fit, in the order of their sends; those that are gone too. @throws Problem */
  (pattern?: MessagePattern): MessageRecord[]
  /**
   * Waits in real time for as many messages that fit; at once where they are there.
   *
   * @returns the last of them
   * @throws Problem `missing-message`, which tells what became of the messages; `malformed-request`
   */
  waitFor(pattern: MessagePattern, options?: WaitOptions): Promise<MessageRecord>
  /**
   * Sees that just so many messages fit now; at least one unless given.
   *
   * @throws Problem `unexpected-message`, which tells what became of the messages; `malformed-request`
   */
  expect(pattern: MessagePattern, count?: number): MessageRecord[]
  /** Sees that no message fits now. @throws Problem `unexpected-message`, `malformed-request` */
  expectNone(pattern: MessagePattern): void
  /**
   * Sees that there is such a message, and that each was handed out once and acknowledged.
   *
   * @throws Problem `unexpected-message`, which tells what became of the messages; `malformed-request`
   */
  expectHandledOnce(pattern: MessagePattern): MessageRecord[]
}

/**
 * The extras of a server as its owner sees them.
 *
 * @param handle answers a request past the question who asks
 */
export function extrasOf(control: Control, handle: Handle): ServerExtras {
  const { broker, clock, faults, journal, messages } = control
  const whileOpen =
    <A extends unknown[], R>(work: (...args: A) => R) =>
    (...args: A): R => {
      if (broker.closed) throw shuttingDown()
      return work(...args)
    }
  return {
    clock,
    faults,
    journal: {
      entries: (pattern, after) => journal.entries(pattern, after),
      waitFor: blamingCaller(async (pattern, options = {}) => journal.waiting(pattern, options).found),
      expectNone: blamingCaller(async (pattern, options = {}) => journal.absence(pattern, options).found),
      toScenario: () => control.toScenario(),
      clear: () => journal.clear(),
    },
    messages: Object.assign((pattern?: MessagePattern) => messages.list(pattern), {
      waitFor: blamingCaller(
        async (pattern: MessagePattern, options: WaitOptions = {}) =>
          messages.waiting(pattern, options).found,
      ),
      expect: blamingCaller((pattern: MessagePattern, count?: number) => messages.expect(pattern, count)),
      expectNone: blamingCaller((pattern: MessagePattern) => void messages.expect(pattern, 0)),
      expectHandledOnce: blamingCaller((pattern: MessagePattern) => messages.expectHandledOnce(pattern)),
    }),
    send: async (...args) => whileOpen(sendMessage)(handle, ...args),
    subscriptions: () => [...livingLeases(broker)],
    endLease: whileOpen((choice) => control.endLease(choice)),
    setDialect: whileOpen((dialect) => control.setDialect(dialect)),
    judgeClient: (options) => control.judgeClient(options),
    expectConformantClient: blamingCaller((options) => control.expectConformantClient(options)),
    verify: blamingCaller((options) => control.verify(options)),
    idle: blamingCaller(async (options = {}) => control.idle.waiting(options).found),
    state: (options = {}) => wholeState(control.tellState(options)),
    reset: whileOpen((options) => control.reset(options)),
    seed: whileOpen((seed) => applySeed(broker, seed)),
    toSeed() {
      const seed = seedOf(broker, messages)
      return { ...seed, messages: [...seed.messages] }
    },
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
