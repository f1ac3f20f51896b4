import { setTimeout as sleep } from 'node:timers/promises'
import type { Exchange } from '../client/exchange.js'
import { judge, judgeTogether, START, type State } from '../model/model.js'
import type { Answer } from '../model/world.js'
import { type ClauseId, findClause } from '../requirements/index.js'
import { statusOf } from '../trial/answers.js'
import type { Action, Came, Start } from './action.js'
import type { Command } from './command.js'
import type { Conversation } from './conversation.js'
import { startsOf } from './speak.js'

/** An answer that no conformant server gives, after all that was done before. */
export class Violation extends Error {
  override readonly name = 'Violation'

  constructor(readonly clause: ClauseId) {
    super(findClause(clause)!.text)
  }
}

/** One step as it went: who did what, and what came of it. */
export interface Told {
  readonly who: string
  readonly what: string
  readonly came: string
}

export interface WalkOptions {
  readonly talk: Conversation
  /** Lets part of a lease pass, or all of it and what a target may be late. */
  readonly elapse: (until: 'part' | 'end') => Promise<void>
  /** How long to go on asking for what must come: milliseconds. */
  readonly patience: number
  /** How long to wait after a change before anything is read, so that it has had the time to show: milliseconds. */
  readonly quiet: number
  /** Milliseconds on a clock of any origin. */
  readonly now: () => number
}

/** More ways than this in which things may stand are too many to go on with. */
const MOST_WORLDS = 3000
/** How many of many messages are posted at once. */
const AT_ONCE = 12
/** Milliseconds between two readings. */
const PAUSE = 15

/** Commands whose answers show what there is. */
const SHOWING: ReadonlySet<Command['do']> = new Set(['list', 'browse', 'read', 'next', 'lock', 'take'])

/** Commands by which something comes or goes. */
const PASSING: ReadonlySet<Command['do']> = new Set(['create', 'delete', 'subscribe', 'end', 'join', 'leave'])

/** One sequence of commands at a target, with the model beside it. */
export class Walk {
  /** What was done, in order. */
  readonly told: Told[] = []
  /** How many requests had no answer that tells whether they took effect, without the walk's own will. */
  unanswered = 0
  /** How many commands were carried out. */
  commands = 0
  #state: State = START
  /** When something was changed last, as `performance.now()` has it. */
  #changed = 0
  readonly #options: WalkOptions

  constructor(options: WalkOptions) {
    this.#options = options
  }

  /** Whether the model still knows enough to judge by. */
  get goesOn(): boolean {
    return this.#state.length <= MOST_WORLDS
  }

  /** @throws {Violation} */
  async run(command: Command): Promise<void> {
    if (command.do === 'wait') {
      await this.#options.elapse(command.until)
      const what =
        command.until === 'end' ? 'every lease has had its time to end' : 'part of a lease has passed'
      this.told.push({ who: 'Time', what: `goes on until ${what}`, came: '' })
      return
    }
    const all = command.do === 'together' ? command.commands : [command]
    if (command.do === 'together') await this.#together(all)
    else if (command.do === 'send many') await this.#sendMany(command)
    else await this.#one(command)
    // Whatever is done next may be about what came or went.
    if (all.some((each) => PASSING.has(each.do))) await this.#quiet()
  }

  async #one(command: Command): Promise<void> {
    const isShowing = SHOWING.has(command.do)
    for (const start of startsOf(this.#options.talk, command)) {
      if (isShowing) await this.#quiet()
      const action = await start()
      if (action === undefined) return
      if (!isShowing) this.#changed = performance.now()
      await this.#settle(action)
    }
  }

