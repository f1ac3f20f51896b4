import type { ReportedBody, ReportedExchange } from '../result.js'
import { html, type Markup } from './markup.js'

/** One exchange: a line, and behind it request and answer as they went over the wire. */
export function exchangeItem(
  { request, response, error, seconds, times, at, omitted }: ReportedExchange,
  open: boolean,
): Markup {
  const answer = response === null ? (error ?? 'no answer') : String(response.status)
  const often = times > 1 ? `, ${times} times` : ''
  const more =
    omitted === undefined
      ? undefined
      : html`<p>${omitted} more stood here that the report does not hold.</p>
`
  return html`<li>${more}<details${open ? html` open` : ''}>
<summary><code>${request.method} ${request.url}</code> → <code>${answer}</code>
<span class="quiet small">${Math.round(seconds * 1000)} ms, at ${at.toFixed(3)} s${often}</span></summary>
<div class="pair">
<div><h5>Request</h5><pre tabindex="0">${request.method} ${request.url}${message(request.headers, request.body)}</pre></div>
<div><h5>Answer</h5><pre tabindex="0">${answer}${response === null ? '' : message(response.headers, response.body)}</pre></div>
</div>
</details></li>
`
}

function message(headers: Readonly<Record<string, string>>, body: ReportedBody): string {
  const lines = Object.entries(headers).map(([name, value]) => `\n${name}: ${value}`)
  return `${lines.join('')}${shown(body)}`
}

function shown({ encoding, data, bytes, cut }: ReportedBody): string {
  if (bytes === 0) return ''
  const about = [
    ...(encoding === 'base64' ? [`${bytes} bytes that are not text, in Base64`] : []),
    ...(cut ? [`the beginning of ${bytes} bytes`] : []),
  ]
  return `\n\n${about.length > 0 ? `(${about.join('; ')})\n` : ''}${data}`
}
