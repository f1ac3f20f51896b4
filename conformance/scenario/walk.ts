import { statusOf } from '../client/answered.js'
import type { Came } from '../client/client.js'
import type { Cut } from '../client/cut.js'
import { type Exchange, refused } from '../client/exchange.js'
import { NotApplicable } from '../client/findings.js'
import { isRepeatable, untilAnswered } from '../client/tolerances/until-answered.js'
import { isFailure, type Unanswered } from '../client/unanswered.js'
import { unauthorized } from '../client/unauthorized.js'
import { pauseAfter, untilFound } from '../client/until-found.js'
import { ignoresAcksInPost } from '../model/data.js'
import {
  type Asked,
  asShown,
  clauseOfStatus,
  judge,
  judgeTogether,
  type Request,
  START,
  type State,
  shownStatus,
} from '../model/model.js'
import type { Party } from '../model/permission.js'
import { expected, type Rejection, rejection, seenOf, standing, type Telling } from '../model/rejection.js'
import { type Whereabouts, whereabouts } from '../model/whereabouts.js'
import type { Answer, Consumer } from '../model/world.js'
import type { ClauseId } from '../requirements/index.js'
import type { Action, Aside, Conversation, Start } from './conversation.js'
import { type Asking, startsOf } from './speak.js'
import type { Deed, Step, Where } from './step.js'
import { listed } from './words.js'

/** An answer that no conformant server gives, after all that was done before. */
export interface Broken {
  readonly clause: ClauseId
  /** Which of the steps it was, counted from 0. */
  readonly step: number
  /**
   * How sure that is. `late`: it breaks nothing if something comes later still. `status`: it is a success of another status than the
   * document shows, and everything is judged on. `ignored`: acknowledgements in a POST had no effect, which another place may take.
   */
  readonly kind: 'certain' | 'late' | 'status' | 'ignored'
  /** What was expected, and what was seen. */
  readonly why: () => Rejection
}

/** One step as it went. */
export interface Told {
  readonly step: Step
  /** What was answered, in short; why it was passed over, where it was. */
  readonly came: string
  readonly passedOver: 'no' | 'partly' | 'wholly'
  /** Its requests, in the order in which they were judged. */
  readonly actions: readonly Action[]
  /** What its last request was answered with, judged by the model or not; undefined where it made none. */
  readonly answered: Exchange | undefined
  /** How many exchanges there were by its end. */
  readonly exchanged: number
  /** Milliseconds of the target's time after it. */
  readonly time: number
  /** In how many ways things may stand after it. */
  readonly worlds: number
  /** What a conformant server may answer to its last request, in terms of messages and consumers. */
  readonly expects: () => string
  /** Who holds what after it. */
  readonly stands: () => readonly string[]
  readonly whereabouts: () => Whereabouts
  /** What the scenario calls a consumer. */
  readonly nameOf: (key: string) => string
}

export interface WalkOptions {
  readonly talk: Conversation
  /** Takes note of requests that had no answer that tells whether they took effect, without the walk's own will. */
  readonly unanswered: Unanswered
  /** Milliseconds of the target's time, at the least. */
  readonly time: () => number
  /** Lets so many milliseconds pass. */
  readonly elapse: (milliseconds: number) => Promise<void>
  /** Lets as much time pass as what was done should be remembered. */
  readonly late: () => Promise<void>
  /** Waits so many milliseconds for what takes its time. */
  readonly rest: (milliseconds: number) => Promise<void>
  /** Whether time passes by itself, and not by the target's clock alone. */
  readonly isRealTime: boolean
  /** Milliseconds that have passed beyond those that steps wait. */
  readonly unplanned: () => number
  /** How long to go on asking for what must come, since something came: milliseconds. */
  readonly patience: number
  /** The same while there are consumers whose leases nobody is told the length of. */
  readonly untoldPatience: number
  /** Called where it was rewarded, with how long it took: milliseconds. */
  readonly onLate?: ((took: number) => void) | undefined
  /** How long to wait after a change before anything is read, so that it has had the time to show: milliseconds. */
  readonly quiet: number
  /** Milliseconds on a clock of any origin. */
  readonly now: () => number
  /** Whether each answer takes long. */
  readonly isFar?: boolean
}

