import type { InconclusiveReason } from '../../client/findings.js'
import { CHECK_TIMEOUT } from '../../client/timing.js'
import { findClause } from '../../requirements/index.js'
import { withMostDependents } from '../dependents.js'
import type { CheckResult } from '../result.js'
import {
  argument,
  countedChecks,
  few,
  type NextStep,
  type ReportContext,
  type StepFinder,
} from './report-context.js'

/** More checks than this are not named one by one on a command line. */
const NAMED = 3
/** As many times as long a check is given that had too little time. */
const MORE_TIME = 4

/** What to do about a reason, by what it is; of several the first. */
const BY_REASON: Readonly<
  Record<
    InconclusiveReason,
    (unanswered: readonly [CheckResult, ...CheckResult[]], context: ReportContext) => NextStep | string
  >
> = {
  stopped: (unanswered) =>
    `Run it again and let it end: it was stopped before ${countedChecks(unanswered.length)} that ${unanswered.length === 1 ? 'counts' : 'count'} had an answer.`,
  gone: (unanswered) =>
    `See why the target ended, or who ended it, and start it again: it took no connection any more when ${countedChecks(unanswered.length)} that ${unanswered.length === 1 ? 'counts' : 'count'} had not asked it to the end.`,
  credentials: ([first], context) => ({
    sentence: `Send the credentials to the other origin, too, if it is to be trusted: ${first.message}:`,
    commands: [context.run('--origin', argument(/--origin ([^"]*)"/.exec(first.message)?.[1] ?? 'URL'))],
  }),
  limit: ([first]) =>
    `Have the target answer with less, if it can, since the kit reads no more: ${first.message.replace(/\.$/, '')}.`,
  profile: ([first], context) => ({
    sentence: `Draft a profile, put in by hand what a probe could not see (${first.message.replace(/\.$/, '')}), and run by it:`,
    commands: context.probeAndRun(),
  }),
  clock: ([first]) =>
    /stands still/.test(first.message)
      ? `Let the target's clock go, or give the request that moves it as clock in the profile, since ${first.message}.`
      : `Mend clock in the profile, or leave it out and let the kit wait, since ${first.message.replace(/\.$/, '')}.`,
  contents: (unanswered) =>
    `Show contents in the feeds of queues, at least to the kit, since ${few(idsOf(unanswered))} could not tell messages apart; the interface does not ask for them there.`,
  overrun: (unanswered, context) => ({
    sentence: `Give ${few(idsOf(unanswered))} more time than one check has by default:`,
    commands: [context.run(...only(unanswered), '--timeout', String(MORE_TIME * CHECK_TIMEOUT))],
  }),
  times: (unanswered) =>
    `Give the target longer leases, by subscription.leaseSeconds in the profile, since its answers took too long in ${few(idsOf(unanswered))}.`,
}

const reachAnAnswer: StepFinder = (context) => {
  const unanswered = context.counted('inconclusive')
  for (const reason of Object.keys(BY_REASON) as InconclusiveReason[]) {
    const [first, ...others] = unanswered.filter((result) => result.inconclusiveReason === reason)
    if (first) return BY_REASON[reason]([first, ...others], context)
  }
  return undefined
}

/** What blocked checks hang on cannot be told apart from their own question where it was not asked. */
const askWhatWasLeftOut: StepFinder = (context) => {
  if (!context.isOpen) return undefined
  const asked = new Set(context.report.results.map(({ id }) => id))
  const left = withMostDependents(
    [...context.dependents.keys()].filter((id) => !asked.has(id)).map((id) => ({ id })),
    context.dependents,
  )
  if (left === undefined) return undefined
  // A scenario names the clause that was broken, which several checks may ask about.
  if (findClause(left.id) !== undefined) {
    return {
      sentence: `See which checks prove ${left.id}, which no check of this run asks about${context.whatHangsOn(left.id)}:`,
      commands: [context.kit('explain', argument(left.id))],
    }
  }
  return {
    sentence: `Ask ${left.id} as well, which this run left out${context.whatHangsOn(left.id)}:`,
    commands: [context.run('--only', argument(left.id))],
  }
}

const reportTheKit: StepFinder = (context) => {
  const first = withMostDependents(context.counted('error'), context.dependents)
  if (first === undefined) return undefined
  return {
    sentence: `Report ${first.id} as a fault of the kit${context.whatHangsOn(first.id)}, with the file that this writes:`,
    commands: [context.run('--only', argument(first.id), '--json', 'report.json')],
  }
}

/** A known failure does not count, but what hangs on it does. */
const mendWhatIsKnown: StepFinder = (context) => {
  const known = context.report.results.filter((result) => result.known !== undefined)
  const failing = known.filter(({ status }) => status === 'fail')
  const first = withMostDependents(failing, context.dependents)
  if (first === undefined) return undefined
  return {
    sentence: `Mend ${first.id} next, ${failing.length === 1 ? 'the one failure' : `one of ${failing.length} failures`} that the baseline knows (${first.known})${context.whatHangsOn(first.id)}:`,
    commands: [context.kit('explain', argument(first.id))],
  }
}

/** A stale entry is enough for a run that is not green. */
const freshenTheBaseline: StepFinder = ({ report }) => {
  const stale = report.baseline?.stale ?? []
  if (stale.length === 0) return undefined
  return `Take ${few(idsOf(stale))} out of the baseline: with stale entries in it no run ends with exit code 0.`
}

/** Where what counts has no answer yet, or the baseline stands in the way of a good one. */
export const STEPS_WHEN_INCOMPLETE: readonly StepFinder[] = [
  freshenTheBaseline,
  askWhatWasLeftOut,
  reachAnAnswer,
  reportTheKit,
  mendWhatIsKnown,
]

function idsOf(results: readonly { readonly id: string }[]): string[] {
  return results.map(({ id }) => id)
}

/** Options that choose them; none, which chooses all, where they are many. */
function only(results: readonly CheckResult[]): string[] {
  return results.length > NAMED ? [] : idsOf(results).flatMap((id) => ['--only', argument(id)])
}
