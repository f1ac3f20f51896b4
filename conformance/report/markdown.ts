import { type Descriptions, verdictSentence } from './describe.js'
import type { CheckResult, Report } from './result.js'

/** Failures that a summary names; the report itself has all. */
const MOST = 50

/** The report as a summary for the page of a build: what was asked, what is wrong, what to do. */
export function markdownReport(report: Report, descriptions: Pick<Descriptions, 'title' | 'page'>): string {
  const { target, results, counts, verdict, kit } = report
  const failed = results.filter(({ status, known }) => status === 'fail' && known === undefined)
  const open = results.filter(({ status }) => status === 'inconclusive' || status === 'error')
  const lines = [
    `## ${escapeText(target.name)}: ${verdict}`,
    '',
    `${counts.pass} of ${results.length} questions of *${escapeText(kit.document)}* were answered as that document says, by the server at \`${target.url}\`. ${escapeText(verdictSentence(report))}`,
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
  if (failed.length > 0) {
    lines.push(
      `What to do: begin with \`${failed[0]!.id}\`; \`atom-mq-conformance explain ${failed[0]!.id}\` tells what it asks.`,
      '',
    )
  }
  return lines.join('\n')
}

function row(
  { id, clauses, expected, seen }: CheckResult,
  { title, page }: Pick<Descriptions, 'title' | 'page'>,
): string {
  const pages = clauses.flatMap((clause) => {
    const address = page?.(clause)
    return address === undefined ? [] : [` ([${clause}](<${address}>))`]
  })
  return `| \`${id}\`: ${escapeText(title(id) ?? '')}${pages.join('')} | ${escapeText(expected)} | ${escapeText(seen)} |`
}

/** What a target says is text, and no markup: neither of a table nor of a page. */
function escapeText(text: string): string {
  const line = text.replace(/\s+/g, ' ').slice(0, 400)
  return line
    .replace(/[\\`*_{}[\]<>()#+!|~&@-]/g, (character) => `\\${character}`)
    .replace(/\\([<&])/g, (_, it) => (it === '<' ? '&lt;' : '&amp;'))
}
