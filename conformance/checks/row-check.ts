import { answered, statusOf } from '../client/answered.js'
import { type Exchange, succeeded } from '../client/exchange.js'
import { Blocked, Failed, Inconclusive, NotApplicable, type WrongStatus } from '../client/findings.js'
import { FEATURES, type Profile } from '../client/profile.js'
import { queuesShowContents } from '../client/queue-contents.js'
import { grantedLease } from '../client/subscription-request.js'
import { longestLease } from '../client/timing.js'
import { isNowhere } from '../client/tolerances/by-bodies.js'
import { Unanswered } from '../client/unanswered.js'
import { findClause } from '../requirements/index.js'
import { type BrokenClause, carryOut, type Outcome, type Place, type Walking } from '../scenario/carry-out.js'
import type { Action } from '../scenario/conversation.js'
import { leavingAcks, needsAddresses } from '../scenario/leaving-acks.js'
import { printInline, printStep } from '../scenario/print.js'
import {
  parseRows,
  printAnswer,
  printSaid,
  type Row,
  type Said,
  type SaidAnswer,
  type SaidHeader,
} from '../scenario/rows.js'
import { sendingLater } from '../scenario/sending-later.js'
import type { Step } from '../scenario/step.js'
import { subscribingApart } from '../scenario/subscribing-apart.js'
import { urging } from '../scenario/urging.js'
import { flat, isUntilLate, variationsOf } from '../scenario/variations.js'
import type { Told } from '../scenario/walk.js'
import {
  answersTo,
  isWaiting,
  patiencesOf,
  roomFor,
  type Walked,
  type WalkingIn,
  walkIn,
} from '../scenario/walk-in.js'
import { listed } from '../scenario/words.js'
import { elementsNamed } from '../trial/answers.js'
import type { CheckRecord } from '../trial/check.js'
import type { CheckTrial } from '../trial/check-trial.js'
import { brokenInTwoSteps, isTwoStepBroken, otherWays } from '../trial/ways-round.js'

type Way = 'guid' | 'two-step' | 'single-path'

/**
 * The checks of a text of rows, each an id, its clauses, and a scenario as docs/scenarios.md has them: the clauses are at stake from
 * the step with `!` on.
 *
 * @throws {Mistake}
 */
export function checksOf(text: string): CheckRecord[] {
  return parseRows(text).map(rowCheck)
}

/** How many messages one step sends where a request more for each is felt. */
const MANY = 100

const ALL_FEATURES = Object.fromEntries(FEATURES.map((feature) => [feature, true])) as Profile['features']

