import { printableJson } from '../client/printable.js'
import type { Report } from './result.js'

/** The report as JSON, indented. */
export function jsonReport(report: Report): string {
  return `${printableJson(report, 2)}\n`
}
