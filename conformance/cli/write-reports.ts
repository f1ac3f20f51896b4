import { writeFileSync } from 'node:fs'
import type { Descriptions, RunContext } from '../report/describe.js'
import { Faults } from '../report/faults.js'
import type { PrettyOptions } from '../report/pretty.js'
import type { Report } from '../report/result.js'
import { formatted } from './formatted.js'
import type { FileFormat, RunOptions } from './run-options.js'

type Format = RunOptions['reporter'] | FileFormat

/** What a report that was asked for is called, where it could not be made as it should. */
const NAMES: Readonly<Record<Format, string>> = {
  json: 'JSON',
  junit: 'JUnit XML',
  html: 'HTML',
  tap: 'TAP',
  markdown: 'Markdown',
  pretty: 'text',
}

/** A report in one form, and where it goes. */
export interface Output {
  readonly format: Format
  readonly descriptions: Descriptions
  readonly runContext?: RunContext & Partial<Pick<PrettyOptions, 'color' | 'verbose'>>
  /** What it is written to, as people name it. */
  readonly to: string
  readonly write: (text: string) => void
}

/** A report in a file. */
export function toFile(
  { format, file }: { readonly format: FileFormat; readonly file: string },
  descriptions: Descriptions,
  runContext?: RunContext,
): Output {
  return {
    format,
    descriptions,
    ...(runContext && { runContext }),
    to: file,
    write: (text) => writeFileSync(file, text),
  }
}

/** A report that is printed. */
export function toStdout(
  format: RunOptions['reporter'],
  descriptions: Descriptions,
  runContext: RunContext & Pick<PrettyOptions, 'color' | 'verbose'>,
): Output {
  return { format, descriptions, runContext, to: 'stdout', write: (text) => process.stdout.write(text) }
}

/**
 * Writes every report that was asked for, whatever goes wrong with one of them: that costs its part alone, and each of them names
 * it then.
 *
 * @param files are written first; what stands on stdout, once and last
 * @returns the report, with the parts that failed
 */
export function writeReports(report: Report, files: readonly Output[], stdout?: Output): Report {
  const faults = new Faults(report.faults)
  const known = faults.all.length
  const put = (output: Output) => {
    const text = textOf(report, output, faults)
    faults.guard(
      `the writing of ${output.to}`,
      () => output.write(text),
      () => undefined,
    )
  }
  for (const each of files) put(each)
  const text = stdout && textOf(report, stdout, faults)
  // What failed in one is told in each.
  const hasFailed = faults.all.length > known
  if (hasFailed) for (const each of files) put(each)
  if (stdout && text !== undefined) stdout.write(hasFailed ? textOf(report, stdout, faults) : text)
  return { ...report, ...faultsIn(faults) }
}

/**
 * A report's text. Where its writer fails: without what was exchanged; where that is not it, without results; and at last the verdict
 * alone.
 */
function textOf(report: Report, { format, descriptions, runContext }: Output, faults: Faults): string {
  const part = `the ${NAMES[format]} report`
  const told = { ...descriptions, fault: (inside: string, error: unknown) => faults.note(inside, error) }
  const results = report.results.map((each) => ({ ...each, exchanges: [] }))
  for (const less of [{}, { results }, { results: [], choices: {}, seconds: 0 }]) {
    try {
      return formatted({ ...report, ...less, ...faultsIn(faults) }, format, told, runContext)
    } catch (error) {
      faults.note(part, error)
    }
  }
  return `The verdict is: ${report.verdict}. The kit failed, not the target.\n`
}

function faultsIn({ all }: Faults): Pick<Report, 'faults'> {
  return all.length > 0 ? { faults: all } : {}
}
