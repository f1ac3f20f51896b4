import { basename } from 'node:path'
import { baseUrlOf } from '../client/base-url.js'
import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import { type ConformanceOptions, runConformance } from '../judge.js'
import { applyBaseline } from '../report/baseline.js'
import { Faults, withFaults } from '../report/faults.js'
import { emptyReport } from '../report/make-report.js'
import { mergeRuns } from '../report/repeat.js'
import type { Report } from '../report/result.js'
import { exitCodeOf } from '../report/verdicts.js'
import { knownOf, stoppable } from './at-target.js'
import { descriptionsOf } from './descriptions.js'
import type { ProgressLine } from './progress-line.js'
import { type RunOptions, readRunOptions } from './run-options.js'
import { choose, tryToWrite } from './target-options.js'
import { noting } from './unexpected.js'
import { toFile, toStdout, writeReports } from './write-reports.js'

/** `run`: checks a target. @returns the exit code */
export function run(args: readonly string[]): Promise<number> {
  return runWith(readRunOptions(args))
}

/** Checks a target as these options say. @returns the exit code */
export function runWith(given: RunOptions): Promise<number> {
  const { url, profile, profileFile, reporter, files, baseline, repeat, header, verbose, ...options } = given
  const { checks, origins } = options
  const chosen = choose(checks, options)
  for (const { file } of files) tryToWrite(file)
  return stoppable(async (signal, progress) => {
    // Nobody waits for leases that no chosen check is about.
    const quick = !chosen.some(({ passesTime }) => passesTime)
    const { notJudged, base, ...known } = await knownOf(
      url,
      profile,
      header,
      { quick, signal, origins },
      progress,
    )
    const beside = new Faults()
    const judged =
      notJudged !== undefined
        ? emptyReport(
            {
              ...{ url: baseUrlOf(base), profile: DEFAULT_PROFILE, planned: chosen.length, probed: true },
              ...{ strict: options.strict, started: new Date(), seconds: 0 },
            },
            notJudged,
          )
        : mergeRuns(
            await noting(beside, () => runTimes(repeat, base, { ...options, ...known, signal }, progress)),
          )
    progress.end()
    const runs = withFaults(judged, beside)
    const report =
      baseline === undefined ? runs : applyBaseline(runs, baseline, new Set(checks.map(({ id }) => id)))
    const descriptions = descriptionsOf(checks)
    const contextOf = (file: string | undefined) => ({
      ...{ ...descriptions, writesFiles: files.length > 0 },
      ...(file === undefined ? {} : { profileFile: file }),
    })
    // A file is sent around, where nobody needs to know the machine's directories.
    const inFiles = contextOf(profileFile && basename(profileFile))
    const color = process.stdout.isTTY === true && !process.env.NO_COLOR
    return exitCodeOf(
      writeReports(
        report,
        files.map((each) => toFile(each, descriptions, inFiles)),
        toStdout(reporter, descriptions, { ...contextOf(profileFile), color, verbose }),
      ),
    )
  })
}

/** One after another: at once they would be a load that a single run is not. A stopped run is the last. */
async function runTimes(
  times: number,
  url: string,
  options: ConformanceOptions & { readonly signal: AbortSignal },
  progress: ProgressLine,
): Promise<Report[]> {
  const reports: Report[] = []
  do {
    const run = runConformance(url, options)
    const tell = progress.running(run.planned, { run: reports.length + 1, of: times })
    for await (const result of run) tell(result)
    reports.push(await run.report)
    // What cannot be told from nothing once is not asked again.
  } while (reports.length < times && !options.signal.aborted && reports.at(-1)!.notJudged === undefined)
  return reports
}
