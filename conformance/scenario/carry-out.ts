import { answered } from '../client/answered.js'
import { type Exchange, refused } from '../client/exchange.js'
import type { InconclusiveReason } from '../client/findings.js'
import { type Profile, unknownFeature } from '../client/profile.js'
import type { Unanswered } from '../client/unanswered.js'
import type { Rejection } from '../model/rejection.js'
import type { Step, Way } from './step.js'
import { isUntilLate, needsOf, type Variation, variationsOf } from './variations.js'
import type { Broken, Told } from './walk.js'
import type { Patiences, Walked, Watch } from './walk-in.js'

/** A clause that was broken at one of the steps. */
export interface BrokenClause extends Rejection, Pick<Broken, 'kind'> {
  /** Which of the steps, counted from 0. */
  readonly step: number
  /** Whether it is at stake: from the step with `!` on, or anywhere where none has it. */
  readonly isOwn: boolean
}

/**
 * What came of a scenario.
 *
 * - `broken`: a clause at stake was broken.
 * - `blocked`: one was broken before those at stake could be judged.
 * - `inconclusive`: not all of it was done, or not all answers came; `why` tells.
 * - `not-applicable`: the target does not claim what it needs.
 */
export interface Outcome extends Partial<Pick<Walked, 'isUntold'>> {
  readonly verdict: 'conformant' | 'broken' | 'blocked' | 'inconclusive' | 'not-applicable'
  /** Empty where it is conformant or broken. */
  readonly why: string
  /** Of what is inconclusive, where it is one of these. */
  readonly reason?: InconclusiveReason
  /** Which of the scenarios that `by each` stands for it is; empty where nothing does. */
  readonly variation: string
  /** The steps of that one. */
  readonly steps: readonly Step[]
  readonly told: readonly Told[]
  readonly broken: readonly BrokenClause[]
  /** The first request that had no answer, or a 5xx, where none was to be had, as it breaks the clause of its status. */
  readonly failed: BrokenClause | undefined
  readonly exchanges: readonly Exchange[]
  readonly began: number
  readonly requests: number
  /** Those of them that the target left without an answer, or answered with a 5xx. */
  readonly unanswered: Walked['unanswered']
}

/** Where scenarios are carried out. */
export interface Place {
  readonly profile: Profile
  /** Why nothing can be said against the target, where nothing can. */
  readonly doubt: string | undefined
  /** Whether nothing shows late. */
  readonly isPrompt: boolean
  /** The ways to send that `by each` stands for, of those that the target has; default: all. */
  readonly ways?: readonly Exclude<Way, 'each'>[] | undefined
  walk(steps: readonly Step[], walking: Walking): Promise<Walked>
}

/** How a scenario is walked. */
export interface Walking {
  /**
   * How long what must come is waited for. `usual`: as long as a check waits for it. `learned`: not for long, unless the target
   * has been late itself. `thorough`: as usual, and each change has its time to show first.
   */
  readonly patience: keyof Patiences
  /** Whether nothing is done any more once a clause is broken. */
  readonly untilBroken: boolean
  /** Takes note of requests that the target left without an answer, or answered with a 5xx. */
  readonly unanswered?: Unanswered
  readonly watch?: Watch | undefined
}

/** What counts before what, where a scenario stands for several. */
const WORST_FIRST: readonly Outcome['verdict'][] = [
  'broken',
  'blocked',
  'inconclusive',
  'conformant',
  'not-applicable',
]

/**
 * Carries out a scenario under names of its own, judges each answer by the model, and deletes what it made. Several may be
 * carried out at the same target at once. Where it stands for several scenarios, the worst of them is told.
 */
export async function carryOut(scenario: readonly Step[], target: Place, watch?: Watch): Promise<Outcome> {
  const outcomes: Outcome[] = []
  for (const variation of variationsOf(scenario, target.profile.features, target.ways)) {
    outcomes.push(await carryOutOne(variation, target, watch))
  }
  return worstOf(scenario.some((step) => step.do === 'or') ? offeredOf(outcomes) : outcomes)
}

function worstOf(outcomes: readonly Outcome[]): Outcome {
  const rank = ({ verdict }: Outcome) => WORST_FIRST.indexOf(verdict)
  return outcomes.toSorted((one, other) => rank(one) - rank(other))[0]!
}

/** Of scenarios that `or` parts, those that the target offers; where it offers none, why it does not. */
function offeredOf(outcomes: readonly Outcome[]): readonly Outcome[] {
  const claimed = outcomes.filter(({ verdict }) => verdict !== 'not-applicable')
  const isOpen = ({ verdict, isUntold }: Outcome) => verdict === 'conformant' && isUntold
  const offered = claimed.filter(
    (each) => refusedPost(each) === undefined && !isIgnored(each) && !isOpen(each),
  )
  if (offered.length > 0) return offered
  const open = claimed.find(isOpen)
  if (open !== undefined) return [{ ...open, verdict: 'inconclusive', why: UNTOLD, reason: 'times' }]
  // The document shows no form of acknowledgements in a POST, and another may be taken where one is refused.
  const refusals = claimed.flatMap((each) => refusedPost(each) ?? [])
  if (refusals.length === 0) return outcomes
  const why = `${UNTAKEN}: ${refusals.map((each) => answered(each)).join(', ')}`
  return [{ ...claimed[0]!, verdict: 'inconclusive', why, reason: 'profile', broken: [] }]
}

