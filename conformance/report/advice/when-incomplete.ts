import type { Doubt } from '../../trial/findings.js'
import { mostHangOn } from '../dependents.js'
import type { CheckResult } from '../result.js'
import { checks, few, type NextStep, quote, type Situation, type StepFinder } from './report-context.js'

/** More checks than this are not named one by one on a command line. */
const NAMED = 3

/** What to do about a doubt, by what it is; of several the first. */
const BY_DOUBT: Readonly<
  Record<Doubt, (doubtful: readonly [CheckResult, ...CheckResult[]], situation: Situation) => NextStep>
> = {
  stopped: (doubtful) => ({
    sentence: `Run it again and let it end: it was stopped before ${checks(doubtful.length)} that ${doubtful.length === 1 ? 'counts' : 'count'} had an answer.`,
    commands: [],
  }),
  profile: ([first], situation) => ({
    sentence: `Write into a profile what a probe could not see, and run by that (${first.message.replace(/\.$/, '')}):`,
    commands: situation.probeAndRun(),
  }),
  clock: ([first]) => ({
    sentence: `Mend clock in the profile, or leave it out and let the kit wait, since ${first.message.replace(/\.$/, '')}.`,
    commands: [],
  }),
  overrun: (doubtful, situation) => ({
    sentence: `Give ${few(idsOf(doubtful))} more time than one check has by default:`,
    commands: [situation.run(...only(doubtful), '--timeout', '120000')],
  }),
  times: (doubtful) => ({
    sentence: `Give the target longer leases, by subscription.leaseSeconds in the profile, since its answers took too long in ${few(idsOf(doubtful))}.`,
    commands: [],
  }),
}

const clearTheDoubt: StepFinder = (situation) => {
  const doubtful = situation.counted('inconclusive')
  for (const doubt of Object.keys(BY_DOUBT) as Doubt[]) {
    const [first, ...others] = doubtful.filter((result) => result.doubt === doubt)
    if (first) return BY_DOUBT[doubt]([first, ...others], situation)
  }
  return undefined
}

/** What blocked checks hang on cannot be told apart from their own question where it was not asked. */
const askWhatWasLeftOut: StepFinder = (situation) => {
  if (!situation.isOpen) return undefined
  const asked = new Set(situation.report.results.map(({ id }) => id))
  const left = mostHangOn(
    [...situation.hanging.keys()].filter((id) => !asked.has(id)).map((id) => ({ id })),
    situation.hanging,
  )
  if (left === undefined) return undefined
  return {
    sentence: `Ask ${left.id} as well, which this run left out${situation.whatHangsOn(left.id)}:`,
    commands: [situation.run('--only', quote(left.id))],
  }
}

const reportTheKit: StepFinder = (situation) => {
  const first = mostHangOn(situation.counted('error'), situation.hanging)
  if (first === undefined) return undefined
  return {
    sentence: `Report ${first.id} as a fault of the kit${situation.whatHangsOn(first.id)}, with the file that this writes:`,
    commands: [situation.run('--only', quote(first.id), '--json', 'report.json')],
  }
}

/** A known failure does not count, but what hangs on it does. */
const mendWhatIsKnown: StepFinder = (situation) => {
  const known = situation.report.results.filter((result) => result.known !== undefined)
  const failing = known.filter(({ status }) => status === 'fail')
  const first = mostHangOn(failing, situation.hanging)
  if (first === undefined) return undefined
  return {
    sentence: `Mend ${first.id} next, ${failing.length === 1 ? 'the one failure' : `one of ${failing.length} failures`} that the baseline knows (${first.known})${situation.whatHangsOn(first.id)}:`,
    commands: [situation.kit('explain', quote(first.id))],
  }
}

/** A stale entry fails the run by itself. */
const freshenTheBaseline: StepFinder = ({ report }) => {
  const stale = report.baseline?.stale ?? []
  if (stale.length === 0) return undefined
  return {
    sentence: `Take ${few(idsOf(stale))} out of the baseline: with stale entries in it the exit code is 1.`,
    commands: [],
  }
}

/** Where what counts has no answer yet, or the baseline stands in the way of a good one. */
export const STEPS_TO_AN_ANSWER: readonly StepFinder[] = [
  freshenTheBaseline,
  askWhatWasLeftOut,
  clearTheDoubt,
  reportTheKit,
  mendWhatIsKnown,
]

function idsOf(results: readonly { readonly id: string }[]): string[] {
  return results.map(({ id }) => id)
}

/** Options that choose them; none, which chooses all, where they are many. */
function only(results: readonly CheckResult[]): string[] {
  return results.length > NAMED ? [] : idsOf(results).flatMap((id) => ['--only', quote(id)])
}
