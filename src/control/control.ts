import type { Broker } from '../broker/broker.js'
import type { BrokerEvent } from '../broker/events.js'
import type { Request } from '../http/exchange.js'
import { Problem } from '../http/problems.js'
import { Scheduler } from '../http/scheduler.js'
import { nextTurn } from '../platform/next-turn.js'
import { ClientJudge } from './client/client-judge.js'
import { type ClientReport, clientReportText, type JudgeOptions, readJudgeOptions } from './client/rules.js'
import { ClockControl } from './clock/clock-control.js'
import { DIALECT_NAMES, type Dialect } from './dialects/dialects.js'
import { EventBus } from './event-bus.js'
import { Faults } from './faults/faults.js'
import { Idle } from './idle.js'
import { FailedExpectation } from './input/question.js'
import { readMembers, readOneOf, readSwitch } from './input/read.js'
import type { Waiting, Waits } from './input/waits.js'
import { Journal, type JournalLimits } from './journal/journal.js'
import { scenarioOf } from './journal/scenario.js'
import { Lanes } from './lanes.js'
import { endLeases, type LeaseChoice, whyReady } from './leases/leases.js'
import { MessageLog } from './messages/message-log.js'
import { applyingSeed, applySeed, type Seed } from './seed/seed.js'
import { type StateOptions, type SubscriptionState, type ToldState, toldState } from './state/state.js'
import { type VerifyOptions, verify } from './verify.js'

/** How long a seed is put in before others have a turn, in milliseconds. */
const SLICE = 5

export interface ControlOptions {
  /** Whether there is a journal, or how much it remembers where that differs from the default; none unless given. */
  readonly journal?: boolean | Partial<JournalLimits> | undefined
  /** Name of the principal that asks; undefined where nobody is asked, and for somebody unknown. */
  readonly nameOf?: ((request: Request) => string | undefined) | undefined
  /** What the server begins with, and with what it may begin again. */
  readonly beginning?: { readonly queues: readonly string[]; readonly seed: Seed | undefined }
  /** How Atom is written; `plain` unless given. */
  readonly dialect?: Dialect | undefined
  /** What is verified at each reset, and at the end; nothing unless given. */
  readonly strict?: boolean | VerifyOptions | undefined
  /** Says when those who were woken go on; of its own unless given. */
  readonly scheduler?: Scheduler | undefined
  /** How many bytes of exchanges are remembered at most unless {@link journal} tells, and how many of messages. */
  readonly room?: number | undefined
}

/**
 * What a reset may be told.
 *
 * @example
 * ```ts
 * const again: ResetOptions = { seed: true }
 * await mq.reset(again)
 * ```
 */
export interface ResetOptions {
  /** Whether the queues and messages that the server began with are to be there anew; not unless given. */
  readonly seed?: boolean | undefined
}

/** What a mock broker offers beyond the interface, for one server. */
export class Control {
  readonly broker: Broker
  readonly events = new EventBus()
  readonly clock: ClockControl
  readonly scheduler: Scheduler
  readonly faults: Faults
  readonly journal: Journal
  /** See {@link ControlOptions.nameOf}. */
  readonly nameOf: (request: Request) => string | undefined

  /** Every message since the start or the last reset; empty where nothing is recorded. */
  readonly messages: MessageLog
  readonly client: ClientJudge
  readonly #beginning: NonNullable<ControlOptions['beginning']>
  readonly idle: Idle
  readonly lanes = new Lanes()
  readonly #strict: VerifyOptions | undefined
  readonly #firstDialect: Dialect
  #dialect: Dialect
  /** Whether a request is being handled of which the journal will tell. */
  #handling = false
  /** Is over when what is done in turn is done. */
  #turn: Promise<unknown> = Promise.resolve()
  #noted = false

