import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { checks } from '../checks/index.js'
import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import { type ConformanceOptions, runConformance } from '../judge.js'
import { applyBaseline } from '../report/baseline.js'
import { mergeRuns } from '../report/repeat.js'
import type { Report } from '../report/result.js'
import { EXIT_CODES, exitCodeOf } from '../report/verdicts.js'
import { chooseChecks, matchesGlob } from '../run/plan.js'
import { descriptions } from './descriptions.js'
import { formatted } from './formatted.js'
import { withHeaders } from './header-option.js'
import { tryToWrite } from './output-file.js'
import { profileByProbe } from './profile-by-probe.js'
import { type ProgressLine, progressOnStderr } from './progress-line.js'
import { type RunOptions, readRunOptions } from './run-options.js'
import { UsageError } from './usage-error.js'

/** `run`: checks a target. @returns the exit code */
export function run(args: readonly string[]): Promise<number> {
  return runWith(readRunOptions(args))
}

/** Checks a target as these options say. @returns the exit code */
export async function runWith(given: RunOptions): Promise<number> {
  const { url, profile, profileFile, reporter, files, baseline, repeat, headers, ...options } = given
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
            { quick, signal, profile: withHeaders(DEFAULT_PROFILE, headers) },
            (lines) => progress.say(lines),
          )
        : { profile }
    if (known === undefined) return EXIT_CODES.incomplete
    const runs = mergeRuns(await runTimes(repeat, url, { ...options, ...known, signal }, progress))
    progress.end()
    const report = baseline === undefined ? runs : applyBaseline(runs, baseline, checkIds)
    const writesFiles = files.length > 0
    // A file is sent around, where nobody needs to know the machine's directories.
    const inFiles = {
      writesFiles,
      ...(profileFile === undefined ? {} : { profileFile: basename(profileFile) }),
    }
    for (const { format, file } of files)
      writeFileSync(file, formatted(report, format, descriptions, { ...descriptions, ...inFiles }))
    const color = process.stdout.isTTY === true && !process.env.NO_COLOR
    const here = { writesFiles, ...(profileFile === undefined ? {} : { profileFile }) }
    process.stdout.write(formatted(report, reporter, descriptions, { ...descriptions, ...here, color }))
    return exitCodeOf(report)
  } finally {
    progress.end()
    process.off('SIGINT', stop)
  }
}

const checkIds: ReadonlySet<string> = new Set(checks.map(({ id }) => id))

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
  } while (reports.length < times && !options.signal.aborted)
  return reports
}
