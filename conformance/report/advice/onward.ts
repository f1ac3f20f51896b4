import { countedChecks, few, type ReportContext, type StepFinder } from './report-context.js'

const claimWhatIsThere: StepFinder = ({ report }) => {
  const there = Object.entries(report.features).flatMap(([feature, { claimed, seen }]) =>
    !claimed && seen === true ? [feature] : [],
  )
  if (there.length === 0) return undefined
  return `Set ${few(there.map((feature) => `features.${feature}`))} to true in the profile, so that ${there.length === 1 ? 'it is judged: the target has it' : 'they are judged: the target has them'}.`
}

/** A run of nothing but what the target does not claim. */
const claimWhatWasAsked: StepFinder = ({ report }) => {
  const { counts, planned, results } = report
  if (counts['not-applicable'] < planned) return undefined
  const features = [...new Set(results.flatMap(({ feature }) => feature ?? []))]
  if (features.length === 0) return undefined
  return `Set ${few(features.map((feature) => `features.${feature}`))} to true in the profile where the target has it: all that was chosen is about it.`
}

/** A probe claims what it finds, so that what breaks is not missed. */
const keepTheProfile: StepFinder = (context) =>
  context.report.probed && context.report.counts.pass > 0
    ? {
        sentence:
          'Keep what the probe found as a profile, and complete it: without one, a feature that breaks is not found, and so not judged:',
        commands: context.probeAndRun(),
      }
    : undefined

const askEverything: StepFinder = (context) => {
  const { allChecks = 0 } = context.runContext
  const { planned } = context.report
  if (!isGood(context) || planned >= allChecks) return undefined
  return {
    sentence: `Ask everything: this was ${planned} of ${countedChecks(allChecks)}:`,
    commands: [context.run()],
  }
}

const settleTheUnsteady: StepFinder = (context) => {
  const { unsteady = {}, repeat } = context.report
  const [point, answers = []] = Object.entries(unsteady)[0] ?? []
  if (point === undefined || repeat !== undefined) return undefined
  return {
    sentence: `See how steady the target is at ${point}, where its answers were ${few(answers)}, since clients can rely on none of them:`,
    commands: [context.run('--repeat', '5')],
  }
}

const keepItSo: StepFinder = (context) =>
  isWhole(context) && !context.runContext.writesFiles
    ? {
        sentence: 'Keep it so: let your build run this, and fail by its exit code:',
        commands: [context.run('--junit', 'report.xml', '--html', 'report.html')],
      }
    : undefined

const seeWhetherItStays: StepFinder = (context) =>
  isWhole(context) && context.report.repeat === undefined
    ? {
        sentence: 'See whether it is so each time:',
        commands: [context.run('--repeat', '10')],
      }
    : undefined

const compareWithTheReference: StepFinder = (context) => {
  const { differs } = context.report.counts
  if (!isWhole(context) || differs === 0) return undefined
  return {
    sentence: `See in full where the target chose otherwise than the reference, as it may, in ${countedChecks(differs)}:`,
    commands: [context.run('--strict')],
  }
}

/** Where nothing that counts is wrong: from what a run has missed to what makes sure of it. */
export const STEPS_ONWARD: readonly StepFinder[] = [
  claimWhatIsThere,
  claimWhatWasAsked,
  keepTheProfile,
  askEverything,
  settleTheUnsteady,
  keepItSo,
  seeWhetherItStays,
  compareWithTheReference,
]

/** Nothing that was asked is wrong or open. */
function isGood({ failures, isOpen }: ReportContext): boolean {
  return failures.length === 0 && !isOpen
}

/** Everything was asked, and is as it should be. */
function isWhole({ report, runContext }: ReportContext): boolean {
  return report.verdict === 'conformant' && report.planned >= (runContext.allChecks ?? 0)
}
