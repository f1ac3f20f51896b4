import type { ComparedCheck, ComparedChoice, Comparison } from '../comparison.js'
import type { Descriptions } from '../describe.js'
import { type CheckResult, STATUSES } from '../result.js'
import { page, section } from './document.js'
import { filterForm } from './filter.js'
import { html, type Markup } from './markup.js'
import { statusBadge, verdictBadge, verdictReason, words } from './status.js'

/** Several targets side by side, what is not the same first, as a page that needs nothing but itself. */
export function comparisonPage(comparison: Comparison, descriptions: Descriptions): string {
  const { targets } = comparison
  const title = `${targets.length} ${targets.length === 1 ? 'target' : 'targets'} compared`
  return page(title, [
    html`<a class="skip" href="#checks">To the checks</a>
<header>
<h1>${title}</h1>
${comparison.notes.map((note) => html`<p class="note">${note}</p>\n`)}</header>
<main>
`,
    verdicts(comparison),
    checkTables(comparison, descriptions),
    choiceTables(comparison),
    html`</main>`,
  ])
}

function verdicts({ targets }: Comparison): Markup {
  const statuses = STATUSES.filter((status) => targets.some(({ report }) => report.counts[status] > 0))
  const rows = targets.map(
    ({ name, report }) =>
      html`<tr><th scope="row">${name}<br><code class="quiet">${report.target.url}</code></th>
<td class="verdict ${report.verdict}">${verdictBadge(report.verdict)} <span class="small">${verdictReason(report)}</span></td>
${statuses.map((status) => html`<td>${report.counts[status]}</td>`)}<td>${report.kit.version}</td></tr>\n`,
  )
  const content = html`<div class="scroll" role="region" aria-label="Verdicts, as a table" tabindex="0"><table class="targets">
<thead><tr><th scope="col">Target</th><th scope="col">Verdict</th>${statuses.map((status) => html`<th scope="col">${statusBadge(status)}</th>`)}<th scope="col">Kit</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>
`
  return section('verdicts', 'Verdicts', content)
}

function checkTables(comparison: Comparison, descriptions: Descriptions): Markup {
  const { checks } = comparison
  const row = (check: ComparedCheck) => checkRow(check, descriptions)
  const [different, same] = split(checks)
  const statuses = STATUSES.filter((status) =>
    checks.some(({ results }) => results.some((each) => each?.status === status)),
  )
  const topics = [...new Set(checks.map(({ topic }) => topic))]
  const content = [
    filterForm({ topics, statuses, comparison: true }),
    foldable('Not the same everywhere', 'Check', comparison, different.map(row), true),
    foldable('The same everywhere', 'Check', comparison, same.map(row), different.length === 0),
  ]
  return section('checks', 'Checks', content, true)
}

function choiceTables(comparison: Comparison): Markup {
  const [different, same] = split(comparison.choices)
  return section('choices', 'Choices, where the document is silent', [
    foldable('Not the same everywhere', 'Point', comparison, different.map(choiceRow), true),
    foldable('The same everywhere', 'Point', comparison, same.map(choiceRow), false),
  ])
}

function split<T extends { readonly differs: boolean }>(all: readonly T[]): [T[], T[]] {
  return [all.filter(({ differs }) => differs), all.filter(({ differs }) => !differs)]
}

function foldable(
  name: string,
  first: string,
  { targets }: Comparison,
  rows: readonly Markup[],
  open: boolean,
): Markup | undefined {
  if (rows.length === 0) return undefined
  const group = first === 'Check' ? html` data-group` : ''
  return html`<details${group}${open ? html` open` : ''}>
<summary><strong>${name}</strong> (${rows.length})</summary>
<div class="scroll" role="region" aria-label="${first}: ${name}" tabindex="0"><table class="wide">
<thead><tr><th scope="col">${first}</th>${targets.map((target) => html`<th scope="col">${target.name}</th>`)}</tr></thead>
<tbody>
${rows}</tbody>
</table></div>
</details>
`
}

function checkRow({ id, topic, results, differs }: ComparedCheck, { title }: Descriptions): Markup {
  const statuses = [...new Set(results.flatMap((each) => each?.status ?? []))]
  return html`<tr id="check-${id}" data-statuses="${statuses.join(' ')}" data-topic="${topic}"${differs ? html` data-different` : ''}>
<th scope="row"><code>${id}</code> <span class="quiet small">${title(id) ?? ''}</span></th>${results.map(statusCell)}</tr>
`
}

function statusCell(result: CheckResult | undefined): Markup {
  if (result === undefined) return html`<td><span class="status not-asked">not asked</span></td>`
  const { status, message, known } = result
  const badge = statusBadge(status, known === undefined ? '' : ', known')
  if (message === '') return html`<td>${badge}</td>`
  return html`<td><details><summary aria-label="${words(status)}, and why">${badge}</summary><span class="small">${message}</span></details></td>`
}

function choiceRow({ point, answers }: ComparedChoice): Markup {
  const cells = answers.map((answer) =>
    answer === undefined ? html`<td><span class="quiet">not seen</span></td>` : html`<td>${answer}</td>`,
  )
  return html`<tr><th scope="row">${point}</th>${cells}</tr>\n`
}
