import { parseArgs } from 'node:util'
import { parseReport, ReportError } from '../report/parse-report.js'
import type { Report } from '../report/result.js'
import { readJson } from './read-json.js'
import { runWith } from './run.js'
import { readRunOptions } from './run-options.js'
import { UsageError } from './usage-error.js'

const AMISS = new Set(['fail', 'blocked', 'inconclusive', 'error'])

/** `replay`: judges again what failed, or the checks that are named, by the profile of the report. @returns the exit code */
export function replay(args: readonly string[]): Promise<number> {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: {
      check: { type: 'string', multiple: true, default: [] },
      header: { type: 'string', multiple: true },
    },
  })
  const [file, ...more] = positionals
  if (file === undefined) throw new UsageError('give replay a report: a file that --json has written.')
  if (more.length > 0) throw new UsageError(`give replay one report: "${more[0]}" is one too many.`)
  const report = readReport(file)
  const failed = report.results.filter(({ status }) => AMISS.has(status)).map(({ id }) => id)
  const named = values.check as string[]
  const only = named.length > 0 ? named : failed
  if (only.length === 0) throw new UsageError(`nothing in ${file} has failed: name a check with --check.`)
  // What else is given is an option of a run.
  const rest = tokens.flatMap((token) => {
    if (token.kind !== 'option' || token.name === 'check') return []
    return [token.rawName, ...(token.value === undefined ? [] : [token.value])]
  })
  const options = readRunOptions(
    [
      report.target.url,
      ...only.flatMap((id) => ['--only', id]),
      ...(report.strict ? ['--strict'] : []),
      ...rest,
    ],
    report.profile,
  )
  return runWith(options)
}

function readReport(file: string): Report {
  try {
    return parseReport(readJson('the report', file))
  } catch (error) {
    throw error instanceof ReportError ? new UsageError(`${file} ${error.message}.`) : error
  }
}
