import type { CheckResult, Report } from '../run/result.js'
import { type Descriptions, verdictSentence } from './describe.js'

// Statuses that a reader of the stream may pass over.
const OK = new Set(['pass', 'observed', 'differs', 'not-applicable'])

/** The report as TAP version 14. What is not applicable is skipped; what could not be answered is not ok. */
export function tapReport(report: Report, { title }: Pick<Descriptions, 'title'>): string {
  const { results } = report
  const lines = [
    'TAP version 14',
    results.length === 0 ? '1..0 # SKIP no check was chosen' : `1..${results.length}`,
  ]
  results.forEach((result, index) => {
    const words = escapeText(`${result.id} ${title(result.id) ?? ''}`.trim())
    const skip = result.status === 'not-applicable' ? ` # SKIP ${escapeText(result.message)}` : ''
    lines.push(`${OK.has(result.status) ? 'ok' : 'not ok'} ${index + 1} - ${words}${skip}`)
    if (result.status !== 'pass' && result.status !== 'not-applicable') lines.push(...diagnostics(result))
  })
  lines.push(`# ${escapeText(verdictSentence(report))}`)
  return `${lines.join('\n')}\n`
}

// JSON is YAML, and needs none of its rules about indentation and quotes.
function diagnostics({ status, grade, clauses, message, expected, seen }: CheckResult): string[] {
  const said = Object.entries({ status, grade, clauses, message, expected, seen }).filter(
    ([, value]) => value !== '',
  )
  return ['  ---', ...said.map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`), '  ...']
}

function escapeText(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\#]/g, '\\$&')
}
