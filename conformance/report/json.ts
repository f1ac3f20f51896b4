import type { Report } from './result.js'

/** The report as JSON, indented. */
export function jsonReport(report: Report): string {
  return `${JSON.stringify(report, undefined, 2)}\n`
}
