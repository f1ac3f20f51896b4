import { TOPICS } from '../../trial/check.js'
import { nextSteps } from '../advice/next-steps.js'
import { scenarioCommand } from '../advice/report-context.js'
import type { Descriptions, RunContext } from '../describe.js'
import { notes, unclaimed } from '../notes.js'
import type { CheckResult, Report } from '../result.js'
import { anchorOf, checkItem, isOpen } from './check-item.js'
import { page } from './document.js'
import { filterForm } from './filter.js'
import { html, type Markup } from './markup.js'
import { statusBadge, statusesIn, verdictBadge, verdictReason } from './status.js'

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
<dl class="facts">
${facts.map(([name, value]) => html`<dt>${name}</dt> <dd>${value}</dd>\n`)}</dl>
</header>
`
}

function next(report: Report, runContext: RunContext): Markup | undefined {
  const steps = nextSteps(report, runContext)
  if (steps.length === 0) return undefined
  return html`<section aria-labelledby="next">
<h2 id="next">Next</h2>
<ol class="wrong">
${steps.map(
  ({ sentence, commands }) =>
    html`<li><span class="text">${sentence}</span>${commands.length === 0 ? '' : html`<pre>${commands.join('\n')}</pre>`}</li>\n`,
)}</ol>
</section>
`
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
  return html`<section aria-labelledby="wrong">
<h2 id="wrong">What went wrong</h2>
${list(items.slice(0, SHOWN_FIRST))}${more.length === 0 ? undefined : html`<details><summary>${more.length} more</summary>\n${list(more)}</details>\n`}</section>
`
}

function added(report: Report): Markup[] {
  return notes(report).map(
    ({ heading, lines }, index) => html`<section aria-labelledby="note-${index}">
<h2 id="note-${index}">${heading.charAt(0).toUpperCase()}${heading.slice(1)}</h2>
<ul class="wrong">
${lines.map((line) => html`<li class="text">${line}</li>\n`)}</ul>
</section>
`,
  )
}

function matrix({ results, counts }: Report): Markup {
  const statuses = statusesIn((status) => counts[status] > 0)
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
  return html`<section aria-labelledby="topics">
<h2 id="topics">Topics</h2>
<div class="scroll" role="region" aria-label="Checks of each topic" tabindex="0"><table class="numbers">
<caption>Checks of each topic by their status</caption>
<thead><tr><th scope="col">Topic</th>${statuses.map((status) => html`<th scope="col">${statusBadge(status)}</th>`)}<th scope="col">all</th></tr></thead>
<tbody>
${rows}</tbody>
<tfoot><tr><th scope="row">all</th>${statuses.map((status) => html`<td>${counts[status]}</td>`)}<td>${results.length}</td></tr></tfoot>
</table></div>
</section>
`
}

function features(report: Report): Markup {
  const warning = unclaimed(report)
  const rows = Object.entries(report.features).map(([feature, { claimed, seen }]) => {
    const words = seen === null ? 'not asked' : seen ? 'yes' : 'no'
    return html`<tr><th scope="row">${feature}</th><td>${claimed ? 'yes' : 'no'}</td><td>${words}</td></tr>\n`
  })
  return html`<section aria-labelledby="features">
<h2 id="features">Features</h2>
${warning === undefined ? undefined : html`<p class="note">${warning}</p>\n`}<table>
<caption>What the target claims of the parts that may be left out, and what was seen of it</caption>
<thead><tr><th scope="col">Feature</th><th scope="col">Claimed</th><th scope="col">Seen</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
</section>
`
}

function choices({ choices }: Report): Markup | undefined {
  const made = Object.entries(choices)
  if (made.length === 0) return undefined
  return html`<section aria-labelledby="choices">
<h2 id="choices">Choices</h2>
<details>
<summary>What the target does at ${made.length} ${made.length === 1 ? 'point' : 'points'} where the document is silent</summary>
<table>
<thead><tr><th scope="col">Point</th><th scope="col">What it does</th></tr></thead>
<tbody>
${made.map(([point, what]) => html`<tr><th scope="row">${point}</th><td>${what}</td></tr>\n`)}</tbody>
</table>
</details>
</section>
`
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
  return html`<section aria-labelledby="checks">
<h2 id="checks" tabindex="-1">Checks</h2>
${filterForm({ topics, statuses: statusesIn((status) => counts[status] > 0), comparison: false })}${sections}</section>
`
}
