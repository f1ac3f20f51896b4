import type { Exchange } from '../client/exchange.js'
import { unknownFeature } from '../client/profile.js'
import type { Rejection } from '../model/rejection.js'
import type { ScenarioTarget, Walked, Watch } from './scenario-target.js'
import type { Step } from './step.js'
import { needsOf, type Variation, variationsOf } from './variations.js'
import type { Told } from './walk.js'

/** A clause that was broken at one of the steps. */
export interface BrokenClause extends Rejection {
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
export interface Outcome {
  readonly verdict: 'conformant' | 'broken' | 'blocked' | 'inconclusive' | 'not-applicable'
  /** Empty where it is conformant or broken. */
  readonly why: string
  /** Which of the scenarios that `by each` stands for it is; empty where nothing does. */
  readonly variation: string
  readonly told: readonly Told[]
  readonly broken: readonly BrokenClause[]
  readonly exchanges: readonly Exchange[]
  readonly began: number
  readonly requests: number
  /** Those of them that the target left without an answer, or answered with a 5xx. */
  readonly unanswered: Walked['unanswered']
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
export async function carryOut(
  scenario: readonly Step[],
  target: ScenarioTarget,
  watch?: Watch,
): Promise<Outcome> {
  const outcomes: Outcome[] = []
  for (const variation of variationsOf(scenario, target.profile.features)) {
    outcomes.push(await carryOutOne(variation, target, watch))
  }
  const rank = ({ verdict }: Outcome) => WORST_FIRST.indexOf(verdict)
  return outcomes.toSorted((one, other) => rank(one) - rank(other))[0]!
}

async function carryOutOne(
  { name, steps }: Variation,
  target: ScenarioTarget,
  watch?: Watch,
): Promise<Outcome> {
  const lacking = lackingFor(steps, target)
  if (lacking !== undefined) return { ...undone(lacking.why), verdict: lacking.verdict, variation: name }
  const first = await target.walk(steps, { patience: 'usual', untilBroken: false, watch })
  // What is late breaks nothing: it is asked again, with all patience.
  const walked =
    first.broken.length === 0 || target.isPrompt
      ? first
      : await target.walk(steps, { patience: 'thorough', untilBroken: false, watch })
  const { told, exchanges, began, requests, unanswered } = walked
  const done = { variation: name, told, broken: [], exchanges, began, requests, unanswered }
  // What it has done where it was not shown the credentials says nothing against it.
  const { doubt } = target
  if (doubt !== undefined) return { ...done, verdict: 'inconclusive', why: doubt }
  const [once] = first.broken
  if (once !== undefined && walked.broken.length === 0 && walked.stopped === undefined) {
    const why = `${once.clause} seemed broken at step ${once.step + 1}, and did not when it was asked again`
    return { ...done, verdict: 'inconclusive', why }
  }
  const own = Math.max(
    0,
    steps.findIndex((step) => step.own),
  )
  const broken = walked.broken.map(({ step, why }) => ({ ...why(), step, isOwn: step >= own }))
  return { ...done, broken, ...verdictOf(walked, broken, steps.length) }
}

/** The outcome where nothing was asked. */
export function undone(why: string): Outcome {
  return {
    ...{ verdict: 'inconclusive', why, variation: '', told: [], broken: [], exchanges: [], began: 0 },
    ...{ requests: 0, unanswered: { count: 0, first: [] } },
  }
}

/** Why a target cannot be asked this. */
function lackingFor(
  steps: readonly Step[],
  { profile }: ScenarioTarget,
): Pick<Outcome, 'verdict' | 'why'> | undefined {
  const lacking = needsOf(steps).find((group) => !group.some((feature) => profile.features[feature]))
  if (lacking === undefined) return undefined
  const unknown = lacking
    .map((feature) => unknownFeature(profile, feature))
    .find((each) => each !== undefined)
  if (unknown !== undefined) return { verdict: 'inconclusive', why: unknown }
  return { verdict: 'not-applicable', why: `the target does not claim ${lacking.join(' or ')}` }
}

function verdictOf(
  { told, stopped, unanswered, requests }: Walked,
  broken: readonly BrokenClause[],
  planned: number,
): Pick<Outcome, 'verdict' | 'why'> {
  if (broken.some(({ isOwn }) => isOwn)) return { verdict: 'broken', why: '' }
  if (stopped !== undefined) return { verdict: stopped.kind, why: stopped.why }
  if (told.length < planned) return { verdict: 'blocked', why: `of ${broken.at(-1)!.clause}` }
  const passedOver = told.findIndex((each) => each.passedOver !== 'no')
  if (passedOver >= 0)
    return {
      verdict: 'inconclusive',
      why: `step ${passedOver + 1} was passed over: ${told[passedOver]!.came}`,
    }
  if (unanswered.count > 0)
    return { verdict: 'inconclusive', why: `${unanswered.count} of ${requests} requests were not answered` }
  return { verdict: 'conformant', why: '' }
}