/** Whether acknowledgements in a POST had no effect. */
function isIgnored({ broken }: { readonly broken: readonly Pick<Broken, 'kind'>[] }): boolean {
  return broken.some(({ kind }) => kind === 'ignored')
}

const UNTOLD = 'no answer told whether acknowledgements in a POST counted'
const UNTAKEN =
  'the target takes no message URIs as text/uri-list in a POST, and the kit knows no other form of acknowledgements there: say so by features.ack-in-post'

/** The refusal of the first acknowledgements in a POST; to refuse those of what was acknowledged before is another question. */
function refusedPost({ told }: Outcome): Exchange | undefined {
  const posts = told
    .flatMap(({ actions }) => actions)
    .filter(({ request }) => request.do === 'acknowledgeInPost')
  return posts[0] && refused(posts[0].exchange) ? posts[0].exchange : undefined
}

async function carryOutOne({ name, steps }: Variation, target: Place, watch?: Watch): Promise<Outcome> {
  const lacking = lackingFor(steps, target)
  if (lacking !== undefined)
    return { ...undone(lacking.why), verdict: lacking.verdict, variation: name, steps }
  // What waits until late is done once, with all patience.
  const patience = steps.some(isUntilLate) ? 'thorough' : 'learned'
  const first = await target.walk(steps, { patience, untilBroken: false, watch })
  // What is late breaks nothing: it is asked again, with all patience.
  const isInDoubt = patience === 'learned' && !target.isPrompt
  const isLate = isInDoubt && (isIgnored(first) || first.broken.some(({ kind }) => kind === 'late'))
  const again = isLate ? await target.walk(steps, { patience: 'thorough', untilBroken: false, watch }) : first
  // Where leases are too short to wait for acknowledgements that may show late, what was seen counts.
  const walked = isIgnored(first) && (again.isUntold || again.isRushed) ? first : again
  const { told, exchanges, began, requests, unanswered } = walked
  const own = Math.max(
    0,
    steps.findIndex((step) => step.own),
  )
  const asBroken = ({ step, kind, why }: Broken): BrokenClause => {
    const { seen, ...said } = why()
    // A refusal is quoted, where it is all that was seen.
    const { exchange, unread = seen } = told[step]?.actions.at(-1) ?? {}
    const isStatus = exchange !== undefined && seen === String(exchange.status)
    return { ...said, seen: isStatus ? answered(exchange) : unread, kind, step, isOwn: step >= own }
  }
  const failed = walked.failed && asBroken(walked.failed)
  const { isUntold } = walked
  const done = {
    variation: name,
    steps,
    told,
    broken: [],
    failed,
    exchanges,
    began,
    requests,
    unanswered,
    isUntold,
  }
  // What it has done where it was not shown the credentials says nothing against it.
  const { doubt } = target
  if (doubt !== undefined) return { ...done, verdict: 'inconclusive', why: doubt, reason: 'credentials' }
  const broken = walked.broken.map(asBroken)
  return { ...done, broken, ...verdictOf(walked, broken, steps.length) }
}

/** The outcome where nothing was asked. */
export function undone(why: string): Outcome {
  return {
    ...{ verdict: 'inconclusive', why, variation: '', steps: [], told: [], broken: [], failed: undefined },
    ...{ exchanges: [], began: 0, requests: 0, unanswered: { count: 0, first: [] } },
  }
}

/** Why a target cannot be asked this. */
function lackingFor(
  steps: readonly Step[],
  { profile }: Place,
): Pick<Outcome, 'verdict' | 'why'> | undefined {
  const lacking = needsOf(steps).find((group) => !group.some((feature) => profile.features[feature]))
  if (lacking === undefined) return undefined
  const [unknown] = lacking.flatMap((feature) => unknownFeature(profile, feature) ?? [])
  if (unknown !== undefined) return { verdict: 'inconclusive', why: unknown }
  return { verdict: 'not-applicable', why: `the target does not claim ${lacking.join(' or ')}` }
}

function verdictOf(
  { told, stopped, isRushed, unanswered, requests }: Walked,
  broken: readonly BrokenClause[],
  planned: number,
): Pick<Outcome, 'verdict' | 'why' | 'reason'> {
  if (broken.some(({ isOwn }) => isOwn)) return { verdict: 'broken', why: '' }
  if (stopped !== undefined) return stopped
  const lacking = broken.find(({ kind }) => kind === 'late')
  const other = told.length < planned ? broken.at(-1) : lacking
  if (other !== undefined) return { verdict: 'blocked', why: `of ${other.clause}` }
  const inconclusive = (why: string) => ({ verdict: 'inconclusive', why }) as const
  if (told.length < planned) return inconclusive(`what step ${told.length} has changed is not known`)
  if (unanswered.count > 0)
    return inconclusive(`${unanswered.count} of ${requests} requests were not answered`)
  if (isRushed)
    return {
      ...inconclusive(
        'a lease may have ended before it was used, since answers, or their effects, took so long',
      ),
      reason: 'times',
    }
  const passedOver = told.findIndex((each) => each.passedOver !== 'no')
  if (passedOver >= 0)
    return inconclusive(`step ${passedOver + 1} was passed over: ${told[passedOver]!.came}`)
  return { verdict: 'conformant', why: '' }
}