  /** Waits until all changes have had the time to show. */
  async #quiet(): Promise<void> {
    const left = this.#changed + this.#options.quiet - performance.now()
    if (left > 0) await sleep(left)
  }

  async #together(commands: readonly Command[]): Promise<void> {
    const last: Start[] = []
    for (const command of commands) {
      const starts = startsOf(this.#options.talk, command)
      for (const start of starts.slice(0, -1)) {
        const action = await start()
        if (action !== undefined) await this.#settle(action)
      }
      last.push(...starts.slice(-1))
    }
    const actions = (await Promise.all(last.map((start) => start()))).filter((action) => action !== undefined)
    this.#changed = performance.now()
    for (const [at, action] of actions.entries()) this.#tell(action, at > 0)
    // What one shows may be what was so before the others, or after them.
    const pairs = actions.map(({ request, answer }) => [request, { ...answer, settled: false }] as const)
    if (pairs.length > 0) this.#become(judgeTogether(this.#state, pairs))
  }

  /** Sends that meet nothing else may be judged in any order, and are told as one where nothing is wrong. */
  async #sendMany({ queue, message, count }: Extract<Command, { do: 'send many' }>): Promise<void> {
    const { talk } = this.#options
    const sends = Array.from({ length: count }, (_, index) =>
      startsOf(talk, { do: 'send', queue, message: `${message}.${index + 1}`, by: 'two-step' }),
    )
    if (sends[0]!.length === 0) return
    const posts: Exchange[] = []
    for (let at = 0; at < count; at += AT_ONCE) {
      for (const step of [0, 1]) {
        const actions = await Promise.all(sends.slice(at, at + AT_ONCE).map((starts) => starts[step]!()))
        for (const action of actions) {
          if (action === undefined) continue
          if (step === 1) posts.push(action.exchange)
          const next = judge(this.#state, action.request, action.answer)
          if (typeof next === 'string') this.#tell(action)
          else this.#count(action.exchange)
          this.#become(next)
        }
      }
    }
    this.#changed = performance.now()
    const what = `sends ${message}.1 to ${message}.${count} to ${queue}, ${AT_ONCE} at once`
    this.told.push({ who: 'A producer', what, came: countsOf(posts) })
  }

  /** Judges an action. What must come and is not shown is asked for again, until patience ends. */
  async #settle(action: Action): Promise<void> {
    const { patience, now } = this.#options
    const { request, again } = action
    const until = now() + patience
    for (let came: Came = action; ; came = await again!()) {
      const { answer } = came
      const next = judge(this.#state, request, { ...answer, settled: again !== undefined })
      const early =
        typeof next === 'string' && again && judge(this.#state, request, { ...answer, settled: false })
      if (!early || typeof early === 'string' || now() > until) {
        this.#tell({ ...action, ...came })
        return this.#become(typeof early === 'string' ? early : next)
      }
      this.#state = early
      await sleep(PAUSE)
    }
  }

  #count({ status, error }: Exchange): void {
    this.commands += 1
    const isOwnWill = error?.startsWith('the client') ?? false
    if (status >= 500 || (status === 0 && !isOwnWill)) this.unanswered += 1
  }

  #become(next: State | ClauseId): void {
    if (typeof next === 'string') throw new Violation(next)
    this.#state = next
  }

  #tell({ who, what, exchange, answer }: Action, alongside = false): void {
    this.#count(exchange)
    this.told.push({
      who,
      what: alongside ? `at the same time ${what}` : what,
      came: cameOf(exchange, answer),
    })
  }
}

/** How often each status came. */
function countsOf(exchanges: readonly Exchange[]): string {
  const all = exchanges.map((each) => each.error ?? statusOf(each))
  const [first = '', ...others] = new Set(all)
  if (others.length === 0) return `${first} for each`
  return [first, ...others].map((one) => `${one} for ${all.filter((each) => each === one).length}`).join(', ')
}

function cameOf(exchange: Exchange, { entries }: Answer): string {
  const status = exchange.error ?? statusOf(exchange)
  if (entries === undefined || exchange.status < 200 || exchange.status > 299) return status
  return `${status}, ${entries.length === 0 ? 'nothing' : entries.map(({ body }) => body).join(', ')}`
}
