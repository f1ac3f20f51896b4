import { printable, printableJson } from '../client/printable.js'
import { type Descriptions, verdictSentence } from './describe.js'
import type { CheckResult, Report } from './result.js'

// Statuses that a reader of the stream may pass over.
const OK = new Set(['pass', 'observed', 'differs', 'not-applicable'])

/** The report as TAP version 14. What is not applicable is skipped; what could not be answered is not ok. */
export function tapReport(report: Report, { title }: Pick<Descriptions, 'title'>): string {
  const { results, baseline, faults = [], notJudged } = report
  // A plan of no tests would be a success.
  if (notJudged !== undefined) return `TAP version 14\nBail out! ${escapeTap(notJudged)}\n`
  const stale = baseline?.stale ?? []
  const planned = results.length + stale.length + faults.length
  const lines = ['TAP version 14', planned === 0 ? '1..0 # SKIP no check was chosen' : `1..${planned}`]
  results.forEach((result, index) => {
    const words = escapeTap(`${result.id} ${title(result.id) ?? ''}`.trim())
    lines.push(`${OK.has(result.status) ? 'ok' : 'not ok'} ${index + 1} - ${words}${directive(result)}`)
    if (result.status !== 'pass' && result.status !== 'not-applicable') lines.push(...diagnostics(result))
  })
  stale.forEach(({ id, why }, index) => {
    lines.push(`not ok ${results.length + index + 1} - the baseline is stale: ${escapeTap(`${id}: ${why}`)}`)
  })
  faults.forEach(({ part, why }, index) => {
    const number = results.length + stale.length + index + 1
    lines.push(`not ok ${number} - the kit failed, not the target: ${escapeTap(`${part}: ${why}`)}`)
  })
  lines.push(`# ${escapeTap(verdictSentence(report))}`)
  return `${lines.join('\n')}\n`
}

/** What is not applicable is skipped; a known failure is what TAP calls something to do, and does not count. */
function directive({ status, message, known }: CheckResult): string {
  if (known !== undefined) return ` # TODO ${escapeTap(known)}`
  return status === 'not-applicable' ? ` # SKIP ${escapeTap(message)}` : ''
}

// JSON is YAML, and needs none of its rules about indentation and quotes.
function diagnostics({ status, grade, clauses, message, expected, seen }: CheckResult): string[] {
  const said = Object.entries({ status, grade, clauses, message, expected, seen }).filter(
    ([, value]) => value !== '',
  )
  return ['  ---', ...said.map(([name, value]) => `  ${name}: ${printableJson(value)}`), '  ...']
}

function escapeTap(text: string): string {
  return printable(text.replace(/\s+/g, ' ')).replace(/[\\#]/g, '\\$&')
}
