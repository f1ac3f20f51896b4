import type { Descriptions, RunContext } from '../report/describe.js'
import { htmlReport } from '../report/html/report-page.js'
import { jsonReport } from '../report/json.js'
import { junitReport } from '../report/junit.js'
import { markdownReport } from '../report/markdown.js'
import { type PrettyOptions, prettyReport } from '../report/pretty.js'
import type { Report } from '../report/result.js'
import { tapReport } from '../report/tap.js'
import type { FileFormat, RunOptions } from './run-options.js'

/** A report in one of its forms. */
export function formatted(
  report: Report,
  format: RunOptions['reporter'] | FileFormat,
  descriptions: Descriptions,
  runContext: RunContext & Partial<Pick<PrettyOptions, 'color' | 'verbose'>> = {},
): string {
  switch (format) {
    case 'json':
      return jsonReport(report)
    case 'tap':
      return tapReport(report, descriptions)
    case 'junit':
      return junitReport(report, descriptions)
    case 'markdown':
      return markdownReport(report, descriptions)
    case 'html':
      return htmlReport(report, descriptions, runContext)
    case 'pretty':
      return prettyReport(report, { color: false, ...descriptions, ...runContext })
  }
}
