import { writeFileSync } from 'node:fs'
import { compareReports } from '../report/comparison.js'
import { compareText } from '../report/comparison-text.js'
import { comparisonPage } from '../report/html/comparison-page.js'
import { descriptions } from './descriptions.js'
import { readReport } from './input.js'
import { readArgs, tryToWrite } from './target-options.js'
import { UsageError } from './usage-error.js'

/** `compare`: several targets' reports side by side. @returns the exit code, which says nothing about the targets */
export function compare(args: readonly string[]): number {
  const { values, positionals } = readArgs(args, { html: { type: 'string' } })
  if (positionals.length === 0)
    throw new UsageError('give compare the reports to compare: files that --json has written.')
  const comparison = compareReports(positionals.map((file) => ({ file, report: readReport(file) })))
  if (values.html !== undefined) {
    tryToWrite(values.html)
    writeFileSync(values.html, comparisonPage(comparison, descriptions))
  }
  process.stdout.write(compareText(comparison))
  return 0
}
