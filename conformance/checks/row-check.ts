import { answered, statusOf } from '../client/answered.js'
import { succeeded } from '../client/exchange.js'
import { Blocked, Failed, Inconclusive, NotApplicable } from '../client/findings.js'
import { queuesShowContents } from '../client/queue-contents.js'
import { grantedLease } from '../client/subscription-request.js'
import { longestLease } from '../client/timing.js'
import { Unanswered } from '../client/unanswered.js'
import { findClause } from '../requirements/index.js'
import type { Action } from '../scenario/action.js'
import { type BrokenClause, carryOut, type Outcome, type Place, type Walking } from '../scenario/carry-out.js'
import { printInline } from '../scenario/print.js'
import { parseRows, type Row } from '../scenario/rows.js'
import type { Step } from '../scenario/step.js'
import { flat, isUntilLate } from '../scenario/variations.js'
import { isWaiting, patiencesOf, type Walked, walkIn } from '../scenario/walk-in.js'
import { listed } from '../scenario/words.js'
import type { CheckRecord } from '../trial/check.js'
import type { CheckTrial } from '../trial/check-trial.js'

/** The checks of a text of rows. @throws {Mistake} */
export function checksOf(text: string): CheckRecord[] {
  return parseRows(text).map(rowCheck)
}

/** A check that carries out a scenario. */
export function rowCheck({ id, clauses, steps, answers, alone }: Row): CheckRecord {
  const scenario = printInline(steps)
  return {
    ...{ id, clauses, scenario, stimulus: `${scenario}.` },
    ...(steps.some((step) => isWaiting(step) || isUntilLate(step)) ? { passesTime: true } : {}),
    ...(flat(steps).some((step) => step.do === 'list' && step.path === undefined) ? { readsRoot: true } : {}),
    ...(alone === undefined ? {} : { runsAlone: alone }),
    run: async (trial: CheckTrial) => {
      const way = id.startsWith('send.') ? 'two-step' : usualWay(trial)
      const first = await carryOut(steps, new TrialPlace(trial, way))
      // What the document leaves open is not waited for: it has its time to show then.
      const isLate = Array.isArray(answers?.what) && !isAsSaid(answers, first)
      const outcome = isLate ? await carryOut(steps, new TrialPlace(trial, way, 'thorough')) : first
      if (answers !== undefined) judgeAnswer(trial, answers, outcome)
      conclude(clauses, outcome)
    },
  }
}

/** How is sent where nothing is said: by guid in place of two steps, where those are another check's failure. */
function usualWay(trial: CheckTrial): 'guid' | 'two-step' {
  const isBroken = trial.profile.features.guid && trial.isBroken('send.address')
  return isBroken && !trial.isBroken('dedup.send') ? 'guid' : 'two-step'
}

/** The trial of a check, in which scenarios are walked. */
class TrialPlace implements Place {
  readonly doubt = undefined
  readonly isPrompt = false
  readonly #trial: CheckTrial
  readonly #usualWay: 'guid' | 'two-step'
  readonly #patience: Walking['patience'] | undefined

  constructor(trial: CheckTrial, usualWay: 'guid' | 'two-step', patience?: Walking['patience']) {
    this.#trial = trial
    this.#usualWay = usualWay
    this.#patience = patience
  }

  get profile() {
    return this.#trial.profile
  }

  /** With leases as short as they may be, where they are to end: where they were too short, with longer ones. */
  async walk(steps: readonly Step[], walking: Walking): Promise<Walked> {
    const { briefLease, lease, ampleLease } = this.#trial.timing
    if (this.#trial.target.isInProcess && flat(steps).some(({ cut }) => cut !== undefined))
      throw new NotApplicable('a request can be cut only where it goes through a socket')
    if (!steps.some(isWaiting)) return this.#walk(steps, walking, longestLease(this.profile))
    let length = briefLease
    let walked = await this.#walk(steps, walking, length)
    for (const longer of [lease, ampleLease]) {
      // Where leases are kept in whole seconds, a short one may end by a second too early.
      const isShort = walked.isRushed || (walked.broken.length > 0 && longer === ampleLease)
      if (!isShort || longer <= length) continue
      length = longer
      walked = await this.#walk(steps, walking, length)
    }
    return walked
  }

  #walk(steps: readonly Step[], { patience, untilBroken, watch }: Walking, lease: number): Promise<Walked> {
    const trial = this.#trial
    return walkIn(trial, steps, {
      ...{
        ...patiencesOf(trial.timing)[this.#patience ?? patience],
        untilBroken,
        watch,
        prefix: trial.ownPrefix(),
      },
      usualWay: this.#usualWay,
      lease: grantedLease(this.profile, lease),
      unanswered: new Unanswered(),
      signal: trial.signal,
      queuesShowContents: () => queuesShowContents(trial),
    })
  }
}

type Said = Required<Row>['answers']

/** What the last request of the step at stake is answered with, or shows, where all before it went well. @throws {Failed} */
function judgeAnswer(trial: CheckTrial, said: Said, outcome: Outcome): void {
  const { what, point } = said
  const { steps, broken } = outcome
  const own = steps.findIndex((step) => step.own)
  const last = lastOf(outcome)
  // A lease that has ended while the answers took their time says nothing of how it is elsewhere.
  if (last === undefined || outcome.reason === 'times' || broken.some(({ step }) => step < own)) return
  const isStatus = typeof what === 'number'
  const seen = isStatus ? answered(last.exchange) : shownBy(last, what, said)
  trial.choose(point, isStatus ? statusOf(last.exchange) : seen)
  trial.expect(isAsSaid(said, outcome), isStatus ? String(what) : namesOf(what, said), seen)
}

/** The last request of the step at stake; undefined where there was none. */
function lastOf({ told, steps }: Outcome): Action | undefined {
  return told[steps.findIndex((step) => step.own)]?.actions.at(-1)
}

function isAsSaid(said: Said, outcome: Outcome): boolean {
  const { what } = said
  const last = lastOf(outcome)
  if (last === undefined || typeof what === 'number') return last?.exchange.status === what
  return shownBy(last, what, said) === namesOf(what, said)
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
 * @throws {Failed} where one of them was broken
 * @throws {Blocked} where another was, so that they could not be judged
 */
function conclude(clauses: readonly string[], outcome: Outcome): void {
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
  const isPassedOver = told.some(({ passedOver }) => passedOver !== 'no')
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
  if (verdict !== 'inconclusive') {
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

/** Whether a broken clause is one at stake, or says the same of another case: `ack.final.same`, `ack.final.deleted`. */
function isSame(stake: string, clause: string): boolean {
  const [one, other] = [stake.split('.'), clause.split('.')]
  if (stake === clause) return true
  if (one.length < 3 || other.length < 3 || /\.(?:status|location)$/.test(clause)) return false
  return one.slice(0, 2).join('.') === other.slice(0, 2).join('.')
}