  constructor(
    broker: Broker,
    {
      journal = false,
      nameOf = () => undefined,
      beginning = { queues: [], seed: undefined },
      scheduler,
      strict,
      dialect = 'plain',
      room,
    }: ControlOptions = {},
  ) {
    this.broker = broker
    this.scheduler = scheduler ?? new Scheduler()
    this.nameOf = nameOf
    this.#beginning = beginning
    this.#firstDialect = dialect
    this.#dialect = dialect
    this.#strict = strict === true ? {} : strict || undefined
    this.faults = new Faults(
      () => broker.clock.now(),
      () => {
        if (this.events.size > 0) this.events.publish('faults', this.faults.list())
      },
    )
    this.clock = new ClockControl(broker.clock, this.scheduler, () =>
      this.events.publish('clock', this.clock.state()),
    )
    this.client = new ClientJudge(this.clock.state().manual)
    this.journal = new Journal(journal, this.events, room)
    this.messages = new MessageLog(broker.clock, this.journal, (record) => whyReady(broker, record), room)
    this.idle = new Idle(broker, this.journal, this.messages)
    if (!this.journal.recording) return
    broker.on((event) => {
      this.messages.see(event)
      this.lanes.see(event, this.#handling)
      this.client.happened(event)
      this.#note(event)
      this.idle.ask()
    })
  }

  get dialect(): Dialect {
    return this.#dialect
  }

  /** See {@link ServerExtras.setDialect}. */
  setDialect(dialect: Dialect): void {
    this.#dialect = readOneOf({ value: dialect, at: 'dialect' }, DIALECT_NAMES)
  }

  /** {@link ServerExtras.state}, to be told as an answer: where it is long, each part as it is when its turn comes. */
  tellState(options: StateOptions): ToldState {
    return toldState(this.broker, this.clock.state(), options)
  }

  /** See {@link ServerExtras.reset}; it rejects where the server is strict and something was not right before. */
  reset(options: ResetOptions = {}): Promise<void> {
    const { seed } = readMembers<ResetOptions>({ value: options, at: '' }, { seed: readSwitch })
    const left = this.strictly()
    this.clock.reset()
    this.broker.reset()
    this.client.reset()
    this.faults.reset()
    this.#dialect = this.#firstDialect
    this.journal.reset()
    this.faults.release(resetMeanwhile())
    for (const waits of this.#waits) waits.fail(resetMeanwhile())
    if (seed) this.begin()
    this.events.publish('reset', {})
    return this.clock.settled().then(left)
  }

  /** See {@link ServerExtras.verify}; the options are those of `strict` unless given. */
  verify(options: VerifyOptions = this.#strict ?? {}): void {
    const { journal, faults, messages } = this
    verify({ journal, faults, messages, judge: (asked) => this.judgeClient(asked) }, options)
  }

  /** What was not right until now, where the server is strict. @returns throws it, when what follows is done */
  strictly(): () => void {
    let failure: unknown
    try {
      if (this.#strict !== undefined) this.verify()
    } catch (error) {
      if (error instanceof FailedExpectation && this.#strict?.report) this.#strict.report(error)
      else failure = error
    }
    return () => {
      if (failure !== undefined) throw failure
    }
  }

  /** Puts in what the server begins with. @throws Problem, Refusal */
  begin(): void {
    for (const name of this.#beginning.queues) this.broker.createQueue(name)
    if (this.#beginning.seed !== undefined) applySeed(this.broker, this.#beginning.seed)
  }

  /**
   * Does what takes much memory while it goes on, one such thing after another. What is given up before its turn came is not done.
   *
   * @returns `found` rejects with `reset-meanwhile`, where the server was reset before
   */
  inTurn<T>(work: () => Promise<T>): Waiting<T> {
    const { epoch } = this.journal
    let isGivenUp = false
    const found = this.#turn.then(() => {
      if (isGivenUp || epoch !== this.journal.epoch) throw resetMeanwhile()
      return work()
    })
    this.#turn = found.catch(() => {})
    const cancel = () => {
      isGivenUp = true
    }
    return { found, cancel }
  }

  /**
   * {@link ServerExtras.seed}, while others are served in between.
   *
   * @throws Problem `malformed-request`; `reset-meanwhile`, where what was put in is gone again
   */
  async seedInSlices(seed: Seed): Promise<void> {
    const { epoch } = this.journal
    let until = performance.now() + SLICE
    for (const _ of applyingSeed(this.broker, seed)) {
      if (performance.now() < until) continue
      await new Promise<void>((resolve) => nextTurn(resolve))
      if (epoch !== this.journal.epoch) throw resetMeanwhile()
      until = performance.now() + SLICE
    }
  }

  /** See {@link ServerJournal.toScenario}. */
  toScenario(): string {
    const { manual } = this.clock.state()
    return scenarioOf({ ...this.journal.recorded(), messages: this.messages.names(), manual })
  }

  /** See {@link ServerExtras.judgeClient}. */
  judgeClient(options: JudgeOptions = {}): ClientReport {
    const ignore = readJudgeOptions(options)
    this.journal.checkRecording()
    return this.client.report(ignore)
  }

  /** See {@link ServerExtras.expectConformantClient}. */
  expectConformantClient(options: JudgeOptions = {}): void {
    const report = this.judgeClient(options)
    if (report.conformant) return
    const difference = { expected: [], actual: report.violations.map(({ rule, what }) => `${rule}: ${what}`) }
    throw new FailedExpectation('nonconformant-client', clientReportText(report), difference, { ...report })
  }

  /** See {@link ServerExtras.endLease}. */
  endLease(choice: LeaseChoice): SubscriptionState[] {
    const ended = this.client.byOwner(() => endLeases(this.broker, choice))
    for (const { id } of ended) this.journal.noteEnd(id, this.clock.now())
    return ended
  }

  /** Handles a request of which the journal will tell. */
  handlingOne<T>(handle: () => T): T {
    this.#handling = true
    try {
      return handle()
    } finally {
      this.#handling = false
    }
  }

  /** Tells those who watch, once in a turn of the event loop, what no exchange tells of: a lease that ran out, say. */
  #note({ kind }: BrokerEvent): void {
    if (this.events.size === 0 || this.#handling || this.#noted || kind === 'reset') return
    this.#noted = true
    nextTurn(() => {
      this.#noted = false
      this.events.publish('state', {})
    })
  }

  /** What a test waits for. */
  get #waits(): Pick<Waits<unknown>, 'fail' | 'close'>[] {
    return [this.journal.waits, this.messages.waits, this.idle.waits]
  }

  close(): void {
    this.clock.close(shuttingDown())
    this.faults.close(shuttingDown())
    for (const waits of this.#waits) waits.close(shuttingDown())
    this.events.close()
  }
}

export function shuttingDown(): Problem {
  return new Problem('shutting-down', 'The server is shutting down; nothing of this has happened.')
}

function resetMeanwhile(): Problem {
  return new Problem('reset-meanwhile', 'The server was reset while this waited; nothing of it has happened.')
}