/** A check that carries out a scenario. */
function rowCheck({ id, clauses, steps: asked, says, alone }: Row): CheckRecord {
  const scenario = printInline(asked)
  const said = says && printSaid(says)
  return {
    ...{ id, clauses, scenario, stimulus: `${scenario}${said === undefined ? '' : `, which ${said}`}.` },
    steps: variationsOf(asked, ALL_FEATURES).reduce((sum, { steps }) => sum + answersTo(steps), 0),
    ...(said === undefined ? {} : { says: said }),
    ...(asked.some((step) => isWaiting(step) || isUntilLate(step)) ? { passesTime: true } : {}),
    ...(asked.some(isUntilLate) ? { asksLate: true } : {}),
    ...(flat(asked).some((step) => step.do === 'list' && step.path === undefined) ? { readsRoot: true } : {}),
    ...(alone === undefined ? {} : { runsAlone: alone }),
    run: async (trial: CheckTrial) => {
      const way = /^send\.(?!body-)/.test(id) ? 'two-step' : usualWay(trial, asked)
      const isLater = isBrokenBelow(trial, clauses, 'consume.backlog', 'consume.delivers')
      const isUrged = isLater && says === undefined && trial.isBroken('consume.later')
      const later = isLater ? sendingLater(asked) : asked
      const sent = isUrged ? urging(later) : later
      const apart = isBrokenBelow(trial, clauses, 'subscribe.own-address') ? subscribingApart(sent) : sent
      const knowsByBodies = isBrokenBelow(trial, clauses, 'consume.message-uri.own', 'consume.message-uri')
      const isOf = (what: RegExp) => clauses.some((each) => what.test(each))
      const steps = knowsByBodies && !isOf(/^ack\./) ? leavingAcks(apart, isOf(/ack|fill/)) : apart
      const walking = { usualWay: way, knowsByBodies, ways: soundWays(trial, id, steps) }
      const first = await carryOut(steps, new TrialPlace(trial, walking))
      // What the document leaves open is not waited for: it has its time to show then.
      const isLate = says?.shows !== undefined && ownOf(first).some((told) => !showsSaid(says, told))
      const outcome = isLate ? await carryOut(steps, new TrialPlace(trial, walking, 'thorough')) : first
      if (says !== undefined) judgeAnswers(trial, says, outcome)
      trial.wrongStatuses.push(...wrongStatusesIn(outcome))
      try {
        conclude(clauses, outcome, says?.answers !== undefined)
      } catch (error) {
        // Who has come later still is lacking what waited.
        if (isLater && error instanceof Failed && outcome.broken.every(({ kind }) => kind === 'late'))
          throw new Blocked('consume.delivers', error.seen)
        if (!(error instanceof Failed)) needAddresses(outcome)
        throw reattributed(error, trial, id, outcome.steps.some(asksForTwoSteps) ? 'asked for' : way)
      }
      needAddresses(outcome)
      const own = ownOf(outcome)
      const refusal = own.every(({ passedOver }) => passedOver !== 'no') ? own[0]?.answered : undefined
      // Where a refusal is as good as a success, it leaves nothing to be judged.
      const isEither =
        says?.answers?.some(({ statuses }) => statuses.some((each) => each.startsWith('2'))) === true
      if (isEither && refusal !== undefined) trial.observed(`It is refused: ${answered(refusal)}`)
    },
  }
}

/** Whether a step says that it sends in two steps, where another way would do. */
function asksForTwoSteps(step: Step): boolean {
  return step.do === 'send' && step.by === 'two-step'
}

/** What a row came to that sent in two steps: where these are broken, that is why it was blocked, or failed beside them. */
function reattributed(error: unknown, trial: CheckTrial, id: string, way: Way | 'asked for'): unknown {
  const isBlocked = error instanceof Blocked && (way === 'two-step' || way === 'asked for')
  if (!isBlocked && !(error instanceof Failed && way === 'asked for')) return error
  const by = brokenInTwoSteps(trial)
  const isAside = error instanceof Blocked && error.isAside
  return by === undefined || by === id ? error : new Blocked(by, error.seen, undefined, isAside)
}

/** Whether another check has failed that asks what these clauses do not: the steps then go round it. */
function isBrokenBelow(
  trial: CheckTrial,
  clauses: readonly string[],
  clause: string,
  check = clause,
): boolean {
  return !clauses.includes(clause) && trial.isBroken(check)
}

/**
 * The ways to send that no other check says are broken, for a check that sends by each and does not ask how is sent; undefined where
 * none is.
 */
function soundWays(trial: CheckTrial, id: string, steps: readonly Step[]): Place['ways'] {
  // What is asked here of other checks is what this one hangs on.
  if (!flat(steps).some((step) => step.do === 'send' && step.by === 'each')) return undefined
  const others = otherWays(trial)
  if (/^(?:send|dedup|single-path)\.(?!body-)/.test(id) || others.length === 0) return undefined
  return isTwoStepBroken(trial) ? others : ['two-step', ...others]
}

/**
 * How is sent where nothing is said: in another way than in two steps where those are another check's failure, or take many requests
 * more.
 */
function usualWay(trial: CheckTrial, steps: readonly Step[]): Way {
  const isMany = steps.some((step) => step.do === 'send' && step.messages.length >= MANY)
  return ((isMany || isTwoStepBroken(trial)) && otherWays(trial)[0]) || 'two-step'
}

