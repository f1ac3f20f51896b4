import type { RunContext } from '../describe.js'
import type { Report } from '../result.js'
import { STEPS_AFTER_FAILURES } from './after-failures.js'
import { STEPS_ONWARD } from './onward.js'
import { type NextStep, ReportContext, type StepFinder } from './report-context.js'
import { STEPS_WHEN_INCOMPLETE } from './when-incomplete.js'

/** More would be a manual. */
const MOST = 3
/** What is good needs less. */
const MOST_ONWARD = 2

/**
 * What is most useful to do after a run, the most useful first: three steps at most, and none that does not apply to
 * this report.
 *
 * @example
 * ```ts
 * for (const { sentence, commands } of nextSteps(report)) console.log(sentence, ...commands)
 * ```
 */
export function nextSteps(report: Report, runContext: RunContext = {}): NextStep[] {
  const context = new ReportContext(report, runContext)
  if (report.planned === 0)
    return [
      {
        sentence: 'Choose at least one check by --only and --skip, of those that this lists:',
        commands: [context.kit('list')],
      },
    ]
  const stepsOf = (finders: readonly StepFinder[]) =>
    finders
      .flatMap((find) => find(context) ?? [])
      .map((step) => (typeof step === 'string' ? { sentence: step, commands: [] } : step))
  const urgent = stepsOf([...STEPS_AFTER_FAILURES, ...STEPS_WHEN_INCOMPLETE])
  const onward = stepsOf(STEPS_ONWARD)
  const steps = [...urgent, ...onward.slice(0, MOST_ONWARD)]
  return steps.filter(isFirstOfItsCommands).slice(0, MOST)
}

/** Commands that an earlier step has already are no other step. */
function isFirstOfItsCommands({ commands }: NextStep, place: number, steps: readonly NextStep[]): boolean {
  const asked = commands.join('\n')
  return asked === '' || steps.findIndex((step) => step.commands.join('\n') === asked) === place
}
