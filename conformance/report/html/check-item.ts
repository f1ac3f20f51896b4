import { curlListOf } from '../curl/curl-list.js'
import type { Descriptions } from '../describe.js'
import type { CheckResult } from '../result.js'
import { factList } from './document.js'
import { exchangeItem } from './exchange.js'
import { html, type Markup, type Part } from './markup.js'
import { statusBadge } from './status.js'
import { timelinePicture } from './timeline.js'

/** Whether a result is what somebody reads the page for. */
export function isOpen({ status, known }: CheckResult): boolean {
  return (status === 'fail' || status === 'error') && known === undefined
}

/** Where a check is on its page. */
export function anchorOf(id: string): string {
  return `check-${id}`
}

/** One check: a line, and behind it what it asks, what came of it, and how to see that again. */
export function checkItem(result: CheckResult, descriptions: Descriptions): Markup {
  const { id, topic, status, seconds, known } = result
  const open = isOpen(result)
  return html`<details class="check${open ? ' bad' : ''}" id="${anchorOf(id)}" data-statuses="${status}" data-topic="${topic}"${open ? html` open` : ''}>
<summary>${statusBadge(status, known === undefined ? '' : ', known')} <code>${id}</code> <span class="title text">${descriptions.title(id) ?? ''}</span> <span class="quiet small">${seconds.toFixed(2)} s</span></summary>
<div class="body">
${factList(facts(result, descriptions))}${told(result)}${evidence(result, descriptions)}</div>
</details>
`
}

function facts(
  { status, grade, feature, clauses, message, expected, seen, known, scenario, variation }: CheckResult,
  descriptions: Descriptions,
): (readonly [name: string, fact: Part])[] {
  const { again } = descriptions
  const judged = status === 'fail' || status === 'differs'
  const all: readonly (readonly [name: string, fact: Part])[] = [
    ['Expected', judged ? expected : undefined],
    ['Seen', judged ? seen : undefined],
    ['Message', judged || message === '' ? undefined : message],
    ['Scenario', scenario && scenarioLink(scenario, descriptions)],
    ['Of several', variation],
    ['Again', scenario && again && html`<code>${again(scenario)}</code>`],
    ['Known', known],
    ...clauses.map((each) => {
      return ['Clause', html`${clauseLink(each, descriptions)} ${descriptions.clause(each) ?? ''}`] as const
    }),
    ['Grade', feature === null ? grade : `${grade}, of the feature ${feature}`],
  ]
  return all.filter(([, fact]) => fact !== undefined)
}

/** The id of a clause, which leads to its place in the specification where that is known. */
function clauseLink(id: string, { page }: Descriptions): Markup {
  const address = page?.(id)
  return address === undefined ? html`<code>${id}</code>` : html`<a href="${address}"><code>${id}</code></a>`
}

/** A scenario, which leads to where it runs in a page, where that is known. */
function scenarioLink(scenario: string, { playground }: Descriptions): Markup {
  const address = playground?.(scenario)
  const link = address === undefined ? undefined : html` <a href="${address}">Run it in the playground</a>`
  return html`<code>${scenario}</code>${link}`
}

/** What was done, step by step, and as a picture where it was done at the same time. */
function told({ story, timeline }: CheckResult): Markup | undefined {
  if (story === undefined && timeline === undefined) return undefined
  const steps = story?.map((step) => html`<li class="text">${step}</li>\n`)
  return html`${timeline === undefined ? undefined : timelinePicture(timeline)}${
    steps === undefined ? undefined : html`<h4>What was done</h4>\n<ol class="story">\n${steps}</ol>\n`
  }`
}

function evidence(result: CheckResult, descriptions: Descriptions): Markup | undefined {
  const { exchanges } = result
  if (exchanges.length === 0) return undefined
  return html`<h4>Exchanges</h4>
<ol class="exchanges">
${exchanges.map((each, at) => exchangeItem(each, at === exchanges.length - 1))}</ol>
<h4>Its requests, for curl</h4>
<pre tabindex="0">${curlListOf(result, descriptions)}</pre>
`
}
