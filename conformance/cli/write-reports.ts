import { writeFileSync } from 'node:fs'
import { printableJson } from '../client/printable.js'
import type { Descriptions, RunContext } from '../report/describe.js'
import { Faults } from '../report/faults.js'
import { htmlReport } from '../report/html/report-page.js'
import { junitReport } from '../report/junit.js'
import { markdownReport } from '../report/markdown.js'
import { type PrettyOptions, prettyReport } from '../report/pretty.js'
import type { Report } from '../report/result.js'
import { tapReport } from '../report/tap.js'
import type { RunOptions } from './run-options.js'
import type { FileFormat, ReportFile } from './target-options.js'

type Format = RunOptions['reporter'] | FileFormat

/** How a run was made, and how its report is to look on a terminal. */
type Context = RunContext & Partial<Pick<PrettyOptions, 'color' | 'verbose'>>

/** Each form of a report: what it is called, where it could not be made as it should, and what makes it. */
const FORMS: Readonly<
  Record<Format, readonly [string, (report: Report, told: Descriptions, context: Context) => string]>
> = {
  json: ['JSON', (report) => `${printableJson(report, 2)}\n`],
  junit: ['JUnit XML', junitReport],
  html: ['HTML', htmlReport],
  tap: ['TAP', tapReport],
  markdown: ['Markdown', markdownReport],
  pretty: ['text', (report, told, context) => prettyReport(report, { color: false, ...told, ...context })],
}

/** A report in one form, and where it goes. */
interface Output {
  readonly format: Format
  readonly descriptions: Descriptions
  readonly context: Context
  /** What it is written to, as people name it. */
  readonly to: string
  readonly write: (text: string) => void
}

/** A report in a file. */
export function toFile(
  { format, file }: ReportFile,
  descriptions: Descriptions,
  context: RunContext = {},
): Output {
  return { format, descriptions, context, to: file, write: (text) => writeFileSync(file, text) }
}

/** A report that is printed. */
export function toStdout(
  format: RunOptions['reporter'],
  descriptions: Descriptions,
  context: Context,
): Output {
  return { format, descriptions, context, to: 'stdout', write: (text) => process.stdout.write(text) }
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
function textOf(report: Report, { format, descriptions, context }: Output, faults: Faults): string {
  const [name, form] = FORMS[format]
  const part = `the ${name} report`
  const told = { ...descriptions, fault: (inside: string, error: unknown) => faults.note(inside, error) }
  const results = report.results.map((each) => ({ ...each, exchanges: [] }))
  for (const less of [{}, { results }, { results: [], choices: {}, seconds: 0 }]) {
    try {
      return form({ ...report, ...less, ...faultsIn(faults) }, told, context)
    } catch (error) {
      faults.note(part, error)
    }
  }
  return `The verdict is: ${report.verdict}. The kit failed, not the target.\n`
}

function faultsIn({ all }: Faults): Pick<Report, 'faults'> {
  return all.length > 0 ? { faults: all } : {}
}
