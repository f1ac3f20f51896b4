import { lanesPicture } from '../lanes/picture.js'
import { factList, page } from '../report/html/document.js'
import { exchangeItem } from '../report/html/exchange.js'
import { html, Markup } from '../report/html/markup.js'
import type { Redactor } from '../report/redactor.js'
import { reportExchanges } from '../report/report-exchange.js'
import type { Outcome } from '../scenario/carry-out.js'
import { momentsOf } from '../scenario/moments.js'
import { citation, outcomeWords } from '../scenario/tell.js'

/** What came of a scenario as a page that is whole in itself: lanes, and each step with its exchanges. */
export function scenarioPage(url: string, outcome: Outcome, redactor: Redactor): string {
  const { told, broken, exchanges, began } = outcome
  const moments = momentsOf(outcome)
  const picture = new Markup(
    lanesPicture(moments, { label: 'Who sent, who held and until when, as far as answers tell' }),
  )
  let from = 0
  const steps = told.map(({ came, exchanged, expects, stands, worlds }, at) => {
    const own = reportExchanges(exchanges.slice(from, exchanged), began, redactor)
    from = exchanged
    const wrong = broken.filter(({ step }) => step === at)
    const facts: readonly (readonly [string, string])[] = [
      ['Answered', came],
      ['The model expects', wrong.length === 0 ? '' : expects()],
      ...wrong.flatMap(({ clause, expected, seen }) => [
        ['Expected', expected] as const,
        ['Seen', seen] as const,
        ['Breaks', citation(clause)] as const,
      ]),
      ['Then', stands().join('; ')],
      ['Possible states', String(worlds)],
    ]
    return html`<details class="check${wrong.length > 0 ? ' bad' : ''}"${wrong.length > 0 ? html` open` : ''}>
<summary>${at + 1}. <code>${moments[at]!.label}</code> <span class="quiet small">${came}</span></summary>
<div class="body">
${factList(facts.filter(([, said]) => said !== ''))}<ol class="exchanges">
${own.map((each) => exchangeItem(each, false))}</ol>
</div>
</details>
`
  })
  return page(`A scenario at ${url}`, [
    html`<main>
<h1>A scenario at ${url}</h1>
<p><b>${outcomeWords(outcome).join(' ')}</b></p>
${picture}
${steps}</main>`,
  ])
}
