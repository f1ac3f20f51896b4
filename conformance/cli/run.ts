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
import { chooseChecks, matchesGlob } from '../run/plan.js'
import { descriptionsOf } from './descriptions.js'
import { withHeaders } from './header-option.js'
import { tryToWrite } from './output-file.js'
import { profileByProbe } from './profile-by-probe.js'
import { type ProgressLine, progressOnStderr } from './progress-line.js'
import { type RunOptions, readRunOptions } from './run-options.js'
import { noting } from './unexpected.js'
import { UsageError } from './usage-error.js'
import { toFile, toStdout, writeReports } from './write-reports.js'

/** `run`: checks a target. @returns the exit code */
export function run(args: readonly string[]): Promise<number> {
  return runWith(readRunOptions(args))
}

/** Checks a target as these options say. @returns the exit code */
export async function runWith(given: RunOptions): Promise<number> {
  const { url, profile, profileFile, reporter, files, baseline, repeat, headers, verbose, ...options } = given
  const { checks } = options
  const descriptions = descriptionsOf(checks)
  for (const glob of [...options.only, ...options.skip]) {
    // A misspelt id would otherwise leave out in silence what somebody meant to have checked.
    if (!checks.some(({ id }) => matchesGlob(glob, id)))
      throw new UsageError(`no check matches "${glob}": see list.`)
  }
  for (const { file } of files) tryToWrite(file)
  const stopping = new AbortController()
  const progress = progressOnStderr()
  const stop = () => {
    stopping.abort()
    // The next one ends the process at once.
    progress.end()
  }
  process.once('SIGINT', stop)
  try {
    // Nobody waits for leases that no chosen check is about.
    const quick = !chooseChecks(checks, options).some(({ passesTime }) => passesTime)
    const { signal } = stopping
    if (profile === undefined) progress.probing()
    const known =
      profile === undefined
        ? await profileByProbe(
            url,
            { quick, signal, origins: options.origins, profile: withHeaders(DEFAULT_PROFILE, headers) },
            (lines) => progress.say(lines),
          )
        : { profile }
    const beside = new Faults()
    const judge = async () =>
      'notJudged' in known && known.notJudged !== undefined
        ? unjudgedRun(url, options, known.notJudged)
        : mergeRuns(
            await noting(beside, () => runTimes(repeat, url, { ...options, ...known, signal }, progress)),
          )
    const runs = withFaults(await judge(), beside)
    progress.end()
    const report =
      baseline === undefined ? runs : applyBaseline(runs, baseline, new Set(checks.map(({ id }) => id)))
    const writesFiles = files.length > 0
    // A file is sent around, where nobody needs to know the machine's directories.
    const inFiles = {
      writesFiles,
      ...(profileFile === undefined ? {} : { profileFile: basename(profileFile) }),
    }
    const color = process.stdout.isTTY === true && !process.env.NO_COLOR
    const here = { writesFiles, ...(profileFile === undefined ? {} : { profileFile }) }
    return exitCodeOf(
      writeReports(
        report,
        files.map((each) => toFile(each, descriptions, { ...descriptions, ...inFiles })),
        toStdout(reporter, descriptions, { ...descriptions, ...here, color, verbose }),
      ),
    )
  } finally {
    progress.end()
    process.off('SIGINT', stop)
  }
}

/** The report on a target of which a probe has found that it cannot be judged. */
function unjudgedRun(
  url: string,
  options: Pick<RunOptions, 'checks' | 'only' | 'skip' | 'strict'>,
  why: string,
): Report {
  const planned = chooseChecks(options.checks, options).length
  return emptyReport(
    {
      ...{ url: baseUrlOf(url), profile: DEFAULT_PROFILE, planned, probed: true },
      ...{ strict: options.strict, started: new Date(), seconds: 0 },
    },
    why,
  )
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
