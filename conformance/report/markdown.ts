import { printable } from '../client/printable.js'
import { countDependents, withMostDependents } from './dependents.js'
import { type Descriptions, verdictSentence } from './describe.js'
import { KIT_FAILED } from './notes.js'
import type { CheckResult, Report } from './result.js'

/** Failures that a summary names; the report itself has all. */
const MOST = 50

/** The report as a summary for the page of a build: what was asked, what is wrong, what to do. */
export function markdownReport(report: Report, descriptions: Pick<Descriptions, 'title' | 'page'>): string {
  const { target, results, counts, verdict, kit, faults = [], notJudged } = report
  if (notJudged !== undefined)
    return `## ${escapeText(target.name)}: ${verdict}\n\n${escapeText(notJudged)}\n`
  const failed = results.filter(({ status, known }) => status === 'fail' && known === undefined)
  const open = results.filter(({ status }) => status === 'inconclusive' || status === 'error')
  const sentence = verdictSentence(report).replace(/^[^:]*: (.)/, (_, first: string) => first.toUpperCase())
  const lines = [
    `## ${escapeText(target.name)}: ${verdict}`,
    '',
    `The server at \`${target.url}\` was asked ${results.length} questions about what *${escapeText(kit.document)}* says: ${numbers(counts)}. ${escapeText(sentence)}`,
    '',
  ]
  if (failed.length > 0) {
    lines.push('| wrong | expected | seen |', '| --- | --- | --- |')
    for (const each of failed.slice(0, MOST)) lines.push(row(each, descriptions))
    if (failed.length > MOST) lines.push('', `And ${failed.length - MOST} more.`)
    lines.push('')
  }
  if (open.length > 0) {
    lines.push('Not answered:', '')
    lines.push(...open.slice(0, MOST).map(({ id, message }) => `- \`${id}\`: ${escapeText(message)}`), '')
  }
  if (counts.blocked > 0) {
    lines.push(`${counts.blocked} more could not be asked, since what they build on is not so.`, '')
  }
  if (faults.length > 0) {
    lines.push(`${KIT_FAILED.replace(/^./, (first) => first.toUpperCase())}:`, '')
    lines.push(...faults.map(({ part, why }) => `- ${escapeText(`${part}: ${why}`)}`), '')
  }
  const first = withMostDependents(failed, countDependents(results))
  if (first !== undefined) {
    lines.push(
      `What to do: begin with \`${first.id}\`; \`npx atom-mq-conformance explain ${first.id}\` tells what it asks.`,
      '',
    )
  }
  return lines.join('\n')
}

/** `371 pass, 1 fail, 14 not applicable`. */
function numbers(counts: Report['counts']): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  return some.map(([status, count]) => `${count} ${status.replace('-', ' ')}`).join(', ') || 'none'
}

function row(
  { id, clauses, expected, seen, scenario }: CheckResult,
  { title, page }: Pick<Descriptions, 'title' | 'page'>,
): string {
  const pages = clauses.flatMap((clause) => {
    const address = page?.(clause)
    return address === undefined ? [] : [` ([${clause}](<${address}>))`]
  })
  return `| \`${id}\`: ${escapeText(title(id) ?? '')}${pages.join('')}${scenario === undefined ? '' : ` (${escapeText(scenario)})`} | ${escapeText(expected)} | ${escapeText(seen)} |`
}

/** What a target says is text, and no markup: neither of a table nor of a page. */
function escapeText(text: string): string {
  const line = printable(text.replace(/\s+/g, ' ')).slice(0, 400)
  return line
    .replace(/[\\`*_{}[\]<>()#+!|~&@-]/g, (character) => `\\${character}`)
    .replace(/\\([<&])/g, (_, it) => (it === '<' ? '&lt;' : '&amp;'))
}
