import type { Circumstances } from '../describe.js'
import type { Report } from '../result.js'
import { STEPS_AFTER_FAILURES } from './after-failures.js'
import { STEPS_ONWARD } from './onward.js'
import { type NextStep, Situation } from './report-context.js'
import { STEPS_TO_AN_ANSWER } from './when-incomplete.js'

/** More would be a manual. */
const MOST = 3
/** What is good needs less. */
const MOST_ONWARD = 2

/**
 * What is most useful to do after a run, the most useful first: three steps at most, and none that does not apply to
 * this report.
 */
export function nextSteps(report: Report, circumstances: Circumstances = {}): NextStep[] {
  const situation = new Situation(report, circumstances)
  if (report.planned === 0)
    return [
      {
        sentence: 'Choose at least one check by --only and --skip, of those that this lists:',
        commands: [situation.kit('list')],
      },
    ]
  const urgent = [...STEPS_AFTER_FAILURES, ...STEPS_TO_AN_ANSWER].flatMap((find) => find(situation) ?? [])
  const onward = STEPS_ONWARD.flatMap((find) => find(situation) ?? [])
  return [...urgent, ...onward.slice(0, MOST_ONWARD)].slice(0, MOST)
}
