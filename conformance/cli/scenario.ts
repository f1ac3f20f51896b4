import { writeFileSync } from 'node:fs'
import { baseUrlOf } from '../client/base-url.js'
import { printableJson } from '../client/printable.js'
import type { Profile } from '../client/profile.js'
import { overSockets } from '../client/sockets.js'
import { Faults } from '../report/faults.js'
import { Redactor } from '../report/redactor.js'
import { reportExchanges } from '../report/report-exchange.js'
import { unansweredAs, unansweredOf, unknownFieldOf } from '../report/rules.js'
import { EXIT_CODES, KIT_FAULT } from '../report/verdicts.js'
import { carryOut, type Outcome, undone } from '../scenario/carry-out.js'
import { parse } from '../scenario/parse.js'
import { ScenarioTarget } from '../scenario/scenario-target.js'
import type { Step } from '../scenario/step.js'
import { linesOf, outcomeLines } from '../scenario/tell.js'
import { KIT, VERSION } from '../version.js'
import { parsed, readText } from './input.js'
import { scenarioPage } from './scenario-page.js'
import { readArgs, TARGET_OPTIONS, tryToWrite } from './target-options.js'
import { toldOf } from './unexpected.js'
import { UsageError } from './usage-error.js'
import { shown, withTarget } from './walk-target.js'

/** `scenario`: carries out a scenario, and judges each step. @returns the exit code */
export async function scenario(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArgs(args, {
    ...TARGET_OPTIONS,
    json: { type: 'boolean', default: false },
    html: { type: 'string' },
  })
  const [url, file, ...more] = positionals
  if (url === undefined)
    throw new UsageError('give scenario the base URL of a target, as in http://127.0.0.1:8080.')
  if (more.length > 0) throw new UsageError(`give scenario one file: "${more[0]}" is one too many.`)
  const steps = readScenario(file, true)
  if (values.html !== undefined) tryToWrite(values.html)
  const faults = new Faults()
  const carriedOut = await withTarget<CarriedOut>(url, values, {
    faults,
    work: async ({ url, profile, origins, signal, progress }) => {
      progress.show(() => `carrying out ${steps.length} steps`)
      const target = await ScenarioTarget.at(baseUrlOf(url), {
        ...{ profile, signal, origins, transport: overSockets },
      })
      try {
        return { profile, outcome: openWhereUnknown(await carryOut(steps, target), profile) }
      } finally {
        target.close()
      }
    },
    unjudged: (why, { profile }) => ({
      profile,
      outcome: undone(`the server at ${url} was not judged: ${why}`),
    }),
    failed: (error, { profile }) => ({ profile, error, outcome: undone('the kit itself failed') }),
  })
  const { outcome } = carriedOut
  process.stdout.write(values.json ? outcomeJson(url, carriedOut, faults) : outcomeText(carriedOut, faults))
  if (values.html !== undefined)
    writeFileSync(values.html, scenarioPage(url, outcome, new Redactor(carriedOut.profile)))
  if (outcome.broken.length > 0) return EXIT_CODES['non-conformant']
  if (faults.all.length > 0) return KIT_FAULT
  return outcome.verdict === 'conformant' ? EXIT_CODES.conformant : EXIT_CODES.incomplete
}

interface CarriedOut {
  readonly profile: Profile
  readonly outcome: Outcome
  /** What ended it, where the kit itself failed. */
  readonly error?: unknown
}

/**
 * The steps of a file, or of standard input where there is none.
 *
 * @param known whether each step may be only about what came in before it
 * @throws {UsageError} where it cannot be read, or has a mistake
 */
export function readScenario(file: string | undefined, known = false): Step[] {
  const name = file ?? 'standard input'
  const text = readText(`the scenario ${name}`, file)
  const steps = parsed(
    () => parse(text, known),
    (message) => `in ${name}, ${message}`,
  )
  if (steps.length === 0) throw new UsageError(`${name} has no step.`)
  return steps
}

/** Nothing counts as broken that may come of what the profile does not know. */
function openWhereUnknown(outcome: Outcome, profile: Profile): Outcome {
  const unknownOf = ({ clause }: Outcome['broken'][0]) => unknownFieldOf(profile, clause)
  const first = outcome.broken.find((each) => unknownOf(each) !== undefined)
  if (first === undefined) return outcome
  const why = `the profile's ${unknownOf(first)} is unknown: fill it in; ${first.clause} would be broken: ${first.seen}`
  const broken = outcome.broken.filter((each) => unknownOf(each) === undefined)
  return {
    ...outcome,
    broken,
    ...(broken.some(({ isOwn }) => isOwn) ? {} : { verdict: 'inconclusive', why }),
  }
}

/** An outcome for people, with what was not answered, and what went wrong within the kit. */
function outcomeText({ outcome, profile, error }: CarriedOut, { all }: Faults): string {
  if (error !== undefined) return toldOf(error)
  const { unanswered, requests } = outcome
  const open = unanswered.count > 0 ? [`${unansweredOf(unanswered, requests, new Redactor(profile))}.`] : []
  const failed = all.map(({ part, why }) => `Failed within the kit: ${part}: ${why}.`)
  return shown([...outcomeLines(outcome), ...open, ...failed])
}

/** An outcome for programs. */
function outcomeJson(url: string, { outcome, profile }: CarriedOut, { all }: Faults): string {
  const { verdict, why, variation, told, broken, exchanges, began, unanswered } = outcome
  const redactor = new Redactor(profile)
  const steps = told.map((each, at) => ({
    step: linesOf([{ ...each, came: '' }])[0],
    answer: each.came,
    passedOver: each.passedOver,
    stands: each.stands(),
    broken: broken.filter(({ step }) => step === at).map(({ step: _, ...rest }) => rest),
  }))
  const whole = {
    ...{ kit: { name: KIT, version: VERSION }, target: { url, name: profile.name } },
    ...{ verdict, why, variation, steps, ...(all.length > 0 ? { faults: all } : {}) },
    unanswered: {
      count: unanswered.count,
      first: unanswered.first.map((each) => unansweredAs(each, redactor)),
    },
    exchanges: reportExchanges(exchanges, began, redactor),
  }
  return `${printableJson(whole, 2)}\n`
}