/** More ways than this in which things may stand are too many to go on with. */
const MOST_WORLDS = 3000
/** How many of many messages are sent at once, where they are more. */
const AT_ONCE = 12
/** Where each answer takes long, they are sent at once where they are more than this: rows that ask for an order have no more. */
const FEW = 5
/** And so many at once. */
const FAR_AT_ONCE = 48
/** Milliseconds between the first two readings of what may come late. */
const PAUSE = 15
/** The same while a lease ends. */
const LATE_PAUSE = 40
/** The part of a lease that passes at once. */
export const PART = 0.7

const CUTS: Readonly<Record<Where, Cut>> = { before: 'head', within: 'body', after: 'sent', unread: 'answer' }

/** Steps whose answers show what there is. */
const SHOWING: ReadonlySet<Deed['do']> = new Set(['list', 'browse', 'read', 'next', 'lock', 'take'])

/** Requests by which a message is sent once, however often they are repeated. */
const SENDS: ReadonlySet<Request['do']> = new Set(['newAddress', 'postMessage', 'sendOnce'])
/** Milliseconds for which one of them is repeated at least, where its answers ask for that. */
const LEAST_PATIENCE = 75

/** Milliseconds for which what comes is asked for again where the answer is no feed: no time makes it one. */
const UNREADABLE = 200

/** Requests that show what their consumer has, without taking it from anybody. */
const HOLDING: ReadonlySet<Request['do']> = new Set(['consume', 'nextMessage', 'lockNextMessages'])

/** A request that can be made again, and who makes it in place of the owner. */
interface Repeatable extends Action {
  readonly again: () => Promise<Came>
  readonly as?: Party | undefined
}

/** Methods by which nothing is changed. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

function isAction(came: Awaited<ReturnType<Start>>): came is Action {
  return typeof came !== 'string' && 'request' in came
}

/** Sends one request, as its step wants it made. */
type Bound = () => ReturnType<Start>

/** Whose request it is, and of which kind. */
function keyOf(request: Request): string {
  const asker = 'consumer' in request ? request.consumer : 'session' in request ? request.session : undefined
  return `${request.do} ${asker ?? ''}`
}

/** Leases that are to end. */
interface Ending {
  /** Of these consumers. */
  readonly keys: readonly string[]
  /** The target's time at which they surely have. */
  readonly by: number
}

/** Steps that tell nothing about others' leases. */
const ASIDE: ReadonlySet<Deed['do']> = new Set([
  'create',
  'subscribe',
  'send',
  'address',
  'post',
  'browse',
  'read',
])

/** Whether a step may be done while the leases of others may be about to end. */
function mayComeBefore(step: Step, ending: readonly string[]): boolean {
  const isOfOthers = !('consumer' in step) || !ending.includes(step.consumer ?? '')
  return ASIDE.has(step.do) && isOfOthers && step.as === undefined && step.cut === undefined
}

/** Steps by which something goes. What comes is asked for again where it is not known yet. */
const PASSING: ReadonlySet<Deed['do']> = new Set(['delete', 'end', 'leave'])

