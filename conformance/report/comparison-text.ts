import { printableLine } from '../client/printable.js'
import type { Comparison } from './comparison.js'
import { verdictSentence } from './describe.js'
import { STATUSES } from './result.js'

/** A comparison in short, for a terminal: verdicts, and where the targets are not the same. */
export function compareText({ targets, checks, choices, notes }: Comparison): string {
  const differing = checks.filter(({ differs }) => differs)
  const points = choices.filter(({ differs }) => differs)
  const lines = targets.map(({ name, report }) => `${name}: ${verdictSentence(report)}`)
  const counts = STATUSES.filter((status) => targets.some(({ report }) => report.counts[status] > 0))
  const rows = targets.map(({ name, report }) => [name, ...counts.map((status) => report.counts[status])])
  lines.push('', ...table([['', ...counts], ...rows]))
  lines.push(
    '',
    `${differing.length} of ${checks.length} checks and ${points.length} ${points.length === 1 ? 'choice' : 'choices'} are not the same.`,
  )
  const head = targets.map(({ name }) => name)
  if (differing.length > 0) {
    const rows = differing.map(({ id, results }) => [
      id,
      ...results.map((each) => each?.status ?? 'not asked'),
    ])
    lines.push('', ...table([['checks', ...head], ...rows]))
  }
  if (points.length > 0) {
    const rows = points.map(({ point, answers }) => [point, ...answers.map((each) => each ?? 'not seen')])
    lines.push('', ...table([['where the document is silent', ...head], ...rows]))
  }
  if (notes.length > 0) lines.push('', ...notes)
  return `${lines.map(printableLine).join('\n')}\n`
}

/** Columns as wide as their widest cell. */
function table(rows: readonly (readonly (string | number)[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)))
  return rows.map((row) =>
    row
      .map((cell, column) => String(cell).padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}
