import { parseReport, ReportError } from '../report/parse-report.js'
import type { Report } from '../report/result.js'
import { readJson } from './read-json.js'
import { UsageError } from './usage-error.js'

/** A report that `--json` has written. @throws {UsageError} where the file is none */
export function readReport(file: string): Report {
  const value = readJson('the report', file)
  try {
    return parseReport(value)
  } catch (error) {
    throw error instanceof ReportError ? new UsageError(`${file} ${error.message}.`) : error
  }
}
