import { TOPICS } from '../../trial/check.js'
import { nextSteps } from '../advice/next-steps.js'
import { scenarioCommand } from '../advice/report-context.js'
import type { Descriptions, RunContext } from '../describe.js'
import { notes, unclaimed } from '../notes.js'
import { type CheckResult, type Report, STATUSES } from '../result.js'
import { anchorOf, checkItem, isOpen } from './check-item.js'
import { factList, page, section } from './document.js'
import { filterForm } from './filter.js'
import { html, type Markup } from './markup.js'
import { statusBadge, verdictBadge, verdictReason } from './status.js'

/** So many failures stand before what to do next. */
const SHOWN_FIRST = 5

/** The report as a page that needs nothing but itself, and reads as well without its script. */
export function htmlReport(report: Report, descriptions: Descriptions, runContext: RunContext = {}): string {
  const { target, verdict } = report
  if (report.notJudged !== undefined)
    return page(`${target.name}: ${verdict}`, [head(report), html`<main></main>`])
  return page(`${target.name}: ${verdict}`, [
    html`<a class="skip" href="#checks">To the checks</a>\n`,
    head(report),
    html`<main>\n`,
    wrong(report, descriptions),
    next(report, runContext),
    added(report),
    html`<div class="columns">\n`,
    matrix(report),
    features(report),
    html`</div>\n`,
    choices(report),
    checks(report, {
      ...descriptions,
      again: (scenario) => scenarioCommand(report, scenario, runContext),
    }),
    html`</main>`,
  ])
}

function head(report: Report): Markup {
  const { kit, target, started, seconds, strict } = report
  const facts = [
    ['Address', html`<code>${target.url}</code>`],
    ['Judged by', `${kit.name} ${kit.version}, against the ${kit.document}${strict ? ', strictly' : ''}`],
    ['When', html`<time datetime="${started}">${started}</time>, for ${seconds.toFixed(1)} s`],
    ['Checks', `${report.planned} chosen, ${report.executed} carried out`],
  ] as const
  return html`<header>
<h1>${target.name}</h1>
<p class="verdict ${report.verdict}">${verdictBadge(report.verdict)} ${verdictReason(report)}</p>
${factList(facts)}</header>
`
}

function next(report: Report, runContext: RunContext): Markup | undefined {
  const steps = nextSteps(report, runContext)
  if (steps.length === 0) return undefined
  const items = steps.map(
    ({ sentence, commands }) =>
      html`<li><span class="text">${sentence}</span>${commands.length === 0 ? '' : html`<pre>${commands.join('\n')}</pre>`}</li>\n`,
  )
  return section('next', 'Next', html`<ol class="wrong">\n${items}</ol>\n`)
}

/** What somebody who reads one part only has to read. */
function wrong({ results }: Report, { title }: Descriptions): Markup | undefined {
  const items = results.filter(isOpen)
  if (items.length === 0) return undefined
  const list = (some: readonly CheckResult[]) => html`<ul class="wrong">
${some.map(
  ({ id, status, seen, message }) =>
    html`<li>${statusBadge(status)} <a href="#${anchorOf(id)}"><code>${id}</code></a> <span class="text">${title(id) ?? ''}</span><br>
<span class="quiet">${status === 'error' ? 'The kit failed:' : 'Seen:'}</span> <span class="text">${status === 'error' ? message : seen}</span></li>\n`,
)}</ul>
`
  // What to do next should not be far below.
  const more = items.slice(SHOWN_FIRST)
  const folded = html`<details><summary>${more.length} more</summary>\n${list(more)}</details>\n`
  return section('wrong', 'What went wrong', [
    list(items.slice(0, SHOWN_FIRST)),
    more.length === 0 ? undefined : folded,
  ])
}

function added(report: Report): Markup[] {
  return notes(report).map(({ heading, lines }, index) => {
    const items = lines.map((line) => html`<li class="text">${line}</li>\n`)
    const title = heading.charAt(0).toUpperCase() + heading.slice(1)
    return section(`note-${index}`, title, html`<ul class="wrong">\n${items}</ul>\n`)
  })
}

function matrix({ results, counts }: Report): Markup {
  const statuses = STATUSES.filter((status) => counts[status] > 0)
  const rows = TOPICS.flatMap((topic) => {
    const own = results.filter((result) => result.topic === topic)
    const cells = statuses.map((status) => {
      const count = own.filter((result) => result.status === status).length
      return count === 0 ? html`<td class="quiet">0</td>` : html`<td class="status ${status}">${count}</td>`
    })
    return own.length === 0
      ? []
      : [
          html`<tr><th scope="row"><a href="#topic-${topic}">${topic}</a></th>${cells}<td>${own.length}</td></tr>\n`,
        ]
  })
  const content = html`<div class="scroll" role="region" aria-label="Checks of each topic" tabindex="0"><table class="numbers">
<caption>Checks of each topic by their status</caption>
<thead><tr><th scope="col">Topic</th>${statuses.map((status) => html`<th scope="col">${statusBadge(status)}</th>`)}<th scope="col">all</th></tr></thead>
<tbody>
${rows}</tbody>
<tfoot><tr><th scope="row">all</th>${statuses.map((status) => html`<td>${counts[status]}</td>`)}<td>${results.length}</td></tr></tfoot>
</table></div>
`
  return section('topics', 'Topics', content)
}

function features(report: Report): Markup {
  const warning = unclaimed(report)
  const rows = Object.entries(report.features).map(([feature, { claimed, seen }]) => {
    const words = seen === null ? 'not asked' : seen ? 'yes' : 'no'
    return html`<tr><th scope="row">${feature}</th><td>${claimed ? 'yes' : 'no'}</td><td>${words}</td></tr>\n`
  })
  const content = html`${warning === undefined ? undefined : html`<p class="note">${warning}</p>\n`}<table>
<caption>What the target claims of the parts that may be left out, and what was seen of it</caption>
<thead><tr><th scope="col">Feature</th><th scope="col">Claimed</th><th scope="col">Seen</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
`
  return section('features', 'Features', content)
}

function choices({ choices }: Report): Markup | undefined {
  const made = Object.entries(choices)
  if (made.length === 0) return undefined
  const content = html`<details>
<summary>What the target does at ${made.length} ${made.length === 1 ? 'point' : 'points'} where the document is silent</summary>
<table>
<thead><tr><th scope="col">Point</th><th scope="col">What it does</th></tr></thead>
<tbody>
${made.map(([point, what]) => html`<tr><th scope="row">${point}</th><td>${what}</td></tr>\n`)}</tbody>
</table>
</details>
`
  return section('choices', 'Choices', content)
}

function checks({ results, counts }: Report, descriptions: Descriptions): Markup {
  const topics = TOPICS.filter((topic) => results.some((result) => result.topic === topic))
  const sections = topics.map((topic) => {
    const items = results.filter((result) => result.topic === topic)
    return html`<section aria-labelledby="topic-${topic}" data-group>
<h3 id="topic-${topic}">${topic}</h3>
${items.map((result) => checkItem(result, descriptions))}</section>
`
  })
  const statuses = STATUSES.filter((status) => counts[status] > 0)
  return section('checks', 'Checks', [filterForm({ topics, statuses, comparison: false }), sections], true)
}