/** A scenario at a target, step by step, with the model beside it. */
export class Walk {
  /** What was done, in order. */
  readonly told: Told[] = []
  readonly broken: Broken[] = []
  /** The first request that had no answer, or a 5xx, without the step's own will. */
  failed: Broken | undefined
  /** How many requests were answered, or were not. */
  requests = 0
  #state: State = START
  /** The same where nothing is concluded from what is not shown, since it may be shown later. */
  #open: State = START
  /** The last request of each kind of each consumer for what it has. */
  readonly #asked = new Map<string, Repeatable>()
  /** Whether nothing is known any more after an answer that no conformant server gives. */
  #isLost = false
  /** Whether something did not come that must: nothing more is concluded then from what is not shown. */
  #isLacking = false
  /** Consumers whose leases are to end, until when they have, and have not surely ended yet. */
  #ending: Ending | undefined
  /** Consumers whose leases were waited for to end. */
  readonly #ended = new Set<string>()
  /** Consumers whose leases may have ended, and would not have if only the steps had taken time. */
  readonly #late = new Set<string>()
  /** What passed of the target's time because steps wait for it. */
  readonly #waits: { readonly from: number; readonly to: number }[] = []
  /** How each consumer subscribed. */
  readonly #subscribing = new Map<string, Step & Asking>()
  /** Whether an answer was lost, so that what it was about may have ended. */
  #hasLost = false
  /** When something was changed last, as `performance.now()` has it. */
  #changed = 0
  /** Which messages were ever shown, and to whom. */
  readonly #shown = new Set<string>()
  /** What came of the step that is under way. */
  #came: Action[] = []
  /** What others were shown meanwhile, of what it waited for. */
  #beside: Action[] = []
  /** What requests as they are written were answered with. */
  #written: Exchange[] = []
  #answered: Exchange | undefined
  /** Whether a request as it is written may have changed something. */
  #isUnknown = false
  /** What may be answered to the last request that was judged. */
  #expects: () => string = () => ''
  #passedOver: string[] = []
  readonly #options: WalkOptions
  readonly #telling: Telling

  constructor(options: WalkOptions) {
    this.#options = options
    this.#telling = { consumer: (key) => options.talk.consumerAt(key), listed }
  }

  /** Whether the model still knows enough to judge a step by, where it judges it. */
  goesOnWith(step: Step): boolean {
    return !this.#isLost && !this.isBlurred && (!this.#isUnknown || step.do === 'request')
  }

  /** Whether there are too many ways in which things may stand. */
  get isBlurred(): boolean {
    return this.#state.length > MOST_WORLDS
  }

  /** Whether nobody knows if acknowledgements in a POST counted. */
  get isUntold(): boolean {
    const ignoring = this.#state.filter(ignoresAcksInPost).length
    return ignoring > 0 && ignoring < this.#state.length
  }