/** Where messages were known by their bodies alone, nothing can be said of steps that need their addresses. @throws {Blocked} */
function needAddresses({ steps, told }: Outcome): void {
  const shown = told.flatMap(({ actions }) => actions.flatMap(({ answer }) => answer.entries ?? []))
  if (shown.some(({ uri }) => isNowhere(uri)) && steps.some(needsAddresses))
    throw new Blocked('consume.message-uri', 'messages without addresses of their own')
}

/** The trial of a check, in which scenarios are walked. */
class TrialPlace implements Place {
  readonly doubt = undefined
  readonly isPrompt = false
  readonly #trial: CheckTrial
  readonly ways: Place['ways']
  readonly #known: Pick<WalkingIn, 'usualWay' | 'knowsByBodies'>
  readonly #patience: Walking['patience'] | undefined

  constructor(
    trial: CheckTrial,
    { ways, ...known }: Pick<WalkingIn, 'usualWay' | 'knowsByBodies'> & Pick<Place, 'ways'>,
    patience?: Walking['patience'],
  ) {
    this.#trial = trial
    this.ways = ways
    this.#known = known
    this.#patience = patience
  }

  get profile() {
    return this.#trial.profile
  }

  /** With leases as short as they may be, where they are to end: where they were too short after all, with longer ones. */
  async walk(steps: readonly Step[], walking: Walking): Promise<Walked> {
    const { briefLease, lease, ampleLease } = this.#trial.timing
    if (this.#trial.target.isInProcess && flat(steps).some(({ cut }) => cut !== undefined))
      throw new NotApplicable('a request can be cut only where it goes through a socket')
    if (flat(steps).some((step) => step.do === 'subscribe' && (step.timeout ?? Infinity) < lease))
      throw new NotApplicable(`leases of less than ${lease / 1000} s are not asked for`)
    if (!steps.some(isWaiting)) return this.#walk(steps, walking, longestLease(this.profile))
    const walk = (length: number) => this.#walk(steps, walking, length, length < ampleLease)
    const room = roomFor(steps, this.#trial.timing.latency)
    let length = [briefLease, lease].find((each) => each >= room) ?? ampleLease
    let walked = await walk(length)
    for (const longer of [lease, ampleLease]) {
      // Where leases are kept in whole seconds, a short one may end by a second too early.
      const isShort = walked.isRushed || (walked.broken.length > 0 && longer === ampleLease)
      if (!isShort || longer <= length) continue
      length = longer
      walked = await walk(length)
    }
    return walked
  }

  #walk(
    steps: readonly Step[],
    { patience, untilBroken, watch }: Walking,
    lease: number,
    untilRushed = false,
  ): Promise<Walked> {
    const trial = this.#trial
    return walkIn(trial, steps, {
      ...{
        ...patiencesOf(trial.timing)[this.#patience ?? patience],
        ...{ untilBroken, untilRushed, watch },
        prefix: trial.ownPrefix(),
      },
      ...this.#known,
      lease: grantedLease(this.profile, lease),
      unanswered: new Unanswered(),
      signal: trial.signal,
      queuesShowContents: () => queuesShowContents(trial),
    })
  }
}

/** What the steps with `!` are answered with, or show, where all before them went well. @throws {Failed} */
function judgeAnswers(trial: CheckTrial, said: Said, outcome: Outcome): void {
  const { steps, broken } = outcome
  const own = steps.findIndex((step) => step.own)
  // A lease that has ended while the answers took their time says nothing of how it is elsewhere.
  if (outcome.reason === 'times' || broken.some(({ step }) => step < own)) return
  const { answers, shows = [], point } = said
  const all = ownOf(outcome).flatMap(({ step, answered: exchange, actions }, at) => {
    const answer = answers?.[at] ?? answers?.at(-1)
    if (answer === undefined) {
      const last = actions.at(-1)
      const shown = last && shownBy(last, shows, said)
      const what = namesOf(shows, said)
      return shown === undefined ? [] : { step, what, isSo: shown === what, seen: shown, choice: shown }
    }
    if (exchange === undefined) return []
    const choice = chosenIn(exchange, answer)
    // Where its status is another, what it says.
    const { headers = [], elements = [] } = answer
    const isOther = headers.length + elements.length === 0 || !isStatusOf(exchange, answer.statuses)
    const seen = isOther ? answered(exchange) : choice
    return { step, what: printAnswer(answer), isSo: isAsSaid(exchange, answer), seen, choice }
  })
  if (all.length > 0) trial.choose(point, [...new Set(all.map(({ choice }) => choice))].join(', then '))
  const isOne = steps.filter((step) => step.own).length < 2
  for (const { step, what, isSo, seen } of all)
    trial.expect(isSo, isOne ? what : `${what} for ${printStep(step).replace('! ', '')}`, seen)
}

/** What was done of the steps with `!`. */
function ownOf({ told }: Outcome): readonly Told[] {
  return told.filter(({ step }) => step.own)
}

/** Whether a step shows the messages that a row says. */
function showsSaid(said: Said, { actions }: Told): boolean {
  const [last, { shows = [] }] = [actions.at(-1), said]
  return last !== undefined && shownBy(last, shows, said) === namesOf(shows, said)
}

/** Whether an answer is as a row says it. */
function isAsSaid(exchange: Exchange, { statuses, headers = [], elements = [] }: SaidAnswer): boolean {
  return (
    isStatusOf(exchange, statuses) &&
    headers.every((each) => holds(exchange, each)) &&
    elementsIn(exchange, elements).toSorted().join() === elements.toSorted().join()
  )
}

function isStatusOf(exchange: Exchange, statuses: readonly string[]): boolean {
  return statuses.some(
    (each) => each.replace('xx', '') === statusOf(exchange).slice(0, each.endsWith('xx') ? 1 : 3),
  )
}

/** Whether an answer has a header with all of its words, or has it not. */
function holds({ headers }: Exchange, { name, words, isAbsent }: SaidHeader): boolean {
  const value = headers[name.toLowerCase()]?.toLowerCase()
  if (isAbsent || value === undefined) return isAbsent === true && value === undefined
  const seen = value.split(/[,;\s]+/)
  return words.every((word) => seen.includes(word.toLowerCase()))
}

/** What an answer has of the elements that a row says: of each name all with their texts, or whether there is any. */
function elementsIn(exchange: Exchange, said: readonly string[]): string[] {
  const names = [...new Set(said.map((each) => each.split(' ')[0]!))]
  return names.flatMap((name) => {
    const found = elementsNamed(exchange, name).map((element) => {
      // The names of properties have no case.
      const key = element.getAttribute('name')?.toLowerCase()
      return `${name} ${key === undefined ? '' : `${key}=`}${element.textContent}`
    })
    if (found.length === 0) return `no ${name}`
    return said.includes(name) ? name : found
  })
}

/** An answer as a choice, which is another only where the target does otherwise. */
function chosenIn(exchange: Exchange, { headers = [], elements = [] }: SaidAnswer): string {
  const fields = headers.map(({ name, words }) => {
    const value = exchange.headers[name.toLowerCase()]
    if (value === undefined) return `without ${name}`
    return words.length === 0 ? `with ${name}` : `with ${name}: ${value}`
  })
  const holding = elements.length > 0 ? ['holding', elementsIn(exchange, elements).join(' and ')] : []
  return [statusOf(exchange), ...fields, ...holding].join(' ')
}

/** Names as they are compared. */
function namesOf(names: readonly string[], { inOrder }: Said): string {
  return listed(inOrder ? names : names.toSorted())
}

/** The messages that an answer shows: of one that tells only how many they are, those that were expected, where it is so many. */
function shownBy({ exchange, answer }: Action, expected: readonly string[], said: Said): string {
  if (!succeeded(exchange)) return answered(exchange)
  const { entries = [], count } = answer
  if (count !== undefined && count !== expected.length) return `${count} messages`
  return namesOf(count === undefined ? entries.map(({ body }) => body) : expected, said)
}

/**
 * What an outcome says of the clauses at stake.
 *
 * @param isOfStatus whether it was asked what is answered, so that a step with `!` that was refused is not passed over
 * @throws {Failed} where one of them was broken
 * @throws {Blocked} where another was, so that they could not be judged
 */
function conclude(clauses: readonly string[], outcome: Outcome, isOfStatus: boolean): void {
  const { verdict, why, reason, broken, failed, steps, variation, told } = outcome
  const scenario = { scenario: printInline(steps), variation }
  // Another status of a success costs the check of that status alone.
  const isAtStake = ({ clause, kind, isOwn }: BrokenClause) =>
    isOwn && (kind === 'status' ? clauses[0] === clause : clauses.some((each) => isSame(each, clause)))
  const all = [...broken, ...(failed === undefined ? [] : [failed])]
  const own = all.find(isAtStake)
  if (own !== undefined) {
    const isStatusAlone = all.every(({ kind }) => kind === 'status')
    throw new Failed(own.expected, own.seen, {
      ...scenario,
      clause: own.clause,
      step: own.step,
      isStatusAlone,
    })
  }
  if (verdict === 'not-applicable') throw new NotApplicable(why)
  const isCutShort = told.length < steps.length && broken.length > 0
  const isPassedOver = told.some(
    ({ passedOver, step, answered }) =>
      passedOver !== 'no' && !(isOfStatus && step.own && answered !== undefined),
  )
  const lacking = broken.find(
    ({ kind, isOwn }) => kind === 'ignored' || (kind === 'late' && (!isOwn || isPassedOver)),
  )
  const other = isCutShort ? broken.at(-1) : (lacking ?? failed)
  const isEnded = reason !== undefined && reason !== 'times'
  const blocked = ({ clause, expected, seen, step }: BrokenClause, isAside: boolean) => {
    const what = `step ${step + 1} breaks ${clause}: expected: ${expected}; seen: ${seen}`
    return new Blocked(clause, what, { ...scenario, clause, step }, isAside)
  }
  if (other !== undefined && !isEnded) throw blocked(other, false)
  const isAnswered = isOfStatus && !isPassedOver && told.length === steps.length && reason === undefined
  if (verdict !== 'inconclusive' || (isAnswered && outcome.unanswered.count === 0)) {
    // What was seen beside the question is told by the check that asks it, or else by this one.
    const aside = broken.find(
      ({ clause, kind }) => kind !== 'status' && findClause(clause)?.grade !== 'chosen',
    )
    if (aside !== undefined) throw blocked(aside, true)
    return
  }
  const full = told.flatMap(({ actions }) => actions).find(({ exchange }) => exchange.status === 429)
  if (isPassedOver && full !== undefined)
    throw new Inconclusive(`the target has no room for what it needs: ${answered(full.exchange)}`, 'overrun')
  // What the target does where the document is silent can leave nothing to ask.
  if (reason === undefined && isPassedOver) throw new NotApplicable(why)
  throw new Inconclusive(why, reason ?? 'times')
}

function wrongStatusesIn({ broken, steps, variation }: Outcome): WrongStatus[] {
  const wrong = broken.filter(({ kind, clause }) => kind === 'status' && clause.endsWith('.status'))
  return wrong.map(({ clause, expected, seen, step }) => {
    const at = { clause, step, scenario: printInline(steps), variation }
    return { clause, failed: new Failed(expected, seen, at) }
  })
}

/** Whether a broken clause is one at stake, or says the same of another case: `ack.final.same`, `ack.final.deleted`. */
function isSame(stake: string, clause: string): boolean {
  const [one, other] = [stake.split('.'), clause.split('.')]
  if (stake === clause) return true
  if (one.length < 3 || other.length < 3 || /\.(?:status|location)$/.test(clause)) return false
  return one.slice(0, 2).join('.') === other.slice(0, 2).join('.')
}
