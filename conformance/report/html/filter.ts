import type { Status } from '../result.js'
import { html, type Markup } from './markup.js'
import { statusBadge } from './status.js'

interface FilterParts {
  readonly topics: readonly string[]
  /** Those that something on the page has. */
  readonly statuses: readonly Status[]
  /** Whether the items are of several targets, so that they can be the same or not. */
  readonly comparison: boolean
}

/** The form by which the page's script hides what does not fit; without a script it is not shown. */
export function filterForm({ topics, statuses, comparison }: FilterParts): Markup {
  const options = topics.map((topic) => html`<option>${topic}</option>`)
  const boxes = statuses.map(
    (status) =>
      html`<label><input type="checkbox" name="status" value="${status}" checked> ${statusBadge(status)}</label>\n`,
  )
  const different = html`<label><input type="checkbox" name="different"> only what is not the same</label>`
  const folding = html`<button type="button" data-open="yes">Open all</button>
<button type="button" data-open="no">Close all</button>`
  return html`<form id="filter" role="search" aria-label="Checks to show" hidden>
<label class="field"><span>Words</span> <input type="search" name="text" autocomplete="off"></label>
<label class="field"><span>Topic</span> <select name="topic"><option value="">all</option>${options}</select></label>
${comparison ? different : folding}
<button type="reset">Show all</button>
<fieldset><legend>Status</legend>
${boxes}</fieldset>
<output id="shown" class="quiet small"></output>
</form>
`
}