  /** Whether all was seen only if a lease has ended to which the steps leave its time: then less was judged than they ask. */
  get isRushed(): boolean {
    const late = [...this.#late]
    return (
      late.length > 0 &&
      !this.#state.some(({ consumers }) => late.every((key) => consumers[key]?.over !== 'expired'))
    )
  }

  async run(step: Step): Promise<void> {
    this.#came = []
    this.#beside = []
    this.#written = []
    this.#answered = undefined
    this.#passedOver = []
    this.#expects = () => ''
    try {
      await this.#do(step)
      this.#noteIgnored()
    } finally {
      const passedOver = this.#passedOver.length === 0 ? 'no' : this.#came.length === 0 ? 'wholly' : 'partly'
      const beside = this.#beside.map((each) => {
        const asker = 'consumer' in each.request ? this.#telling.consumer(each.request.consumer) : ''
        return `${asker}: ${cameOf([each])}`
      })
      const statuses = this.#written.map(cameWith)
      const came = counted([...this.#passedOver, ...statuses, ...cameOf(this.#came), ...beside]).join('; ')
      const [state, expects, actions, answered] = [this.#state, this.#expects, this.#came, this.#answered]
      const stands = () => standing(state, this.#telling)
      const [time, worlds] = [this.#options.time(), state.length]
      const exchanged = this.#options.talk.speaker.target.exchanges.length
      const where = { whereabouts: () => whereabouts(state), nameOf: this.#telling.consumer }
      this.told.push({
        ...{ step, came, passedOver, actions, answered, exchanged, time, worlds, expects, stands },
        ...where,
      })
    }
  }

  /** Tells once that acknowledgements in a POST were taken no notice of. */
  #noteIgnored(): void {
    const isTold = this.broken.some(({ kind }) => kind === 'ignored')
    if (isTold || this.#isLost || !this.#state.every(ignoresAcksInPost)) return
    const clause = 'ack-in-post.acknowledges'
    const why = () => ({
      ...({ clause, expected: 'no message that was acknowledged in a POST' } as const),
      seen: 'all of them: the POST had no effect',
    })
    this.broken.push({ clause, kind: 'ignored', step: this.told.length, why })
  }

  async #do(step: Step): Promise<void> {
    const ending = this.#ending?.keys.map(this.#telling.consumer)
    if (ending !== undefined && !mayComeBefore(step, ending)) await this.#untilEnded()
    if (step.do === 'wait' && step.until === 'late') return this.#options.late()
    if (step.do === 'wait') return this.#wait(step.until, step.consumer)
    if (step.do === 'advance') return this.#elapse(step.time)
    if (step.do === 'or') return
    if (step.do === 'end' && step.by === 'expiry') return this.#wait('end', step.consumer)
    const all = step.do === 'together' ? step.steps : [step]
    if (step.do === 'together') await this.#together(all as readonly (Step & Asking)[])
    else await this.#one(step)
    // Whatever is done next may be about what went.
    if (all.some((each) => PASSING.has(each.do))) await this.#quiet()
  }

  /** Lets part of a lease pass, or waits until it has ended. */
  async #wait(until: 'part' | 'end', name: string | undefined): Promise<void> {
    const { talk, time, isRealTime } = this.#options
    const uri = name === undefined ? undefined : talk.consumer(name).uri
    if (name !== undefined && uri === undefined) {
      this.#passedOver.push(`${name} has no subscription`)
      return
    }
    const all = this.#state.flatMap(({ consumers }) => Object.entries(consumers))
    const meant = all.filter(([key]) => uri === undefined || uri === key)
    // Of one that has ended no part is left.
    if (meant.length > 0 && meant.every(([, { over }]) => over !== undefined)) return
    if (until === 'part') {
      const { length } = uri === undefined ? talk.options.lease : meant[0]![1].lease
      return this.#pass(
        PART * length,
        meant.map(([, each]) => each),
      )
    }
    // Nobody is told how long consumers of section 4.2 may be silent.
    const ends = meant.map(([, { endsFrom, endsBy, lease }]) =>
      Number.isFinite(endsBy) ? endsBy : Number.isFinite(endsFrom) ? endsFrom + lease.grace : 0,
    )
    this.#ending = { keys: meant.map(([key]) => key), by: Math.max(0, ...ends) + 1 }
    for (const [key] of meant) this.#ended.add(key)
    if (!isRealTime) return this.#untilEnded()
    const first = Math.max(0, ...meant.map(([, { endsFrom }]) => endsFrom).filter(Number.isFinite))
    await this.#elapse(Math.max(0, Math.min(first, this.#ending.by) - time()))
  }

  /** Lets part of leases pass since they began for sure, or since the last wait: what was asked meanwhile took some of it. */
  async #pass(part: number, meant: readonly Consumer[]): Promise<void> {
    const { time, elapse, isRealTime } = this.#options
    const now = time()
    const waited = this.#waits.at(-1)?.to ?? 0
    const since = Math.max(waited, Math.min(now, ...meant.map((each) => this.#beganBy(each) ?? now)))
    const from = isRealTime ? since : now
    await elapse(Math.max(0, from + part - now))
    this.#waits.push({ from, to: from + part })
  }

  async #elapse(milliseconds: number): Promise<void> {
    const { time, elapse } = this.#options
    const from = time()
    await elapse(milliseconds)
    this.#waits.push({ from, to: time() })
  }

  /** How much has passed since then because steps waited for it: milliseconds. */
  #waitedSince(start: number): number {
    return this.#waits.reduce((sum, { from, to }) => sum + Math.max(0, to - Math.max(from, start)), 0)
  }

  /** When a lease surely ran that ends no earlier than it says: with the answer by which it began, or was renewed. */
  #beganBy({ endsFrom, lease }: Consumer): number | undefined {
    const actions = this.told.flatMap((each) => each.actions)
    return actions.findLast(({ answer }) => answer.from + lease.length === endsFrom)?.answer.to
  }

  /** Waits until the leases have ended that are to end, however late their end may be noticed. */
  async #untilEnded(): Promise<void> {
    const { by } = this.#ending!
    this.#ending = undefined
    await this.#elapse(Math.max(0, by - this.#options.time()))
  }

