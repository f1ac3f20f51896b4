import { parseArgs } from 'node:util'
import { BLANK } from '../report/redactor.js'
import { readReport } from './input.js'
import { runWith } from './run.js'
import { RUN_OPTIONS, readRunOptions } from './run-options.js'
import { withHeaders } from './target-options.js'
import { UsageError } from './usage-error.js'

const AMISS = new Set(['fail', 'blocked', 'inconclusive', 'error'])

/** `replay`: judges again what failed, or the checks that are named, by the profile of the report. @returns the exit code */
export function replay(args: readonly string[]): Promise<number> {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    allowPositionals: true,
    tokens: true,
    options: { ...RUN_OPTIONS, check: { type: 'string', multiple: true, default: [] as string[] } },
  })
  const [file, ...more] = positionals
  if (file === undefined) throw new UsageError('give replay a report: a file that --json has written.')
  if (more.length > 0) throw new UsageError(`give replay one report: "${more[0]}" is one too many.`)
  const report = readReport(file)
  const failed = report.results.filter(({ status }) => AMISS.has(status)).map(({ id }) => id)
  const only = values.check.length > 0 ? values.check : failed
  if (only.length === 0) throw new UsageError(`nothing in ${file} has failed: name a check with --check.`)
  // What else is given is an option of a run.
  const rest = tokens.flatMap((token) => {
    if (token.kind !== 'option' || token.name === 'check') return []
    return [token.value === undefined ? token.rawName : `${token.rawName}=${token.value}`]
  })
  const options = readRunOptions(
    [report.target.url, ...only.map((id) => `--only=${id}`), ...(report.strict ? ['--strict'] : []), ...rest],
    report.profile,
  )
  const headers = options.profile && withHeaders(options.profile, options.header).headers
  const blank = Object.entries(headers ?? {}).find(([, value]) => value === BLANK)?.[0]
  if (blank !== undefined)
    throw new UsageError(`${file} does not hold the header ${blank}: give it with --header '${blank}: ...'.`)
  return runWith(options)
}
