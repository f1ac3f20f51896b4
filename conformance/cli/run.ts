import { closeSync, openSync, writeFileSync } from 'node:fs'
import { checks } from '../checks/index.js'
import { jsonReport } from '../report/json.js'
import { junitReport } from '../report/junit.js'
import { prettyReport } from '../report/pretty.js'
import { tapReport } from '../report/tap.js'
import { runConformance } from '../run/conformance.js'
import { chooseChecks, matchesGlob } from '../run/plan.js'
import type { Report } from '../run/result.js'
import { EXIT_CODES } from '../run/verdicts.js'
import { descriptions } from './descriptions.js'
import { profileByProbe } from './profile-by-probe.js'
import { type RunOptions, readRunOptions } from './run-options.js'
import { UsageError } from './usage-error.js'

type Format = RunOptions['reporter'] | 'junit'

/** `run`: checks a target. @returns the exit code */
export async function run(args: readonly string[]): Promise<number> {
  const { url, profile, reporter, files, ...options } = readRunOptions(args)
  for (const glob of [...options.only, ...options.skip]) {
    // A misspelt id would otherwise leave out in silence what somebody meant to have checked.
    if (!checks.some(({ id }) => matchesGlob(glob, id)))
      throw new UsageError(`no check matches "${glob}": see list.`)
  }
  for (const { file } of files) tryToWrite(file)
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.once('SIGINT', stop)
  try {
    // Nobody waits for leases that no chosen check is about.
    const quick = !chooseChecks(checks, options).some(({ passesTime }) => passesTime)
    const known =
      profile === undefined ? await profileByProbe(url, { quick, signal: stopping.signal }) : { profile }
    if (known === undefined) return EXIT_CODES.incomplete
    const report = await runConformance(url, { ...options, ...known, signal: stopping.signal }).report
    for (const { format, file } of files) writeFileSync(file, render(report, format, false))
    process.stdout.write(render(report, reporter, process.stdout.isTTY === true && !process.env.NO_COLOR))
    return EXIT_CODES[report.verdict]
  } finally {
    process.off('SIGINT', stop)
  }
}

function render(report: Report, format: Format, color: boolean): string {
  switch (format) {
    case 'json':
      return jsonReport(report)
    case 'tap':
      return tapReport(report, descriptions)
    case 'junit':
      return junitReport(report, descriptions)
    case 'pretty':
      return prettyReport(report, { ...descriptions, color })
  }
}

// Before the run, so that nobody waits for a report that then has no place; what a file holds is left as it is.
function tryToWrite(file: string): void {
  try {
    closeSync(openSync(file, 'a'))
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}.`)
  }
}