  /** Asks for what a consumer has until that shows that the leases have ended which are to end, or they surely have. */
  async #untilShown(action: Action, start: Bound, name: string): Promise<Action> {
    const { rest } = this.#options
    const { keys, by } = this.#ending!
    this.#ending = undefined
    let last = action
    // The last is asked when they surely have.
    while (last.again !== undefined && last.answer.from <= by) {
      const asked: Asked = [last.request, { ...last.answer, settled: true }]
      const [next, open] = [judge(this.#state, ...asked), judge(this.#open, ...early(asked))]
      if (typeof next === 'string' || typeof open === 'string') return last
      const isOver = next.every(({ consumers }) => keys.every((key) => consumers[key]?.over !== undefined))
      if (isOver) return last
      this.#state = next
      this.#open = open
      this.#count(last)
      await rest(LATE_PAUSE)
      const made = this.#subscribing.get(name)
      if (made === undefined || !this.#mayEnd(last.request)) {
        last = { ...last, ...(await last.again()) }
        continue
      }
      // Where all leases are the target's own, that of who waits may end before the other surely has.
      await this.#one({ do: 'end', consumer: name })
      await this.#one(made)
      if (this.#isLost) return last
      last = (await this.#begin(start)) ?? last
    }
    return last
  }

  /** Whether the lease of the subscription whose feed it is for may end before the next answer. */
  #mayEnd(request: Request): boolean {
    const soon = this.#options.time() + LATE_PAUSE
    return (
      request.do === 'consume' &&
      this.#state.some(({ consumers }) => (consumers[request.consumer]?.endsFrom ?? soon) <= soon)
    )
  }

  async #one(step: Step & Asking): Promise<void> {
    const inTurn = this.#startsOf(step)
    const { isFar = false } = this.#options
    // One after another, hundreds of acknowledgements take minutes where each takes long.
    const lines = step.do === 'ack' && isFar ? inTurn.flat().map((start) => [start]) : inTurn
    if (lines.length > (isFar ? FEW : AT_ONCE)) return this.#many(lines, step.as)
    const isShowing = SHOWING.has(step.do)
    for (const start of lines.flat()) {
      if (isShowing) await this.#quiet()
      const action = await this.#begin(start)
      if (action === undefined) continue
      if (!isShowing) this.#changed = performance.now()
      if (step.do === 'subscribe') this.#subscribing.set(step.consumer, step)
      const isAwaited = this.#ending !== undefined && step.do === 'read'
      await this.#settle(isAwaited ? await this.#untilShown(action, start, step.consumer) : action, step.as)
      if (this.#isLost) return
    }
  }

  /** The requests of a step, as it wants them made: of several, the last one of each line is cut. */
  #startsOf(step: Step & Asking): Bound[][] {
    const as = step.as && this.#headersOf(step.as)
    return startsOf(this.#options.talk, step).map((line) =>
      line.map((start, at) => {
        const cut = at === line.length - 1 && step.cut !== undefined ? CUTS[step.cut] : undefined
        return () => start({ as, cut, at: step.at })
      }),
    )
  }

  #headersOf(party: Party): Readonly<Record<string, string>> {
    const [found] = unauthorized(this.#options.talk, party === 'nobody' ? 'anonymous' : 'other')
    if (found === undefined) throw new NotApplicable(`the profile's unauthorized has no such party: ${party}`)
    return found.headers
  }

  /** Makes a request, as its client does: a send until it is answered. @returns nothing where there is nothing to be asked */
  async #begin(start: Bound): Promise<Action | undefined> {
    const ask = () => {
      this.requests += 1
      return start()
    }
    const action = await untilAnswered(
      this,
      ask,
      (each) => isAction(each) && SENDS.has(each.request.do) && isRepeatable(each.exchange),
    )
    // The last one is counted when it is judged.
    this.requests -= 1
    if (isAction(action)) return action
    if (typeof action === 'string') this.#passedOver.push(action)
    else this.#setAside(action)
    return undefined
  }

  #setAside({ exchange, why }: Aside): void {
    this.requests += 1
    this.#answered = exchange
    if (why !== undefined) return void this.#passedOver.push(why)
    this.#written.push(exchange)
    this.#isUnknown ||= !SAFE.has(exchange.method) && !refused(exchange)
  }

  /** How long to go on asking as things stand: milliseconds. */
  #patience(): number {
    const { patience, untoldPatience, talk } = this.#options
    const isUntold = ({ lease, over }: Consumer) => lease === talk.options.untoldLease && over === undefined
    return this.#state.some(({ consumers }) => Object.values(consumers).some(isUntold))
      ? untoldPatience
      : patience
  }

  /** Asks until something is found, or patience ends. */
  eventually<T>(probe: () => Promise<T | undefined>): Promise<T | undefined> {
    const { now, rest } = this.#options
    return untilFound(probe, Math.max(LEAST_PATIENCE, this.#patience()), { pause: PAUSE, rest, now })
  }

  /** What is shown for the first time is a change, too: of two replicas the one may know of it before the other. */
  #noteShown({ request, answer: { entries = [] } }: Action): void {
    const before = this.#shown.size
    for (const { body, uri } of entries) this.#shown.add(`${keyOf(request)} ${uri} ${body}`)
    if (this.#shown.size > before) this.#changed = performance.now()
  }

  /** Waits until all changes have had the time to show. */
  async #quiet(): Promise<void> {
    const left = this.#changed + this.#options.quiet - performance.now()
    if (left > 0) await this.#options.rest(left)
  }

  async #together(steps: readonly (Step & Asking)[]): Promise<void> {
    const last: { readonly start: Bound; readonly as: Party | undefined }[] = []
    for (const step of steps) {
      const starts = this.#startsOf(step).flat()
      for (const start of starts.slice(0, -1)) {
        const action = await this.#begin(start)
        if (action !== undefined) await this.#settle(action, step.as)
        if (this.#isLost) return
      }
      last.push(...starts.slice(-1).map((start) => ({ start, as: step.as })))
    }
    const actions = await Promise.all(last.map(({ start }) => this.#begin(start)))
    this.#changed = performance.now()
    const asked = actions.flatMap((action, at): Asked[] => {
      if (action === undefined) return []
      this.#tell(action)
      // What one shows may be what was so before the others, or after them.
      return [[action.request, { ...action.answer, settled: false }, last[at]!.as]]
    })
    if (asked.length > 0) this.#become(asked)
  }

  /** Sends, and acknowledgements, that meet nothing else may be judged in any order. */
  async #many(lines: readonly (readonly Bound[])[], as: Party | undefined): Promise<void> {
    const atOnce = this.#options.isFar ? FAR_AT_ONCE : AT_ONCE
    for (let at = 0; at < lines.length; at += atOnce) {
      const some = lines.slice(at, at + atOnce)
      for (let step = 0; some.some((line) => step < line.length); step++) {
        const starts = some.flatMap((line) => line[step] ?? [])
        const actions = await Promise.all(starts.map((start) => this.#begin(start)))
        for (const action of actions) {
          if (action === undefined || this.#isLost) continue
          this.#tell(action)
          this.#become([[action.request, action.answer, as]])
        }
      }
    }
    this.#changed = performance.now()
  }

  /** Judges an action. */
  async #settle(action: Action, as: Party | undefined): Promise<void> {
    const { request, answer, again } = action
    this.#noteShown(action)
    const asked: Asked = [request, { ...answer, settled: again !== undefined && !this.#isLacking }, as]
    const before = this.#state
    this.#expects = () => expected(before, asked, this.#telling)
    const next = judge(before, ...asked)
    const open = this.#openAfter([asked], next)
    const isDoubtful = typeof next === 'string' || turnsIgnored(before, next)
    if (again === undefined || !isDoubtful || typeof open === 'string') {
      this.#tell(action)
      this.#become([asked], next, open)
      if (again !== undefined && typeof next !== 'string') this.#note({ ...action, again, as })
      return
    }
    this.#open = open
    await this.#askOn({ ...action, again, as })
  }

  /** Remembers a request for what its consumer has, which is asked again where that must come. @returns whether it is one */
  #note(asked: Repeatable): boolean {
    // A session may keep messages ahead of its GETs.
    const isOfSession = 'session' in asked.request && asked.request.session !== undefined
    const isOne = (HOLDING.has(asked.request.do) || isOfSession) && asked.as === undefined
    if (isOne) this.#asked.set(keyOf(asked.request), asked)
    return isOne
  }

  /**
   * What must come, and is not shown, may come to any who has asked for it, and one after another: all ask again, in turn, until
   * nothing has come for as long as patience lasts.
   */
  async #askOn(own: Repeatable): Promise<void> {
    const { now, onLate, rest } = this.#options
    const patience = this.#patience()
    const isAsked = (each: Repeatable) => each !== own && !this.#isOver(each.request)
    const others = this.#note(own) ? [...this.#asked.values()].filter(isAsked) : []
    const began = now()
    const shown = new Set<string>()
    let pause = PAUSE
    for (let until = began + patience; ; pause = pauseAfter(pause)) {
      await rest(Math.min(pause, Math.max(0, until - now())))
      await this.#quiet()
      const isLast = now() >= until
      const round: Repeatable[] = []
      let next: State = this.#open
      let lacking: Rejected | undefined
      let isIgnored = false
      for (const each of [...others, own]) {
        const came = { ...each, ...(await each.again()) }
        this.#noteShown(came)
        round.push(came)
        const asked: Asked = [came.request, { ...came.answer, settled: true }, came.as]
        const open = judge(this.#open, ...early(asked))
        if (typeof open === 'string') {
          this.#tellRound(round, own)
          return this.#reject({ before: this.#open, asked: [early(asked)], clause: open, kind: 'certain' })
        }
        this.#open = open
        const judged = lacking === undefined ? judge(next, ...asked) : next
        if (typeof judged === 'string')
          lacking = { before: next, asked: [asked], clause: judged, kind: 'late' }
        else {
          isIgnored ||= turnsIgnored(next, judged)
          next = judged
        }
        for (const { body } of came.answer.entries ?? []) {
          const what = `${keyOf(came.request)} ${body}`
          if (shown.has(what)) continue
          shown.add(what)
          until = now() + patience
          pause = PAUSE
        }
      }
      const isUnreadable = round.some(({ unread }) => unread !== undefined) && now() - began > UNREADABLE
      if ((lacking !== undefined || isIgnored) && !isLast && !isUnreadable) continue
      this.#tellRound(round, own)
      if (lacking !== undefined) return this.#reject(lacking)
      this.#state = next
      return onLate?.(now() - began)
    }
  }

  /** Whether it is for the feed of a subscription that has surely ended: it brings nothing, and nothing may hang on it. */
  #isOver(request: Request): boolean {
    return (
      request.do === 'consume' &&
      this.#open.every(({ consumers }) => consumers[request.consumer]?.over !== undefined)
    )
  }

  #tellRound(round: readonly Repeatable[], own: Repeatable): void {
    for (const each of round) {
      if (each.again === own.again) this.#tell(each)
      else {
        this.#count(each)
        this.#beside.push(each)
      }
    }
  }

  /** Takes what was answered at once for what is so. */
  #become(
    asked: readonly Asked[],
    next = judgeTogether(this.#state, asked),
    open = this.#openAfter(asked, next),
  ): void {
    if (typeof next !== 'string') {
      this.#state = next
      this.#open = typeof open === 'string' ? next : open
    } else if (typeof open === 'string') {
      this.#reject({ before: this.#open, asked: asked.map(early), clause: open, kind: 'certain' })
    } else {
      const before = this.#state
      this.#open = open
      this.#reject({ before, asked, clause: next, kind: 'late' })
    }
  }

  /** What `#open` becomes. Where nothing was ever concluded from what is not shown, it is what the state becomes. */
  #openAfter(asked: readonly Asked[], next: State | ClauseId): State | ClauseId {
    const isSame = this.#open === this.#state && asked.every(([, { settled }]) => settled !== true)
    return isSame ? next : judgeTogether(this.#open, asked.map(early))
  }

  /**
   * Goes on where another success can be taken for the one that the document shows, and where a part of what must come did: that
   * part tells the rest.
   */
  #reject(rejected: Rejected): void {
    const { asked, clause } = rejected
    const after = judgeShown(this.#state, asked)
    const isUntold = asked.some(([, { location, told }]) => location === undefined && told !== undefined)
    const kind = after === undefined || isUntold ? rejected.kind : 'status'
    this.broken.push({ clause, kind, why: () => this.#why(rejected), step: this.told.length })
    if (after === undefined) {
      const isPart = kind === 'late' && asked.some(([, { entries = [] }]) => entries.length > 0)
      if (isPart) this.#state = this.#open
      this.#isLacking = isPart
      this.#isLost = !isPart
      return
    }
    this.#state = after
    this.#open = judgeShown(this.#open, asked.map(early)) ?? after
  }

  #why({ before, asked, clause }: Omit<Rejected, 'kind'>): Rejection {
    const [[request, answer, as], ...others] = asked as readonly [Asked, ...Asked[]]
    if (others.length === 0) return rejection(before, request, answer, clause, this.#telling, as)
    const seen = asked.map(([request, answer]) => seenOf(request, answer, this.#telling))
    return { clause, expected: 'what these requests are answered in some order', seen: seen.join('; ') }
  }

  #tell(action: Action): void {
    this.#count(action)
    this.#answered = action.exchange
    this.#came.push(action)
  }

  #count({ request, exchange, answer }: Action): void {
    this.requests += 1
    this.#options.unanswered.note(exchange)
    if (isFailure(exchange)) this.failed ??= this.#failureOf(request, answer)
    this.#hasLost ||= exchange.status === 0
    if (!this.#hasLost) this.#noteLate(answer.to)
  }

  #failureOf(request: Request, answer: Answer): Broken {
    const clause = clauseOfStatus(request)
    const why = () => ({
      clause,
      expected: String(shownStatus(request)),
      seen: seenOf(request, answer, this.#telling),
    })
    return { clause, kind: 'certain', step: this.told.length, why }
  }

  /** Notes whose leases may have ended by a time, and would not have if only the steps had taken time. */
  #noteLate(to: number): void {
    const planned = to - this.#options.unplanned()
    for (const { consumers } of this.#state)
      for (const [key, { over, endsFrom, lease }] of Object.entries(consumers)) {
        const isLate = planned < endsFrom && this.#waitedSince(endsFrom - lease.length) < lease.length
        if (over === undefined && !this.#ended.has(key) && to >= endsFrom && isLate) this.#late.add(key)
      }
  }
}

/** What was asked at once, as it breaks a clause where things stood so. */
interface Rejected {
  readonly before: State
  readonly asked: readonly Asked[]
  readonly clause: ClauseId
  readonly kind: 'certain' | 'late'
}

/** Whether it is just now that acknowledgements in a POST have had no effect: what they do may show late. */
function turnsIgnored(before: State, next: State): boolean {
  return next.every(ignoresAcksInPost) && !before.every(ignoresAcksInPost)
}

/** The same where nothing is concluded from what is not shown. */
function early([request, answer, as]: Asked): Asked {
  return [request, { ...answer, settled: false }, as]
}

/** How things stand where every other success is taken for the one that the document shows; undefined where they cannot. */
function judgeShown(state: State, asked: readonly Asked[]): State | undefined {
  if (asked.every(([request, answer]) => asShown(request, answer) === undefined)) return undefined
  const next = judgeTogether(
    state,
    asked.map(([request, answer, as]): Asked => [request, asShown(request, answer) ?? answer, as]),
  )
  return typeof next === 'string' ? undefined : next
}

/** What the requests of a step were answered, in short: those that show something each, the others by their statuses. */
function cameOf(actions: readonly Action[]): string[] {
  const shows = ({ exchange, answer: { entries } }: Action) =>
    entries !== undefined && !refused(exchange) && exchange.status !== 0
  const shown = actions.filter(shows).map(({ exchange, answer }) => {
    return `${statusOf(exchange)}, ${listed(answer.entries!.map(({ body }) => body))}`
  })
  return [...actions.filter((each) => !shows(each)).map(({ exchange }) => cameWith(exchange)), ...shown]
}

function cameWith(exchange: Exchange): string {
  return exchange.error ?? statusOf(exchange)
}

/** Each text once, with how often it came. */
function counted(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`))
}
